//! Tree to flat code. Expects a checked tree; it only refuses code that would not fit
//! (`CompileError`), so nothing wrong can reach the engine.

mod about;
mod acts;
pub(crate) mod coins;
mod needs;
mod rules;
mod terms;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::code::{Op, *};
use crate::db::{CardDb, Def, LureCode, MAX_DEFS};
use crate::tree::*;

pub(crate) use self::rules::is_live;

#[derive(Debug, Error, PartialEq, Eq)]
pub enum CompileError {
    #[error("\"{card}\" needs more than {REGS} names at once: use fewer names or split the ability")]
    TooManyNames { card: String },
    #[error("\"{card}\" uses `{name}` without binding it first")]
    Unbound { card: String, name: String },
    #[error("\"{card}\": {what} is not allowed here")]
    Misplaced { card: String, what: &'static str },
    #[error("\"{card}\" keeps more than {KEPT} names in an `until` rule")]
    TooManyKept { card: String },
    #[error("\"{card}\" has more than {MARKS} abilities limited to once per turn")]
    TooManyLimits { card: String },
    #[error("the sets together are too large: at most {0} {1} fit")]
    TooLarge(usize, &'static str),
}

impl CardDb {
    /// Compiles sets that have been checked.
    pub fn build(sets: &[Set]) -> Result<CardDb, CompileError> {
        let mut db = CardDb {
            defs: Vec::new(),
            backs: 0,
            units: Vec::new(),
            ops: Vec::new(),
            queries: Vec::new(),
            nums: Vec::new(),
            conds: Vec::new(),
            rules: Vec::new(),
            patterns: Vec::new(),
            classes: Classes::CORE,
            hand_abilities: false,
            tells_new: false,
            minibosses: false,
            coins: false,
            mixes_coins: false,
            scored_spells: false,
            names_rooms: false,
            names_entrances: false,
            portable: false,
            items: false,
            extras: false,
            hash: [0; 32],
        };
        let has = |kind| sets.iter().flat_map(|set| &set.cards).any(|card| card.kind == kind);
        db.minibosses = has(Kind::Miniboss);
        let played = |set: &&Set| set.cards.iter().any(|card| card.copies > 0 && card.kind.is_held());
        db.coins = sets.iter().any(coins::has);
        db.mixes_coins = db.coins && sets.iter().filter(played).any(|set| !coins::has(set));
        db.items = has(Kind::Item);
        // Only what a game may hold takes a number, so that the cards of other games keep theirs.
        let backs = Kind::ALL
            .into_iter()
            .filter(|kind| kind.backed() == *kind && (*kind != Kind::Item || has(*kind)));
        db.defs.extend(backs.map(|kind| Def::back(kind, db.minibosses)));
        db.backs = db.defs.len() as u16;
        let mut hasher = Sha256::new();
        for set in sets {
            hasher.update(set.to_string());
            for card in &set.cards {
                let mut def = Def::of(set, card);
                def.hooks = def.kinds();
                let printed = def.clone();
                for (at, ability) in card.abilities.iter().enumerate() {
                    let used = def.activated.len();
                    Compiler::new(&mut db, card).ability(&mut def, ability)?;
                    if ability.level == MINIBOSS_LEVELS {
                        def.activated[used..].iter().for_each(|id| db.units[id.index()].resets = true);
                    }
                    let next = card.abilities.get(at + 1).map_or(0, |next| next.level);
                    if ability.level > 0 && next != ability.level {
                        let needs = needs::shared_needs(&mut db, &def);
                        def.levels.push(Def { needs, levels: Vec::new(), ..def.clone() });
                    }
                }
                mark_limits(&mut db, &def, card)?;
                // What a miniboss does depends on its level; the card itself does nothing.
                if card.kind == Kind::Miniboss {
                    def = Def { levels: def.levels, ..printed };
                }
                def.needs = needs::shared_needs(&mut db, &def);
                def.needs_tell_all = matches!(def.play[..], [only] if db.unit(only).needs_tell_all());
                if def.copies > 0 && def.kind != Kind::Item {
                    db.classes = db.classes.or(def.classes);
                }
                db.hand_abilities |= def.hooks.has(Hooks::FROM_HAND);
                db.portable |=
                    def.copies > 0 && (def.portable || def.hooks.has(Hooks::gives(Status::Portable)));
                db.scored_spells |= def.kind == Kind::Spell && !def.rules.is_empty();
                db.defs.push(def);
            }
        }
        db.extras = db.hand_abilities | db.minibosses | db.items | db.coins | db.portable;
        db.hash = hasher.finalize().into();
        for (len, what) in [
            (db.ops.len(), "steps of code"),
            (db.queries.len(), "selectors"),
            (db.nums.len(), "numbers"),
            (db.conds.len(), "conditions"),
        ] {
            if len > usize::from(u16::MAX) {
                return Err(CompileError::TooLarge(usize::from(u16::MAX), what));
            }
        }
        if db.defs.len() > MAX_DEFS {
            return Err(CompileError::TooLarge(MAX_DEFS - usize::from(db.backs), "different cards"));
        }
        Ok(db)
    }
}

/// Gives each once-per-turn ability of a card its own mark.
fn mark_limits(db: &mut CardDb, def: &Def, card: &Card) -> Result<(), CompileError> {
    let mut next = 0;
    for id in def.activated.iter().chain(&def.when).chain(&def.instead) {
        let unit = &mut db.units[id.index()];
        if unit.limit == Some(Limit::Turn) {
            // Alternatives share the limit of their ability.
            let shared = unit.option.is_some_and(|option| option > 0);
            unit.mark = if shared { next - 1 } else { next };
            next += u8::from(!shared);
        }
    }
    if usize::from(next) > MARKS {
        return Err(CompileError::TooManyLimits { card: card.name.clone() });
    }
    Ok(())
}

struct Compiler<'a> {
    db: &'a mut CardDb,
    card: &'a Card,
    /// Names in scope: register and how many things it holds.
    names: Vec<(String, u8, u8)>,
    next_reg: u8,
    start: usize,
    cancels: bool,
    blanks: bool,
    /// Who may use the activated ability being compiled, and from where.
    user: User,
    from_hand: bool,
    /// A cost is being compiled.
    paying: bool,
    /// A `may` or an option is being compiled, which is offered only if its price can be paid.
    offering: bool,
    /// Lasting abilities found on the way; their code follows.
    later: Vec<(UnitId, Vec<Op>)>,
    /// `Unit::about` of the code being compiled.
    about: Vec<u8>,
}

type Result<T, E = CompileError> = std::result::Result<T, E>;

impl<'a> Compiler<'a> {
    fn new(db: &'a mut CardDb, card: &'a Card) -> Self {
        let start = db.ops.len();
        Compiler {
            db,
            card,
            names: Vec::new(),
            next_reg: 0,
            start,
            cancels: false,
            blanks: false,
            user: User::Owner,
            from_hand: false,
            paying: false,
            offering: false,
            later: Vec::new(),
            about: Vec::new(),
        }
    }

    fn ability(&mut self, def: &mut Def, ability: &Ability) -> Result<()> {
        match &ability.kind {
            AbilityKind::Activated { from_hand, phase, by, limit, body } => {
                let user = match by {
                    None | Some(Who::You) => User::Owner,
                    Some(Who::Opponent) => User::Opponents,
                    Some(Who::Player | Who::Any) => User::Anybody,
                    Some(Who::Ref(_)) => return Err(self.misplaced("a name after `ability by`")),
                };
                (self.user, self.from_hand) = (user, *from_hand);
                let units = self.declared_units(UnitKind::Activated, *limit, body)?;
                for id in &units {
                    let unit = &mut self.db.units[id.index()];
                    unit.user = user;
                    unit.from_hand = *from_hand;
                    unit.phase = *phase;
                    if let Some(phase) = *phase {
                        unit.needs = unit.needs.and(Facts::in_phase(|one| one == phase));
                    }
                }
                def.activated.extend(units);
                def.hooks.add(match (from_hand, user) {
                    (true, _) => Hooks::FROM_HAND,
                    (_, User::Owner) => Hooks::ACTIVATED,
                    _ => Hooks::OPEN,
                });
            }
            AbilityKind::Play { body } => {
                let kind = if def.kind == Kind::Item { UnitKind::Item } else { UnitKind::Play };
                if def.kind == Kind::Item && crate::check::copies(body) {
                    def.hooks.add(Hooks::COPIES);
                }
                def.play = self.declared_units(kind, None, body)?;
            }
            AbilityKind::When { event, limit, body } => {
                let (unit, hook) = self.when(event, *limit, body)?;
                def.hooks.add(hook);
                def.when.push(unit);
            }
            AbilityKind::InsteadOf { event, limit, body } => {
                let pattern = self.pattern(event)?;
                def.hooks.add(match self.db.patterns[pattern.index()] {
                    PatternCode::TurnDraw => Hooks::REPLACES_DRAW,
                    PatternCode::Happens { words, .. }
                        if words == EventWords::default().with(EventWord::Discarded) =>
                    {
                        Hooks::REPLACES_DISCARD
                    }
                    PatternCode::Happens { words, .. }
                        if words == EventWords::default().with(EventWord::Killed) =>
                    {
                        Hooks::REPLACES_KILL
                    }
                    _ => {
                        let known = "`instead of` anything but `turn draw`, `discarded` and `killed`";
                        return Err(self.misplaced(known));
                    }
                });
                let unit = self.plain_unit(UnitKind::InsteadOf(pattern), *limit, body)?;
                def.instead.push(unit);
            }
            AbilityKind::LevelUp { body } => {
                if crate::check::copies(body) {
                    def.hooks.add(Hooks::COPIES);
                }
                def.level_up = Some(self.plain_unit(UnitKind::LevelUp, None, body)?);
            }
            AbilityKind::Minion { body } => {
                def.minion = Some(self.plain_unit(UnitKind::Minion, None, body)?);
            }
            AbilityKind::Always { from_hand: true, rule } => {
                def.hooks.add(Hooks::BUILT_FREELY);
                def.own_building.push(self.rule(rule)?);
            }
            AbilityKind::Always { from_hand: false, rule } => {
                let id = self.rule(rule)?;
                def.hooks.add(self.db.rules[id.index()].hook);
                def.rules.push(id);
            }
            AbilityKind::Lure { most, num } => {
                def.lure = Some(LureCode { most: *most, num: self.num(num)? });
            }
        }
        Ok(())
    }

    /// Compiles a `when` ability; returns it with the hook by which its event finds it.
    fn when(&mut self, event: &Event, limit: Option<Limit>, body: &[Stmt]) -> Result<(UnitId, Hooks)> {
        let pattern = self.pattern(event)?;
        // What a lasting ability keeps comes after the event's subject, named or not.
        self.next_reg = self.next_reg.max(self.names.iter().map(|(_, reg, _)| reg + 1).max().unwrap_or(0));
        let mut hook = Hooks::default();
        match self.db.patterns[pattern.index()] {
            PatternCode::TurnDraw => return Err(self.misplaced("`when turn draw`")),
            PatternCode::EndOfTurn => hook.add(Hooks::END_OF_TURN),
            PatternCode::StartOfBuild => hook.add(Hooks::START_OF_BUILD),
            PatternCode::CoinGained(_) => hook.add(Hooks::triggered_by(EventWord::Gained)),
            PatternCode::Happens { words, .. } => {
                for (_, word) in EventWord::WORDS.iter().filter(|(_, word)| words.has(*word)) {
                    if matches!(word, EventWord::Loses | EventWord::Lured | EventWord::Wins) {
                        return Err(self.misplaced("`when .. lured`, `when .. loses` and `when .. wins`"));
                    }
                    hook.add(Hooks::triggered_by(*word));
                }
            }
        }
        Ok((self.plain_unit(UnitKind::When(pattern), limit, body)?, hook))
    }

    /// Code with a declaration; one unit for each alternative chosen in it.
    fn declared_units(&mut self, kind: UnitKind, limit: Option<Limit>, body: &[Stmt]) -> Result<Vec<UnitId>> {
        let Some(at) = declared_either(body) else {
            return Ok(vec![self.declared_unit(kind, limit, body)?]);
        };
        let StmtKind::Either { options, .. } = &body[at].kind else { return Ok(Vec::new()) };
        let mut units = Vec::new();
        for (number, option) in options.iter().enumerate() {
            let whole: Vec<Stmt> = [&body[..at], &option[..], &body[at + 1..]].concat();
            (self.names, self.next_reg) = (Vec::new(), 0);
            (self.cancels, self.blanks) = (false, false);
            let unit = self.declared_unit(kind, limit, &whole)?;
            // Its conditions hold when it is offered.
            let body = whole.into_iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Require(_))).collect();
            let alone = Ability { kind: AbilityKind::Play { body }, level: 0, span: Span::default() };
            let info = &mut self.db.units[unit.index()];
            info.option = Some(number as u8);
            info.words = crate::english::ability_text(self.card, &alone);
            units.push(unit);
        }
        Ok(units)
    }

    /// Code with a declaration: targets and costs, `Declare`, effects.
    fn declared_unit(&mut self, kind: UnitKind, limit: Option<Limit>, body: &[Stmt]) -> Result<UnitId> {
        self.start = self.db.ops.len();
        let split = body.iter().position(|stmt| !declares(stmt)).unwrap_or(body.len());
        self.block(&body[..split])?;
        self.emit(Op::Declare);
        let declared = (self.db.ops.len() - self.start) as u16;
        let about = about::about(&body[..split], &body[split..], &self.names);
        self.block(&body[split..])?;
        self.about = about;
        self.finish(kind, limit, declared)
    }

    fn plain_unit(&mut self, kind: UnitKind, limit: Option<Limit>, body: &[Stmt]) -> Result<UnitId> {
        self.start = self.db.ops.len();
        self.block(body)?;
        self.finish(kind, limit, 0)
    }

    fn finish(&mut self, kind: UnitKind, limit: Option<Limit>, declared: u16) -> Result<UnitId> {
        self.emit(Op::End);
        self.ask_of_choices();
        for (unit, ops) in std::mem::take(&mut self.later) {
            self.db.units[unit.index()].start = self.db.ops.len() as u16;
            self.db.ops.extend(ops);
        }
        let (mut needs, checks) = self.checks(kind, declared);
        needs = needs.and_if(!self.cancels, Facts::NO_SPELL_TO_ANSWER);
        needs = needs.and_if(!self.blanks, Facts::NO_ROOM_TO_ANSWER);
        let unit = Unit {
            kind,
            limit,
            start: self.start as u16,
            declared,
            mark: 0,
            hook: Hooks::default(),
            user: User::Owner,
            phase: None,
            from_hand: false,
            option: None,
            words: String::new(),
            about: std::mem::take(&mut self.about),
            vacant: self.needs_vacant(declared),
            chained: self.is_chained(declared),
            cancels: self.cancels,
            blanks: self.blanks,
            resets: false,
            needs,
            checks,
        };
        Ok(UnitId(push(&mut self.db.units, unit)))
    }

    fn emit(&mut self, op: Op) -> usize {
        self.db.ops.push(op);
        self.db.ops.len() - 1
    }

    /// The index of the next op, counted from the start of the unit.
    fn here(&self) -> u16 {
        (self.db.ops.len() - self.start) as u16
    }

    /// A block: names bound in it are gone after it.
    fn block(&mut self, body: &[Stmt]) -> Result<()> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn scoped(&mut self, body: &[Stmt]) -> Result<()> {
        let (names, next_reg) = (self.names.len(), self.next_reg);
        let offering = std::mem::replace(&mut self.offering, true);
        self.block(body)?;
        self.offering = offering;
        self.names.truncate(names);
        self.next_reg = next_reg;
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Target { name, sel } => self.choose(Some(name), sel, WhoCode::You).map(drop),
            StmtKind::Choose { name, sel, by } => {
                let by = self.who_or_you(by)?;
                self.choose(Some(name), sel, by).map(drop)
            }
            StmtKind::Number { name, from, to } => {
                let (from, to) = (self.num(from)?, self.num(to)?);
                let reg = self.alloc(Some(name), 1)?;
                self.emit(Op::Number { reg, from, to });
                Ok(())
            }
            StmtKind::Let { name, num } => {
                let num = self.num(num)?;
                let reg = self.alloc(Some(name), 1)?;
                self.emit(Op::Let { reg, num });
                Ok(())
            }
            StmtKind::Cost(act @ Act::Coins { amount, by, .. }) => {
                // The price can be paid if the hoard holds as much.
                let who = by.clone().unwrap_or(Who::You);
                let enough =
                    Cond::Compare(Num::Points(Points::Coins, who), Comparison::AtLeast, amount.clone());
                let enough = self.cond(&enough)?;
                self.emit(Op::Require(enough));
                self.act(act)
            }
            StmtKind::Require(cond) => {
                let cond = self.cond(cond)?;
                self.emit(Op::Require(cond));
                Ok(())
            }
            StmtKind::Cost(act @ Act::Counters { amount, op, .. }) => {
                // The price can be paid if so many counters are there.
                if let Sel::Ref(on) = &op.sel {
                    let there = Num::Counters(on.clone());
                    let enough = self.cond(&Cond::Compare(there, Comparison::AtLeast, amount.clone()))?;
                    self.emit(Op::Require(enough));
                }
                self.paying = true;
                let paid = self.act(act);
                self.paying = false;
                paid
            }
            StmtKind::Cost(act) => {
                if self.offering
                    && let Some(enough) = needs::enough_for(act)
                {
                    let enough = self.cond(&enough)?;
                    self.emit(Op::Require(enough));
                }
                self.act(act)
            }
            StmtKind::Act(act) => self.act(act),
            StmtKind::Repeat { times, body } => self.repeat(*times, body),
            StmtKind::May { by, body } => {
                let by = self.who_or_you(by)?;
                let may = self.emit(Op::May { by, no: 0 });
                self.scoped(body)?;
                let no = self.here();
                self.db.ops[may] = Op::May { by, no };
                Ok(())
            }
            StmtKind::Either { by, options } => {
                let by = self.who_or_you(by)?;
                self.emit(Op::Either { by, count: options.len() as u8 });
                let table: Vec<usize> = options.iter().map(|_| self.emit(Op::Option(0))).collect();
                let mut exits = Vec::new();
                for (entry, option) in table.into_iter().zip(options) {
                    self.db.ops[entry] = Op::Option(self.here());
                    self.scoped(option)?;
                    exits.push(self.emit(Op::Jump(0)));
                }
                let after = self.here();
                for exit in exits {
                    self.db.ops[exit] = Op::Jump(after);
                }
                Ok(())
            }
            StmtKind::If { cond, then, otherwise } => {
                let cond = self.cond(cond)?;
                let unless = self.emit(Op::Unless { cond, to: 0 });
                self.scoped(then)?;
                if otherwise.is_empty() {
                    self.db.ops[unless] = Op::Unless { cond, to: self.here() };
                } else {
                    let exit = self.emit(Op::Jump(0));
                    self.db.ops[unless] = Op::Unless { cond, to: self.here() };
                    self.scoped(otherwise)?;
                    self.db.ops[exit] = Op::Jump(self.here());
                }
                Ok(())
            }
            StmtKind::Each { name, sel, body } => {
                let query = self.query(sel)?;
                let (names, next_reg) = (self.names.len(), self.next_reg);
                let reg = self.alloc(Some(name), 1)?;
                self.each(reg, query, |this| this.block(body))?;
                self.names.truncate(names);
                self.next_reg = next_reg;
                Ok(())
            }
            StmtKind::Until { lifetime, once, what } => self.until(*lifetime, *once, what),
        }
    }

    /// The block so many times; whoever declines its `may` has declined the rest of them.
    fn repeat(&mut self, times: u8, body: &[Stmt]) -> Result<()> {
        let mut offers = Vec::new();
        for _ in 0..times {
            match body {
                [Stmt { kind: StmtKind::May { by, body }, .. }] => {
                    let by = self.who_or_you(by)?;
                    offers.push((self.emit(Op::May { by, no: 0 }), by));
                    self.scoped(body)?;
                }
                _ => self.scoped(body)?,
            }
        }
        let no = self.here();
        for (offer, by) in offers {
            self.db.ops[offer] = Op::May { by, no };
        }
        Ok(())
    }

    fn each(&mut self, reg: u8, query: QueryId, body: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.emit(Op::Clear { reg });
        let again = self.here();
        let each = self.emit(Op::Each { reg, query, done: 0 });
        body(self)?;
        self.emit(Op::Jump(again));
        self.db.ops[each] = Op::Each { reg, query, done: self.here() };
        Ok(())
    }

    /// Binds what a selector selects: a register and how many.
    fn choose(&mut self, name: Option<&Name>, sel: &Sel, by: WhoCode) -> Result<OperandCode> {
        let (count, random) = match sel {
            Sel::Selector(selector) => match selector.quant {
                Quant::Count(n) => (n, false),
                Quant::Random(n) => (n, true),
                Quant::Top(count) => return self.top(name, selector, count),
                Quant::All => return Err(self.misplaced("`all` bound to a name")),
                Quant::Bare | Quant::First | Quant::Leading(_) | Quant::Last => (1, false),
            },
            Sel::Ref(_) => (1, false),
        };
        let query = self.query(sel)?;
        let reg = self.alloc(name, count)?;
        self.emit(if random {
            Op::Random { reg, count, query }
        } else {
            Op::Choose { reg, count, query, by }
        });
        Ok(OperandCode { slot: Slot::Reg(reg), count })
    }

    /// The cards on top of a deck.
    fn top(&mut self, name: Option<&Name>, selector: &Selector, count: u8) -> Result<OperandCode> {
        let Some(Site::In(Place { zones, .. })) = &selector.site else {
            return Err(self.misplaced("`top` without a deck"));
        };
        let deck = zones[0];
        let reg = self.alloc(name, count)?;
        self.emit(Op::Top { reg, count, deck });
        Ok(OperandCode { slot: Slot::Reg(reg), count })
    }

    fn alloc(&mut self, name: Option<&Name>, count: u8) -> Result<u8> {
        let reg = self.next_reg;
        if usize::from(reg) + usize::from(count) > REGS {
            return Err(CompileError::TooManyNames { card: self.card.name.clone() });
        }
        self.next_reg += count;
        if let Some(name) = name {
            self.names.push((name.text.clone(), reg, count));
        }
        Ok(reg)
    }
}

/// Is the statement part of the declaration if it comes at the beginning?
fn declares(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Target { .. } | StmtKind::Number { .. } | StmtKind::Require(_) | StmtKind::Cost(_)
    )
}

/// The `either` that is answered when the action is declared: it is among the targets and costs,
/// and one of its options has some.
fn declared_either(body: &[Stmt]) -> Option<usize> {
    let at = body.iter().position(|stmt| !declares(stmt))?;
    match &body[at].kind {
        StmtKind::Either { by: None, options } => options.iter().flatten().any(declares).then_some(at),
        _ => None,
    }
}

fn push<T>(table: &mut Vec<T>, item: T) -> u16 {
    table.push(item);
    (table.len() - 1) as u16
}

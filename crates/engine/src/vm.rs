//! Running card code: one `match` over the ops, each arm a few lines calling `acts`. Code that asks puts
//! its frame back unchanged and leaves a question; the answer fills the register and moves on.

use cards::code::*;
use cards::tree::{Class, Stat, Zone};

use crate::acts::Table;
use crate::ask::Action;
use crate::event::{Event, Log};
use crate::id::*;
use crate::query::Board;
use crate::state::*;
use crate::stats::Cause;

impl<L: Log> Table<'_, L> {
    /// Goes on until somebody must answer, or the game is over.
    pub fn run(&mut self) {
        while self.s.ask.is_none() {
            // Only what a frame holds is copied, which for most is a byte or two.
            let Some(frame) = self.s.frames.last() else { return };
            match *frame {
                Frame::Step(step, index) => {
                    self.s.frames.drop_last();
                    self.step(step, index);
                }
                Frame::Window(window) => {
                    self.s.frames.drop_last();
                    self.window(window);
                }
                Frame::CancelRound(window) => {
                    self.s.frames.drop_last();
                    self.cancel_round(window);
                }
                Frame::Options { .. } => self.s.frames.drop_last(),
                Frame::Resolve => {
                    self.s.frames.drop_last();
                    self.resolve();
                }
                Frame::Triggers(from) => {
                    self.s.frames.drop_last();
                    self.run_triggers(from);
                }
                Frame::Code(code) => {
                    self.s.frames.drop_last();
                    self.run_code(code);
                }
            }
        }
    }

    /// Runs code until it ends, declares itself, or asks.
    pub fn run_code(&mut self, code: Code) {
        self.cause = Cause { card: code.source, you: code.you };
        self.run_ops(code);
        self.cause = Cause::NONE;
        // Mostly it has woken nothing, and its collector is all that is left of it.
        if let Some(Frame::Triggers(from)) = self.s.frames.last()
            && usize::from(*from) == self.s.triggers.len()
        {
            self.s.frames.drop_last();
        }
    }

    fn run_ops(&mut self, mut code: Code) {
        let db = self.db;
        let start = usize::from(db.unit(code.unit).start);
        loop {
            let op = db.ops[start + usize::from(code.pc)];
            match op {
                Op::End => return self.end_code(&code),
                Op::Declare => return self.declare(code),
                Op::Require(cond) => {
                    if !self.board().cond(cond, &code.ctx()) {
                        return self.end_code(&code);
                    }
                }
                Op::Choose { reg, count, query, by } => {
                    if !self.choose(&mut code, reg, count, query, by) {
                        return;
                    }
                }
                Op::Random { reg, count, query } => self.choose_random(&mut code, reg, count, query),
                Op::Draw { back, count, who } => {
                    let board = self.board();
                    let (seats, count) =
                        (board.who(&code.ctx(), who), board.num(count, &code.ctx()).clamp(0, 64));
                    for seat in self.seats_in(seats) {
                        (0..count).for_each(|_| self.draw(seat, back));
                    }
                }
                Op::Look { query } => self.look_at(&code, query),
                Op::Act { verb, on } => self.each_on(&mut code, on, |t, code, id| t.act(code, verb, id)),
                Op::Take { on, who } => {
                    if let Some(seat) = self.board().one(&code.ctx(), who) {
                        self.each_on(&mut code, on, |t, _, id| t.take(id, seat));
                    }
                }
                Op::MoveTo { on, zone, who, facedown } => {
                    // Worked out first: the owner of a soul is nobody once it has left.
                    let seat = self.board().one(&code.ctx(), who);
                    self.each_on(&mut code, on, |t, _, id| t.move_to(id, zone, seat, facedown));
                }
                Op::MoveInto { on, room } => {
                    let room = self.board().slot(&code.ctx(), room);
                    if let Some(room) = self.s.present(room) {
                        self.each_on(&mut code, on, |t, _, id| t.move_into(id, room));
                    }
                }
                Op::Swap { a, b } => {
                    let board = self.board();
                    let (a, b) = (board.slot(&code.ctx(), a), board.slot(&code.ctx(), b));
                    if let (Some(a), Some(b)) = (self.s.present(a), self.s.present(b)) {
                        self.swap(a, b);
                    }
                }
                Op::Damage { on, amount } => {
                    let amount = self.board().num(amount, &code.ctx());
                    self.each_on(&mut code, on, |t, _, id| t.damage(id, amount));
                }
                Op::Skip { on, rooms } => {
                    let rooms = self.board().num(rooms, &code.ctx());
                    self.each_on(&mut code, on, |t, _, id| t.skip(id, rooms));
                }
                Op::Build { query, on } => {
                    if self.board().can_build_any(query, on, &code.ctx()) {
                        self.s.frames.put(Frame::Code(code));
                        return self.ask(code.you, AskKind::Place(false));
                    }
                }
                Op::May { by, no } => {
                    let asked = self.board().one(&code.ctx(), by);
                    let block = Code { pc: code.pc + 1, ..code };
                    match asked {
                        Some(seat) if self.board().possible(&block) => {
                            self.s.frames.put(Frame::Code(code));
                            return self.ask_anyway(seat, AskKind::YesNo);
                        }
                        _ => code.pc = no,
                    }
                    continue;
                }
                Op::Either { by, count } => {
                    let Some(seat) = self.board().one(&code.ctx(), by) else {
                        return self.end_code(&code);
                    };
                    self.s.frames.put(Frame::Code(code));
                    self.ask_anyway(seat, AskKind::Pick);
                    let options = self.answers.count();
                    if options > 1 || options == 1 && self.s.rules.ask_all {
                        return;
                    }
                    let only = self.answers.only();
                    self.withdraw_question();
                    self.s.frames.pop();
                    code.pc = match only {
                        Some(action) => self.option_start(&code, action),
                        None => self.after_options(&code, count),
                    };
                    continue;
                }
                Op::Option(_) => return self.end_code(&code),
                Op::Jump(to) => {
                    code.pc = to;
                    continue;
                }
                Op::Unless { cond, to } => {
                    if !self.board().cond(cond, &code.ctx()) {
                        code.pc = to;
                        continue;
                    }
                }
                Op::Clear { reg } => code.regs[usize::from(reg)] = Ref::NOTHING,
                Op::Each { reg, query, done } => {
                    let reg = usize::from(reg);
                    code.regs[reg] = self.next_of(&code, query, code.regs[reg]);
                    if code.regs[reg].is_nothing() {
                        code.pc = done;
                        continue;
                    }
                }
                Op::Until { rule, keep, once } => self.add_lasting(&code, rule, keep, once),
                Op::Listen { unit, keep } => self.begin_lasting(Lasting {
                    rule: RuleId(unit.0),
                    source: code.source,
                    kept: code.kept(keep),
                    amount: 0,
                    you: code.you,
                    kind: LastingKind::Ability,
                }),
            }
            code.pc += 1;
        }
    }

    /// Binds what is chosen; `false` if somebody has to be asked first.
    fn choose(&mut self, code: &mut Code, reg: u8, count: u8, query: QueryId, by: WhoCode) -> bool {
        let chooser = self.board().one(&code.ctx(), by);
        let decks = self.searched_decks(query);
        while code.picked < count {
            let mut first = Ref::NOTHING;
            let left = usize::from(count - code.picked);
            self.answers.forget();
            if chooser.is_some() {
                Board { db: self.db, s: self.s }.each_choice(code, |r: Ref| {
                    if first.is_nothing() {
                        first = r;
                    }
                    self.answers.add(Action::Pick(r));
                    true
                });
            }
            let found = self.answers.count();
            if let Some(seat) = chooser
                && (found > left || self.s.rules.ask_all && found > 0)
            {
                if !decks.is_empty() {
                    self.show_decks(decks, seat);
                }
                self.s.frames.put(Frame::Code(*code));
                self.ask_among_those(seat, AskKind::Pick);
                return false;
            }
            if found == 0 {
                let from = usize::from(reg + code.picked);
                code.regs[from..usize::from(reg + count)].fill(Ref::NOTHING);
                break;
            }
            self.bind(code, reg, chooser.unwrap_or(Seat::NONE), first);
        }
        self.answers.forget();
        code.picked = 0;
        if !decks.is_empty() {
            let chosen = usize::from(reg)..usize::from(reg + count);
            self.shuffle_decks(decks, &code.regs[chosen]);
        }
        true
    }

    fn bind(&mut self, code: &mut Code, reg: u8, seat: Seat, r: Ref) {
        code.regs[usize::from(reg + code.picked)] = r;
        code.picked += 1;
        match (r.as_card(), r.as_seat()) {
            (Some(card), _) => self.tell(|t| Event::Chooses { seat, card: t.shown(card) }),
            (_, Some(player)) => self.tell(|_| Event::ChoosesPlayer { seat, player }),
            _ => {
                if let Some(class) = r.as_number().and_then(|n| Class::ALL.get(usize::from(n))) {
                    self.tell(|_| Event::ChoosesType { seat, class: *class });
                }
            }
        }
    }

    /// Rule 17.3: who searches a deck sees it, and it is shuffled afterwards.
    #[inline]
    fn searched_decks(&self, query: QueryId) -> Zones {
        match self.db.queries[query.index()] {
            Query::Those(Those { site: SiteCode::In { zones, .. }, .. }) => Zones(zones.0 & DECK_ZONES),
            _ => Zones::default(),
        }
    }

    #[cold]
    fn show_decks(&mut self, decks: Zones, seat: Seat) {
        for (_, deck) in DECKS.into_iter().filter(|(zone, _)| decks.has(*zone)) {
            let mut next = self.s.pile(deck).next();
            while let Some(id) = next {
                self.look(seat, id);
                next = Some(self.s.card(id).next).filter(|id| id.exists());
            }
        }
    }

    #[cold]
    fn shuffle_decks(&mut self, decks: Zones, keep: &[Ref]) {
        for (_, deck) in DECKS.into_iter().filter(|(zone, _)| decks.has(*zone)) {
            if self.s.pile_len(deck) > 0 {
                self.shuffle(deck, keep);
            }
        }
    }

    fn choose_random(&mut self, code: &mut Code, reg: u8, count: u8, query: QueryId) {
        for i in 0..count {
            let mut candidates = [Ref::NOTHING; MAX_CARDS];
            let mut len = 0;
            let picked = usize::from(reg)..usize::from(reg + i);
            self.board().select(query, &code.ctx(), |r: Ref| {
                if !code.regs[picked.clone()].contains(&r) {
                    candidates[len] = r;
                    len += 1;
                }
                len < MAX_CARDS
            });
            code.regs[usize::from(reg + i)] =
                if len == 0 { Ref::NOTHING } else { self.pick_random(&candidates[..len]) };
        }
    }

    fn look_at(&mut self, code: &Code, query: QueryId) {
        let mut cards = [Ref::NOTHING; MAX_CARDS];
        let mut len = 0;
        self.board().select(query, &code.ctx(), |r: Ref| {
            cards[len] = r;
            len += 1;
            len < MAX_CARDS
        });
        let mut at = None;
        for id in cards[..len].iter().filter_map(|r| r.as_card()) {
            at = Some(self.s.card(id).place);
            self.look(code.you, id);
        }
        if let Some(at) = at {
            self.tell(|_| Event::Looks { seat: code.you, at });
        }
    }

    /// Does `act` to every card of the operand that is still there.
    fn each_on(&mut self, code: &mut Code, on: Operand, mut act: impl FnMut(&mut Self, &mut Code, CardId)) {
        for i in 0..on.count {
            let slot = match on.slot {
                Slot::Reg(reg) => Slot::Reg(reg + i),
                other => other,
            };
            let r = self.board().slot(&code.ctx(), slot);
            if let Some(id) = self.s.present(r) {
                act(self, code, id);
                // What was moved keeps its name: `take c`, then `build c`.
                if let Slot::Reg(reg) = slot {
                    code.regs[usize::from(reg)] = self.s.ref_of(id);
                }
            }
        }
    }

    fn act(&mut self, code: &mut Code, verb: ActVerb, id: CardId) {
        match verb {
            ActVerb::Cancel => self.cancel(id),
            ActVerb::Deactivate => self.deactivate(id),
            ActVerb::Destroy => self.destroy(id),
            ActVerb::Discard => self.discard(id),
            ActVerb::Flip => self.flip(id),
            ActVerb::Heal => self.heal(id),
            ActVerb::Kill => self.kill(id, code.you),
            ActVerb::Remove => self.remove(id),
            ActVerb::Reveal => self.reveal_card(id),
        }
    }

    fn move_to(&mut self, id: CardId, zone: Zone, seat: Option<Seat>, facedown: bool) {
        match (zone, seat) {
            (Zone::Scoring, Some(seat)) => self.add_to_score(id, seat, facedown),
            (Zone::Town, _) => self.send_hero(id, Place::TOWN),
            (Zone::Entrance, Some(seat)) => self.send_hero(id, Place::entrance(seat)),
            _ => {}
        }
    }

    /// The next thing of a loop: players in player order, cards in the order of their ids.
    fn next_of(&self, code: &Code, query: QueryId, last: Ref) -> Ref {
        let board = self.board();
        let mut next = Ref::NOTHING;
        if last.as_seat().is_some() || last.is_nothing() {
            let mut passed = last.is_nothing();
            board.select(query, &code.ctx(), |r: Ref| {
                if r.as_card().is_some() {
                    // A loop over cards begins with the lowest id.
                    if next.is_nothing() || r.as_card() < next.as_card() {
                        next = r;
                    }
                    return true;
                }
                if passed {
                    next = r;
                    return false;
                }
                passed = r == last;
                true
            });
            if last.as_seat().is_some() && !passed {
                // The last one is out of the selection: go on after it in player order.
                let order = self.s.order();
                let after = order.iter().position(|seat| Some(*seat) == last.as_seat());
                let rest = after.map_or(&order[order.len()..], |i| &order[i + 1..]);
                next = rest
                    .iter()
                    .map(|seat| Ref::seat(*seat))
                    .find(|r| board.matches(query, &code.ctx(), *r))
                    .unwrap_or(Ref::NOTHING);
            }
            return next;
        }
        board.select(query, &code.ctx(), |r: Ref| {
            if r.as_card() > last.as_card() && (next.is_nothing() || r.as_card() < next.as_card()) {
                next = r;
            }
            true
        });
        next
    }

    fn add_lasting(&mut self, code: &Code, rule: RuleId, keep: [Option<u8>; KEPT], once: bool) {
        let kept = code.kept(keep);
        let info = &self.db.rules[rule.index()];
        let amount = match info.kind {
            RuleKindCode::Has { change, .. } if !info.live => {
                self.board().amount(change, &code.ctx()).clamp(-999, 999) as i16
            }
            _ => 0,
        };
        let kind = if once { LastingKind::RuleOnce } else { LastingKind::Rule };
        let new = Lasting { rule, source: code.source, kept, amount, you: code.you, kind };
        // Icons are reckoned in the order of time, so each change of them stays by itself.
        let adds = !info.live
            && matches!(
                info.kind,
                RuleKindCode::Has { change: ChangeCode::Plus(_) | ChangeCode::Minus(_), stat, .. }
                    if stat != Stat::Icon
            );
        // The same rule on the same things again only raises the amount: the list stays short however
        // often an ability is used.
        let same = self.s.lasting.iter_mut().find(|old| {
            adds && (old.rule, old.kept, old.you, old.kind) == (new.rule, new.kept, new.you, new.kind)
        });
        match same {
            Some(old) => old.amount = (old.amount + amount).clamp(-999, 999),
            None => self.begin_lasting(new),
        }
    }

    fn option_start(&self, code: &Code, action: Action) -> u16 {
        let Action::Pick(r) = action else { return code.pc };
        let option = u16::from(r.as_number().unwrap_or(0));
        match self.board().op(&Code { pc: code.pc + 1 + option, ..*code }) {
            Op::Option(to) => to,
            _ => code.pc,
        }
    }

    /// Where the code goes on when no option is possible: every block ends with a jump there.
    fn after_options(&self, code: &Code, count: u8) -> u16 {
        let board = self.board();
        let second = Code { pc: code.pc + u16::from(count.min(2)), ..*code };
        let exit = match board.op(&second) {
            Op::Option(to) => Code { pc: to - 1, ..*code },
            _ => return code.pc,
        };
        match board.op(&exit) {
            Op::Jump(to) => to,
            _ => exit.pc,
        }
    }

    /// An answer to a question of running code.
    pub fn answer_code(&mut self, mut code: Code, seat: Seat, action: Action) {
        match (self.board().op(&code), action) {
            (Op::Choose { reg, .. }, Action::Pick(r)) => self.bind(&mut code, reg, seat, r),
            (Op::Either { .. }, action @ Action::Pick(_)) => code.pc = self.option_start(&code, action),
            (Op::Build { .. }, Action::Build { spot, card }) => {
                self.build(code.you, card, spot.slot());
                self.s.frames.put(Frame::Step(Step::LevelUp, code.you.0));
                code.pc += 1;
            }
            (Op::May { .. }, Action::Yes) => {
                if code.pc == 0 {
                    self.use_up(code.unit, code.source, code.regs[0]);
                }
                code.pc += 1;
            }
            (Op::May { no, .. }, _) => code.pc = no,
            _ => {}
        }
        self.s.frames.put(Frame::Code(code));
    }

    /// The ability is done; a spell goes to the discard pile.
    fn end_code(&mut self, code: &Code) {
        if let Some(card) = self.s.present(code.source)
            && self.s.card(card).place == Place::TABLE
        {
            self.put_away(card);
            self.s.note_caster(card, code.you);
        }
    }

    /// Asks, unless there is only one answer; that is then given at once.
    pub fn ask(&mut self, seat: Seat, kind: AskKind) {
        self.ask_anyway(seat, kind);
        if let Some(action) = self.answers.only()
            && !self.s.rules.ask_all
        {
            let Some(frame) = self.s.frames.pop() else { return };
            self.withdraw_question();
            match frame {
                Frame::Code(code) => self.answer_code(code, seat, action),
                Frame::Step(step, index) => self.answer_step(step, index, seat, action),
                other => self.s.frames.put(other),
            }
        }
    }

    fn seats_in(&self, seats: SeatSet) -> impl Iterator<Item = Seat> + use<L> {
        let order = self.s.order;
        order.into_iter().filter(move |seat| seat.exists() && seats.has(*seat))
    }
}

const DECKS: [(Zone, Place); 4] = [
    (Zone::RoomDeck, Place::ROOM_DECK),
    (Zone::SpellDeck, Place::SPELL_DECK),
    (Zone::HeroDeck, Place::HERO_DECK),
    (Zone::EpicDeck, Place::EPIC_DECK),
];

const DECK_ZONES: u16 =
    Zones(0).with(Zone::RoomDeck).with(Zone::SpellDeck).with(Zone::HeroDeck).with(Zone::EpicDeck).0;

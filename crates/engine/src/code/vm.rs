//! Runs card code: one `match` over the ops, each arm a few lines that call `acts`. Code that asks
//! puts its frame back unchanged and leaves a question; the answer fills the register and moves on.

use cards::code::*;
use cards::vocabulary::{Back, Kind, Lifetime, Side, Stat, Verb, Zone};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::ask::Action;
use crate::code::occurrence::Cause;
use crate::code::query::{Board, Ctx};
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    /// Runs until a player must answer or the game is over.
    pub fn run(&mut self) {
        while self.s.ask.is_none() {
            if self.s.claims != SeatSet::EMPTY && self.may_settle_claims() {
                self.settle_claims();
            }
            // Copies only what the frame holds, usually a byte or two.
            let Some(frame) = self.s.frames.last() else { return };
            match *frame {
                Frame::Step(step) => {
                    self.s.frames.drop_last();
                    self.step(step);
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
        // Usually it triggered nothing, and only its collector is left.
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
            match db.ops[start + usize::from(code.pc)] {
                Op::End => return self.end_code(&code),
                // What is copied has been declared already.
                Op::Declare if self.db.items && self.is_copied(&code) => {}
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
                Op::Number { .. } => {
                    self.s.frames.put(Frame::Code(code));
                    return self.ask(code.you, AskKind::Pick);
                }
                Op::Let { reg, num } => {
                    let n = self.board().num(num, &code.ctx()).clamp(0, i32::from(u8::MAX));
                    code.regs[usize::from(reg)] = Ref::number(n as u8);
                }
                Op::Top { reg, count, deck } => self.take_top(&mut code, reg, count, Place::shared(deck)),
                Op::Coins { pay, amount, who, to, on } => self.coins(&code, pay, amount, who, to, on),
                Op::SwapHoards { who } => {
                    if let Some(other) = self.board().one(&code.ctx(), who) {
                        self.swap_hoards(code.you, other);
                    }
                }
                Op::Offer { unit, keep } => self.begin_lasting(Lasting {
                    source: code.source,
                    kept: code.kept(keep),
                    you: code.you,
                    kind: LastingKind::Offer(unit),
                }),
                Op::Bind { reg, slot } => code.regs[usize::from(reg)] = self.board().slot(&code.ctx(), slot),
                Op::Random { reg, count, query } => self.choose_random(&mut code, reg, count, query),
                Op::Draw { back, count, who, reg } => {
                    let board = self.board();
                    let (seats, count) =
                        (board.who(&code.ctx(), who), board.num(count, &code.ctx()).clamp(0, 64));
                    for seat in self.seats_in(seats) {
                        (0..count).for_each(|_| self.draw(seat, back));
                        if let Some(reg) = reg {
                            code.regs[usize::from(reg)] = self.last_of_hand(seat, back);
                        }
                    }
                }
                Op::Look { query } => self.look_at(&code, query),
                Op::Act { verb, on } => self.each_on(&mut code, on, |t, code, id| t.act(code, verb, id)),
                Op::Take { on, who } => {
                    if let Some(seat) = self.board().one(&code.ctx(), who) {
                        self.conceal_operand(&mut code, on, seat);
                        self.each_on(&mut code, on, |t, _, id| t.take(id, seat));
                    }
                }
                Op::MoveTo { on, zone, who, side } => {
                    // Evaluated first: a soul has no owner once it has left.
                    let seat = self.board().one(&code.ctx(), who);
                    self.each_on(&mut code, on, |t, _, id| t.move_to(id, zone, seat, side));
                }
                Op::MoveInto { on, room } => {
                    let room = self.board().slot(&code.ctx(), room);
                    if let Some(room) = self.s.present(room) {
                        self.each_on(&mut code, on, |t, _, id| t.move_into(id, room));
                    }
                }
                Op::Copy { on } => {
                    let you = code.you;
                    self.each_on(&mut code, on, |t, code, card| match t.board().def(card).kind {
                        Kind::Item => t.copy_item(code, card),
                        _ => t.copy_text(you, card),
                    });
                }
                Op::Trigger { on, built, uncovered } => {
                    self.each_on(&mut code, on, |t, _, room| t.trigger_own(room, built, uncovered));
                }
                Op::Swap { a, b } => {
                    let board = self.board();
                    let (a, b) = (board.slot(&code.ctx(), a), board.slot(&code.ctx(), b));
                    if let (Some(a), Some(b)) = (self.s.present(a), self.s.present(b)) {
                        self.swap(a, b);
                    }
                }
                Op::Arrange { who, reversed } => {
                    if !self.arrange(&mut code, who, reversed) {
                        return;
                    }
                }
                Op::Damage { on, amount } => {
                    let amount = self.board().num(amount, &code.ctx());
                    self.each_on(&mut code, on, |t, _, id| t.damage(id, amount));
                }
                Op::Roll { sides } => self.roll(sides),
                Op::Counters { gain, amount, on } => {
                    let amount = self.board().num(amount, &code.ctx());
                    let by = if gain { amount } else { -amount };
                    self.each_on(&mut code, on, |t, _, room| t.change_counters(room, by));
                }
                Op::Skip { on, rooms } => {
                    let rooms = self.board().num(rooms, &code.ctx());
                    self.each_on(&mut code, on, |t, _, id| t.skip(id, rooms));
                }
                Op::Build { query, on, .. } => {
                    let can = |board: &Board| board.can_build_any(query, on, &code.ctx());
                    let possible = can(&self.board());
                    // Under cover even the only place is asked for: whether there is one may be a secret.
                    if possible && self.s.rules.cover || self.seems(None, can) {
                        self.s.frames.put(Frame::Code(code));
                        return self.ask_anyway(code.you, AskKind::Place(false));
                    }
                    if possible {
                        self.s.frames.put(Frame::Code(code));
                        return self.ask(code.you, AskKind::Place(false));
                    }
                }
                Op::May { by, no } => {
                    let asked = self.board().one(&code.ctx(), by);
                    let block = Code { pc: code.pc + 1, ..code };
                    match asked {
                        Some(seat) if self.board().possible(&block) || self.seems_possible(&block) => {
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
                    if options > 1 || options == 1 && (self.s.rules.ask_all || self.seems_to_choose()) {
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
                Op::Until { rule, lifetime, keep, once } if L::ON => {
                    let before = self.stats_changed_by(rule);
                    self.add_lasting(&code, rule, lifetime, keep, once);
                    self.tell_changes(before);
                }
                Op::Until { rule, lifetime, keep, once } => {
                    self.add_lasting(&code, rule, lifetime, keep, once);
                }
                Op::Listen { unit, keep } => self.begin_lasting(Lasting {
                    source: code.source,
                    kept: code.kept(keep),
                    you: code.you,
                    kind: LastingKind::Ability(unit),
                }),
            }
            code.pc += 1;
        }
    }

    /// Asks for the stacks of a dungeon from the left; `false` if a player has to be asked first.
    fn arrange(&mut self, code: &mut Code, who: WhoCode, reversed: bool) -> bool {
        let Some(seat) = self.board().one(&code.ctx(), who) else { return true };
        let stacks = self.s.slots(seat).len();
        if stacks < 2 {
            return true;
        }
        if reversed {
            self.reverse(seat);
        } else if usize::from(code.picked) + 1 < stacks {
            self.s.frames.put(Frame::Code(*code));
            self.ask_anyway(code.you, AskKind::Pick);
            return false;
        }
        code.picked = 0;
        true
    }

    /// Binds the cards on top of a deck, as many as there are.
    fn take_top(&mut self, code: &mut Code, reg: u8, count: u8, deck: Place) {
        if self.s.pile_len(deck) == 0 {
            self.refill();
        }
        let mut next = self.s.pile(deck).next();
        for reg in reg..reg + count {
            code.regs[usize::from(reg)] = next.map_or(Ref::NOTHING, |card| self.s.ref_of(card));
            next = next.map(|card| self.s.card(card).next).filter(|card| card.exists());
        }
    }

    /// The card that came into the hand last.
    fn last_of_hand(&self, seat: Seat, back: Back) -> Ref {
        let hand = match back {
            Back::Room => Place::rooms(seat),
            Back::Spell => Place::spells(seat),
        };
        let last = self.s.pile(hand).last();
        last.map_or(Ref::NOTHING, |card| self.s.ref_of(card))
    }

    fn coins(
        &mut self,
        code: &Code,
        pay: bool,
        amount: NumId,
        who: WhoCode,
        to: Option<WhoCode>,
        on: Option<Slot>,
    ) {
        let (board, ctx) = (self.board(), code.ctx());
        let coins = board.num(amount, &ctx).clamp(0, i32::from(u16::MAX)) as u16;
        let Some(seat) = board.one(&ctx, who) else { return };
        let to = to.and_then(|to| board.one(&ctx, to));
        let on = on.and_then(|on| self.s.present(board.slot(&ctx, on)));
        if !pay {
            return self.earn(seat, coins);
        }
        let paid = self.spend(seat, coins);
        if let Some(to) = to {
            self.earn(to, paid);
        }
        if let Some(room) = on {
            self.lay_coins(room, paid);
        }
    }

    /// Does `act` to every card of the operand that is still there.
    fn each_on(
        &mut self,
        code: &mut Code,
        on: OperandCode,
        mut act: impl FnMut(&mut Self, &mut Code, CardId),
    ) {
        for i in 0..on.count {
            let slot = match on.slot {
                Slot::Reg(reg) => Slot::Reg(reg + i),
                other => other,
            };
            let r = self.board().slot(&code.ctx(), slot);
            if let Some(id) = self.s.present(r) {
                act(self, code, id);
                // A moved card keeps its name: `take c`, then `build c`.
                if let Slot::Reg(reg) = slot {
                    code.regs[usize::from(reg)] = self.s.ref_of(id);
                }
            }
        }
    }

    fn act(&mut self, code: &mut Code, verb: Verb, id: CardId) {
        match verb {
            Verb::Cancel => self.cancel(id),
            // It has an op of its own.
            Verb::Copy => {}
            Verb::Deactivate => self.deactivate(id),
            Verb::Destroy => self.destroy(id),
            Verb::Discard => self.discard(id),
            Verb::Flip if self.board().def(id).kind == Kind::Item => self.flip_item(id),
            Verb::Flip => self.flip(id),
            Verb::Heal => self.heal(id),
            Verb::Kill => self.kill(id, code.you),
            Verb::Promote => self.promote(id),
            Verb::Remove => self.remove(id),
            Verb::Reveal => self.reveal_card(id),
            Verb::Uncover => self.bring_up(id),
        }
    }

    fn move_to(&mut self, id: CardId, zone: Zone, seat: Option<Seat>, side: Option<Side>) {
        match (zone, seat) {
            (Zone::Scoring, Some(seat)) if self.board().def(id).kind.is_hero() => {
                self.add_to_score(id, seat, side == Some(Side::Facedown));
            }
            (Zone::Scoring, seat) if self.board().def(id).kind == Kind::Item => {
                self.keep_item(id, seat, side == Some(Side::Faceup));
            }
            (Zone::Scoring, Some(seat)) => self.lay_down(id, seat),
            (Zone::Town, _) => self.send_hero(id, Place::TOWN),
            (Zone::Landmark, _) => self.send_to_landmark(id),
            (Zone::Entrance, Some(seat)) => self.send_hero(id, Place::entrance(seat)),
            _ => {}
        }
    }

    /// The next item of a loop: players in player order, cards in order of their ids.
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
                // The last one no longer matches: continue after it in player order.
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
        // Treasure types come as numbers, in order.
        let comes_after = |r: Ref| match (r.as_number(), last.as_number()) {
            (Some(number), Some(last)) => number > last,
            _ => r.as_card() > last.as_card(),
        };
        board.select(query, &code.ctx(), |r: Ref| {
            if comes_after(r) && (next.is_nothing() || r.as_card() < next.as_card()) {
                next = r;
            }
            true
        });
        next
    }

    fn add_lasting(
        &mut self,
        code: &Code,
        rule: RuleId,
        lifetime: Lifetime,
        keep: [Option<u8>; KEPT],
        once: bool,
    ) {
        let game = lifetime == Lifetime::Game;
        let kept = code.kept(keep);
        let info = &self.db.rules[rule.index()];
        let amount = match info.kind {
            RuleKindCode::Has { change, .. } if !info.live => {
                // Inside the rule, registers are those it keeps.
                let ctx = Ctx { regs: &kept, ..code.ctx() };
                self.board().amount(change, &ctx).clamp(-999, 999) as i16
            }
            _ => 0,
        };
        // What lasts for the whole game should not fill the list with nothing.
        if game && amount == 0 && !info.live {
            return;
        }
        // Icons are computed in chronological order, so each change of them stays separate.
        let adds = !info.live
            && matches!(
                info.kind,
                RuleKindCode::Has { change: ChangeCode::Plus(_) | ChangeCode::Minus(_), stat, .. }
                    if stat != Stat::Icon
            );
        let you = code.you;
        if once && self.has_it_already(code.source, info.kind, &kept, amount) {
            return;
        }
        // Repeating a rule on the same things only raises the amount: the list stays short however
        // often an ability is used.
        let adds = adds && !once;
        let same = self.s.lasting.iter_mut().filter(|old| adds && (old.kept, old.you) == (kept, you));
        let mut amounts = same.filter_map(|old| match &mut old.kind {
            LastingKind::Rule { rule: r, once: o, game: g, amount } if (*r, *o, *g) == (rule, once, game) => {
                Some(amount)
            }
            _ => None,
        });
        match amounts.next() {
            Some(old) => *old = (*old + amount).clamp(-999, 999),
            None => {
                let kind = LastingKind::Rule { rule, amount, once, game };
                self.begin_lasting(Lasting { source: code.source, kept, you, kind });
            }
        }
    }

    /// Has the card already given the same to these things, once and for this turn?
    #[cold]
    fn has_it_already(&self, source: Ref, kind: RuleKindCode, kept: &[Ref; KEPT], amount: i16) -> bool {
        let RuleKindCode::Has { stat, .. } = kind else { return false };
        self.s.lasting.iter().any(|old| {
            let LastingKind::Rule { rule, amount: had, once: true, .. } = old.kind else { return false };
            let same = matches!(self.db.rules[rule.index()].kind,
                RuleKindCode::Has { stat: other, .. } if other == stat);
            same && had == amount && old.source.as_card() == source.as_card() && old.kept == *kept
        })
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
            (Op::Arrange { who, .. }, Action::Pick(r)) => {
                if let (Some(seat), Some(top)) = (self.board().one(&code.ctx(), who), r.as_card()) {
                    let left = self.s.slots(seat).len().saturating_sub(usize::from(code.picked));
                    let there = self.s.at(seat, left.saturating_sub(1));
                    if there != top {
                        self.swap(there, top);
                    }
                }
                code.picked += 1;
            }
            (Op::Either { .. }, action @ Action::Pick(_)) => code.pc = self.option_start(&code, action),
            (Op::Number { reg, .. }, Action::Pick(r)) => {
                code.regs[usize::from(reg)] = r;
                let (source, number) = (code.source.as_card(), r.as_number().unwrap_or(0));
                self.tell(|t| {
                    let what = What::ChoosesNumber { number };
                    what.by(seat).because_of(source.map(|card| t.shown(card)))
                });
                code.pc += 1;
            }
            (Op::Build { attach, .. }, Action::Build { spot, card }) => {
                self.build(code.you, card, spot.slot(), attach);
                self.s.frames.put(Frame::Step(Step::LevelUp(code.you)));
                code.pc += 1;
            }
            // Asked for cover only.
            (Op::Build { .. }, Action::Pass) => code.pc += 1,
            (Op::May { .. }, Action::Yes) => {
                if code.pc == self.first_op(code.unit) {
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
            && self.s.card(card).place == Place::PENDING
        {
            self.put_away_resolved(card);
            self.s.note_caster(card, code.you);
        }
    }

    /// Asks, unless there is only one answer, which is then given at once.
    pub fn ask(&mut self, seat: Seat, kind: AskKind) {
        self.ask_anyway(seat, kind);
        if let Some(action) = self.answers.only()
            && !self.s.rules.ask_all
            && !self.seems_to_choose()
        {
            let Some(frame) = self.s.frames.pop() else { return };
            self.withdraw_question();
            match frame {
                Frame::Code(code) => self.answer_code(code, seat, action),
                Frame::Step(step) => self.answer_step(step, seat, action),
                other => self.s.frames.put(other),
            }
        }
    }

    fn seats_in(&self, seats: SeatSet) -> impl Iterator<Item = Seat> + use<L> {
        let order = self.s.order;
        order.into_iter().filter(move |seat| seat.exists() && seats.has(*seat))
    }
}

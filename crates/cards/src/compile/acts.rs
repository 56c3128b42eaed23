//! Acts: what a statement does, as one op, or one for each thing it is done to.

use super::{Compiler, Result, push};
use crate::code::*;
use crate::tree::{Act, Adjectives, Destination, EventWord, Noun, Num, Quant, Sel, Verb};

impl Compiler<'_> {
    pub(super) fn act(&mut self, act: &Act) -> Result<()> {
        let (names, next_reg) = (self.names.len(), self.next_reg);
        self.act_inner(act)?;
        // Registers of selectors written in the act are free again, unless they were named.
        if self.names.len() == names {
            self.next_reg = next_reg;
        }
        Ok(())
    }

    fn act_inner(&mut self, act: &Act) -> Result<()> {
        match act {
            Act::Draw { name, deck, count, by } => {
                let (count, who) = (self.num(count)?, self.who_or_you(by)?);
                let reg = name.as_ref().map(|name| self.alloc(Some(name), 1)).transpose()?;
                self.emit(Op::Draw { back: *deck, count, who, reg });
                Ok(())
            }
            Act::Coins { pay, amount, by, to, on } => {
                let (amount, who) = (self.num(amount)?, self.who_or_you(by)?);
                let to = to.as_ref().map(|to| self.who(to)).transpose()?;
                let on = on.as_ref().map(|on| self.slot(on)).transpose()?;
                self.emit(Op::Coins { pay: *pay, amount, who, to, on });
                Ok(())
            }
            Act::SwapHoards { with } => {
                let who = self.who(with)?;
                self.emit(Op::SwapHoards { who });
                Ok(())
            }
            Act::Attach { op, to } => {
                let (query, on) = (self.query(&op.sel)?, self.query(to)?);
                self.emit(Op::Build { query, on: Some(on), attach: true });
                Ok(())
            }
            Act::Look { place } => {
                let site = self.place(place)?;
                let selector = SelectorCode {
                    noun: Noun::Card,
                    adjectives: Adjectives::default(),
                    site,
                    backs: false,
                    but: None,
                    cond: None,
                    pick: PickCode::Any,
                    asked: Asked::Nothing,
                };
                let query = QueryId(push(&mut self.db.queries, Query::Selector(selector)));
                self.emit(Op::Look { query });
                Ok(())
            }
            Act::Take { op, by } => {
                let who = self.who_or_you(by)?;
                self.on(op, |_, on| Ok(Op::Take { on, who }))
            }
            Act::Move { op, to: Destination::Place(place), side } => {
                let [zone] = place.zones[..] else {
                    return Err(self.misplaced("several places in `move .. to`"));
                };
                let who = self.who_or_you(&place.of)?;
                let side = *side;
                self.on(op, |_, on| Ok(Op::MoveTo { on, zone, who, side }))
            }
            Act::Move { op, to: Destination::Room(room), .. } => self.on(op, |this, on| {
                let room = match room {
                    Sel::Ref(r) => this.slot(r)?,
                    Sel::Selector(_) => this.choose(None, room, WhoCode::You)?.slot,
                };
                Ok(Op::MoveInto { on, room })
            }),
            Act::Swap { a, b } => {
                let (a, b) = (self.slot(a)?, self.slot(b)?);
                self.emit(Op::Swap { a, b });
                Ok(())
            }
            Act::Arrange { place, reversed } => {
                let who = self.who_or_you(&place.of)?;
                self.emit(Op::Arrange { who, reversed: *reversed });
                Ok(())
            }
            Act::Damage { op, amount: Num::Roll(sides) } => {
                let amount = NumId(push(&mut self.db.nums, NumCode::Rolled));
                // Again for each hero.
                self.on(op, |this, on| {
                    this.emit(Op::Roll { sides: *sides });
                    Ok(Op::Damage { on, amount })
                })
            }
            Act::Counters { gain, amount: number, op } => {
                let (gain, amount, query) = (*gain, self.num(number)?, self.db.queries.len());
                self.on(op, |_, on| Ok(Op::Counters { gain, amount, on }))?;
                // Of the rooms it names, only those are meant with which this can be done.
                if let (Sel::Selector(_), Some(Query::Selector(selector))) =
                    (&op.sel, self.db.queries.get_mut(query..).and_then(|new| new.last_mut()))
                {
                    selector.asked = match number {
                        _ if gain => Asked::TakesCounter,
                        Num::Int(n) if self.paying => Asked::Counters(*n),
                        _ => Asked::Counters(1),
                    };
                }
                Ok(())
            }
            Act::Damage { op, amount } => {
                let amount = self.num(amount)?;
                self.on(op, |_, on| Ok(Op::Damage { on, amount }))
            }
            Act::Skip { op, rooms } => {
                let rooms = self.num(rooms)?;
                self.on(op, |_, on| Ok(Op::Skip { on, rooms }))
            }
            Act::Build { op, on } => {
                let query = self.query(&op.sel)?;
                let on = on.as_ref().map(|sel| self.query(sel)).transpose()?;
                self.emit(Op::Build { query, on, attach: false });
                Ok(())
            }
            Act::Trigger { op, words } => {
                let has = |word| words.contains(&word);
                let (built, uncovered) = (has(EventWord::Built), has(EventWord::Uncovered));
                self.on(op, |_, on| Ok(Op::Trigger { on, built, uncovered }))
            }
            Act::Simple { verb: Verb::Copy, op } => self.on(op, |_, on| Ok(Op::Copy { on })),
            Act::Simple { verb, op } => {
                self.cancels |= *verb == Verb::Cancel;
                self.on(op, |_, on| Ok(Op::Act { verb: *verb, on }))
            }
        }
    }

    /// Emits the op made by `make` for what the operand selects; for `all`, once for each.
    fn on(
        &mut self,
        op: &crate::tree::Operand,
        make: impl FnOnce(&mut Self, OperandCode) -> Result<Op>,
    ) -> Result<()> {
        match &op.sel {
            Sel::Ref(r) => {
                let on = OperandCode { slot: self.slot(r)?, count: self.count_of(r) };
                let op = make(self, on)?;
                self.emit(op);
                Ok(())
            }
            Sel::Selector(selector) if selector.quant == Quant::All => {
                let query = self.query(&op.sel)?;
                let reg = self.alloc(None, 1)?;
                self.each(reg, query, |this| {
                    let op = make(this, OperandCode { slot: Slot::Reg(reg), count: 1 })?;
                    this.emit(op);
                    Ok(())
                })
            }
            Sel::Selector(_) => {
                let on = self.choose(op.name.as_ref(), &op.sel, WhoCode::You)?;
                let op = make(self, on)?;
                self.emit(op);
                Ok(())
            }
        }
    }
}

//! Evaluates counts, numbers and conditions of card code.

use cards::code::*;
use cards::vocabulary::{Adjective, Adjectives, ByClass, Comparison, Noun, Points, Value, Zone, Zones};

use crate::code::query::{Board, Busy, Ctx};
use crate::model::id::*;
use crate::model::state::*;

const ONE_DUNGEON: Zones = Zones(0).with(Zone::Dungeon);
const ONE_HAND: Zones = Zones(0).with(Zone::Hand);

impl Board<'_> {
    pub fn any(&self, query: QueryId, ctx: &Ctx) -> bool {
        self.at_least(query, ctx, 1)
    }

    /// The same, where cards that the viewer has not seen do not count unless their backs are enough.
    fn surely_any(&self, query: QueryId, ctx: &Ctx) -> bool {
        self.any(query, ctx)
            && (!self.looks_at_hidden(query) || {
                let mut sure = false;
                self.select(query, ctx, |r| {
                    sure = self.matches(query, ctx, r);
                    !sure
                });
                sure
            })
    }

    pub fn at_least(&self, query: QueryId, ctx: &Ctx, n: usize) -> bool {
        if let Some(rooms) = self.count_rooms(query, ctx) {
            return rooms >= n;
        }
        let mut found = 0;
        self.select(query, ctx, |_| {
            found += 1;
            found < n
        });
        found >= n
    }

    /// Do these dungeons have at least `n` active rooms with these adjectives?
    pub fn has_rooms(&self, wanted: Adjectives, seats: SeatSet, this: Ref, n: usize) -> bool {
        let seats = self.s.seats().filter(|seat| seats.has(*seat));
        seats.map(|seat| self.rooms_of(seat, wanted, this).count()).sum::<usize>() >= n
    }

    /// The most common counts, without listing candidates: rooms of a kind in dungeons, or rooms in
    /// hands.
    fn count_rooms(&self, query: QueryId, ctx: &Ctx) -> Option<usize> {
        let Query::Selector(selector) = &self.db.queries[query.index()] else { return None };
        let SiteCode::In { zones, who } = selector.site else { return None };
        if selector.noun != Noun::Room || !selector.narrows_by_kind() {
            return None;
        }
        let seats = || {
            let meant = self.who(ctx, who);
            self.s.seats().filter(move |seat| meant.has(*seat))
        };
        if zones == ONE_DUNGEON {
            let rooms = seats().map(|seat| self.rooms_of(seat, selector.adjectives, ctx.this).count());
            Some(rooms.sum())
        } else if zones == ONE_HAND
            && selector.adjectives.is_empty()
            && (selector.backs || !self.db.minibosses)
        {
            Some(seats().map(|seat| self.s.pile_len(Place::rooms(seat))).sum())
        } else if zones == ONE_HAND {
            let hands = seats().flat_map(|seat| self.s.pile(Place::rooms(seat)));
            Some(hands.map(|room| usize::from(self.is_such(room, selector.adjectives, ctx.this))).sum())
        } else {
            None
        }
    }

    /// The active rooms with these adjectives in a dungeon.
    #[inline]
    fn rooms_of(&self, seat: Seat, wanted: Adjectives, this: Ref) -> impl Iterator<Item = CardId> {
        let active = Slots(self.s.active_slots(seat)).map(move |slot| self.s.at(seat, slot));
        active.filter(move |room| self.is_such(*room, wanted, this))
    }

    /// Does the room have these adjectives? All but `another` are printed on it.
    #[inline]
    fn is_such(&self, room: CardId, wanted: Adjectives, this: Ref) -> bool {
        let other = !wanted.has(Adjective::Another) | (this.as_card() != Some(room));
        self.def(room).traits.include(Traits::wanted(Noun::Room, wanted)) & other
    }

    pub fn count(&self, query: QueryId, ctx: &Ctx) -> usize {
        if let Some(rooms) = self.count_rooms(query, ctx) {
            return rooms;
        }
        let mut found = 0;
        self.select(query, ctx, |_| {
            found += 1;
            true
        });
        found
    }

    pub fn num(&self, num: NumId, ctx: &Ctx) -> i32 {
        match self.db.nums[num.index()] {
            NumCode::Int(n) => i32::from(n),
            NumCode::Count(query) => self.count(query, ctx) as i32,
            NumCode::Points(points, who) => self.one(ctx, who).map_or(0, |seat| {
                let player = self.s.player(seat);
                match points {
                    Points::Souls => self.souls_while(seat, ctx.busy),
                    Points::Wounds => self.wounds_while(seat, ctx.busy),
                    Points::Coins => i32::from(player.coins),
                    Points::SoulsThisTurn => i32::from(player.gained),
                    Points::LuredThisTurn => i32::from(player.lured),
                    Points::EnteredThisTurn => i32::from(player.entered),
                    Points::DestroyedThisTurn => i32::from(player.destroyed),
                }
            }),
            NumCode::Value { printed, value, of } => {
                let Some(card) = self.slot(ctx, of).as_card() else { return 0 };
                let (def, busy) = (self.def(card), ctx.busy);
                match value {
                    Value::Level => {
                        self.s.attachment(card).map_or(0, |attachment| i32::from(attachment.level))
                    }
                    Value::Damage if printed || busy.has(Busy::DAMAGE) => i32::from(def.damage),
                    Value::Damage => self.damage_while(card, busy),
                    Value::Health if printed || busy.has(Busy::HEALTH) => i32::from(def.health),
                    Value::Life if busy.has(Busy::HEALTH) => {
                        i32::from(def.health) - i32::from(self.s.marks(card).damage)
                    }
                    Value::Health => self.health_while(card, busy),
                    Value::Life => self.health_while(card, busy) - i32::from(self.s.marks(card).damage),
                }
            }
            NumCode::Rolled => i32::from(self.s.last_roll),
            NumCode::Reg(reg) => i32::from(self.slot(ctx, Slot::Reg(reg)).as_number().unwrap_or(0)),
            NumCode::Times(n, num) => self.num(num, ctx).saturating_mul(i32::from(n)),
            NumCode::Coins(of) => {
                let room = self.s.present(self.slot(ctx, of));
                room.map_or(0, |room| i32::from(self.s.marks(room).coins))
            }
            NumCode::Counters(of) => {
                let room = self.s.present(self.slot(ctx, of));
                room.map_or(0, |room| i32::from(self.s.marks(room).counters))
            }
            NumCode::IconsOn(icon, of) => {
                let card = self.s.present(self.slot(ctx, of));
                card.map_or(0, |card| self.of_type(icon, ctx, self.icons_on(card)))
            }
            NumCode::IconsOf(icon, who) => {
                self.one(ctx, who).map_or(0, |seat| self.of_type(icon, ctx, self.treasure(seat)))
            }
            NumCode::Add(a, b) => self.num(a, ctx).saturating_add(self.num(b, ctx)),
            NumCode::Sub(a, b) => self.num(a, ctx).saturating_sub(self.num(b, ctx)),
        }
    }

    /// The icons of one type, or of all.
    fn of_type(&self, icon: IconCode, ctx: &Ctx, icons: ByClass<i32>) -> i32 {
        match icon {
            IconCode::Any => icons.0.iter().sum(),
            IconCode::Class(class) => icons[class],
            IconCode::Chosen(slot) => {
                let class = self.slot(ctx, slot).as_number();
                class.and_then(|class| icons.0.get(usize::from(class)).copied()).unwrap_or(0)
            }
        }
    }

    pub fn cond(&self, cond: CondId, ctx: &Ctx) -> bool {
        match self.db.conds[cond.index()] {
            CondCode::Some(query) => self.any(query, ctx),
            CondCode::No(query) => !self.surely_any(query, ctx),
            CondCode::Compare(a, how, b) => {
                let (a, b) = (self.num(a, ctx), self.num(b, ctx));
                match how {
                    Comparison::Equal => a == b,
                    Comparison::Less => a < b,
                    Comparison::More => a > b,
                    Comparison::AtMost => a <= b,
                    Comparison::AtLeast => a >= b,
                }
            }
            CondCode::Is(slot, adjective) => {
                let wanted = Adjectives::default().with(adjective);
                self.s.present(self.slot(ctx, slot)).is_some_and(|id| {
                    let down = adjective == Adjective::Facedown;
                    (!down || self.s.card(id).flags.has(Flags::FACEDOWN))
                        && self.def(id).traits.include(Traits::adjectives(wanted))
                        && self.marks_fit(wanted, ctx, id)
                })
            }
            CondCode::IsA(slot, noun) => {
                let wanted = Traits::wanted(noun, Adjectives::default());
                self.s.present(self.slot(ctx, slot)).is_some_and(|id| self.def(id).traits.include(wanted))
            }
            CondCode::In(slot, zones, who) => {
                let site = SiteCode::In { zones, who };
                let r = self.slot(ctx, slot);
                let (pick, but, cond) = (PickCode::Any, None, None);
                let selector = SelectorCode {
                    noun: Noun::Card,
                    adjectives: Adjectives::default(),
                    site,
                    backs: false,
                    but,
                    cond,
                    pick,
                    asked: Asked::Nothing,
                };
                self.s.present(r).is_some() && self.is_at(&selector, ctx, r)
            }
            CondCode::Done => ctx.you.exists() && self.s.player(ctx.you).done,
            CondCode::Promoted => ctx.you.exists() && self.s.trade.promoted.has(ctx.you),
            CondCode::Active => ctx.you.exists() && self.s.active == ctx.you,
            CondCode::Not(cond) => !self.cond(cond, ctx),
            CondCode::And(a, b) => self.cond(a, ctx) && self.cond(b, ctx),
            CondCode::Or(a, b) => self.cond(a, ctx) || self.cond(b, ctx),
        }
    }
}

//! Building: which rooms a player may build and where (rules 2.3, 6.1). The spots in the player's own dungeon come
//! from `fast/build_sites.rs`.

use cards::code::*;
use cards::vocabulary::{EventWord, Kind, Phase};

use crate::ask::Action;
use crate::code::occurrence::Occurrence;
use crate::code::query::{Board, Ctx};
use crate::fast::answers::Sink;
use crate::fast::build_sites::BuildSites;
use crate::model::id::*;
use crate::model::state::*;

impl Board<'_> {
    /// May the seat place a room in this window of the Build phase (rule 6.1)?
    pub fn may_place_now(&self, seat: Seat) -> bool {
        self.s.phase == Phase::Build
            && seat == self.s.active
            && i32::from(self.s.player(seat).placed) < self.builds(seat)
            && (self.s.pending.is_empty() || !self.answers_go_on_a_stack())
    }

    /// Every room of the hand, everywhere it may go.
    #[inline]
    pub fn each_build(&self, seat: Seat, out: &mut impl Sink) -> bool {
        self.each_own_build(seat, out)
            && (!self.s.hooks.has(Hooks::ALLOWS)
                || self
                    .s
                    .pile(Place::rooms(seat))
                    .all(|card| self.each_allowed(seat, card, |spot| out.take(Action::Build { spot, card }))))
    }

    pub fn each_placement(&self, seat: Seat, frame: &Frame, each: &mut dyn FnMut(Action) -> bool) {
        match frame {
            Frame::Code(code) => {
                if let Op::Build { query, on, .. } = self.op(code) {
                    let sites = self.narrowed(self.build_sites(seat), on, &code.ctx());
                    self.select(query, &code.ctx(), |r: Ref| {
                        r.as_card().is_none_or(|card| self.each_place_at_once(&sites, card, &mut *each))
                    });
                }
            }
            _ => {
                self.each_own_build(seat, &mut |action| each(action));
            }
        }
    }

    /// Could any card of the query be built anywhere?
    pub fn can_build_any(&self, query: QueryId, on: Option<QueryId>, ctx: &Ctx) -> bool {
        let mut found = false;
        let sites = self.narrowed(self.build_sites(ctx.you), on, ctx);
        self.select(query, ctx, |r: Ref| {
            found = r.as_card().is_some_and(|card| !self.each_place_at_once(&sites, card, |_| false));
            !found
        });
        found
    }

    /// Places for a room built by an effect: the usual ones, and those where a card in play allows it.
    fn each_place_at_once(
        &self,
        sites: &BuildSites,
        card: CardId,
        mut each: impl FnMut(Action) -> bool,
    ) -> bool {
        self.each_place_of(sites, card, &mut each)
            && (!self.s.hooks.has(Hooks::ALLOWS)
                || Slots(sites.rooms() & !sites.places(card)).all(|slot| {
                    !self.allowed_at_once(sites.seat, card, slot)
                        || each(Action::Build { spot: Spot::at(sites.seat, sites.seat, slot), card })
                }))
    }

    /// May an effect build the room there although the usual rules do not let it? What is allowed once is for the
    /// room that the player places.
    pub fn allowed_at_once(&self, seat: Seat, room: CardId, slot: usize) -> bool {
        self.allowing(seat, room, seat, slot)
            .is_some_and(|by| !by.is_some_and(|lasting| self.holds_once(lasting)))
    }

    fn holds_once(&self, lasting: usize) -> bool {
        let kind = self.s.lasting.get(lasting).map(|lasting| lasting.kind);
        matches!(kind, Some(LastingKind::Rule { once: true, .. }))
    }

    /// Spots where an `allow` rule in force lets the seat build although the usual rules do not,
    /// until `each` returns `false`.
    pub fn each_allowed(&self, seat: Seat, room: CardId, mut each: impl FnMut(Spot) -> bool) -> bool {
        self.s.seats().all(|at| {
            let own = if at == seat { self.build_sites(seat).places(room) } else { 0 };
            (0..self.s.slots(at).len()).all(|slot| {
                own >> slot & 1 == 1
                    || self.allowing(seat, room, at, slot).is_none()
                    || each(Spot::at(seat, at, slot))
            })
        })
    }

    /// Might the card that lies face down there still be placed (rule 6.4)? Whether it fits on the room beneath
    /// was checked then; nothing has happened to that room since, and what allowed it may be used up (2.9).
    pub fn stands(&self, seat: Seat, card: CardId, slot: usize) -> bool {
        let beneath = self.s.card(card).next;
        let mut what = Occurrence::new(EventWord::Built, self.s.ref_of(card), seat);
        (what.dungeon, what.slot, what.facedown) = (seat, Some(slot as u8), true);
        if beneath.exists() {
            what.room = self.s.ref_of(beneath);
        }
        let near = |slot: usize| 0b101_u16 << slot >> 1;
        let apart = || u16::from(self.slots_with_miniboss(seat)) & near(slot) == 0;
        (self.def(card).kind == Kind::Room || apart()) && !self.forbidden(&what)
    }

    /// The `allow` rule by which the seat may build the room on that stack.
    pub fn allowing(&self, seat: Seat, room: CardId, at: Seat, slot: usize) -> Option<Option<usize>> {
        let top = *self.s.slots(at).get(slot)?;
        let def = self.def(room);
        let mut what = Occurrence::new(EventWord::Built, self.s.ref_of(room), seat);
        what.room = self.s.ref_of(top);
        (what.dungeon, what.slot) = (at, Some(slot as u8));
        // A room given to another is built by the player whose dungeon it lies in (17.6).
        let built = Occurrence { actor: at, ..what };
        let fits = def.kind == Kind::Room
            && self.is_active_room(top)
            && !self.s.has_minion(top)
            // In your own dungeon the rule lifts the need for a matching icon, elsewhere the place.
            && (at == seat
                || !def.advanced
                || def.hooks.has(Hooks::BUILT_FREELY)
                || !def.classes.and(self.classes(top)).is_empty()
                || self.allowed(&built) == Some(None));
        if !fits || self.forbidden(&built) { None } else { self.allowed(&what) }
    }
}

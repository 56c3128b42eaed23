//! The Minion phase of Super Boss Monster (rules 14.4 and 14.6): what each minion stands on takes
//! effect, in player order; then the market closes. Nobody can answer.

use cards::vocabulary::{Back, Landmark, Phase, Stat};

use crate::Game;
use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::code::query::{Board, Busy};
use crate::model::id::*;
use crate::model::state::*;

/// However often an effect is repeated, it ends.
const MOST_ACTS: i32 = 8;
/// What the Hideout adds to a last room.
const LAST_ROOM: u8 = 2;
/// Rule 14.4: landmarks make heroes tougher, the Tavern makes them weaker.
const TOKEN: i8 = 2;

impl<L: Log> Runner<'_, L> {
    /// From this seat on.
    pub fn minion_phase(&mut self, next: Option<Seat>) {
        let Some(seat) = next else {
            let close = [Frame::Step(Step::MinionsDone)];
            if !self.triggers_follow(|t| t.close_market(), &close) {
                self.next_phase();
            }
            return;
        };
        self.s.frames.put(Frame::Step(Step::MinionDone(seat)));
        for _ in 0..self.board().minion_acts(seat) {
            self.s.frames.put(Frame::Step(Step::MinionActs(seat)));
        }
    }

    fn close_market(&mut self) {
        while let Some(card) = self.s.pile(Place::MARKET).next() {
            self.discard(card);
        }
    }

    /// What the seat's minion stands on takes effect, once.
    pub fn minion_acts(&mut self, seat: Seat) {
        let at = self.s.minion(seat);
        if let Some(card) = at.as_card() {
            let unit = self.s.present(at).and_then(|card| self.board().minion_unit(seat, card));
            let Some(unit) = unit else {
                return self.tell(|t| What::MinionIdles.by(seat).on(t.shown(card)).at(t.at(card)));
            };
            self.tell(|t| t.minion_event(seat, false));
            let code = self.code(unit, at, seat);
            return self.launch(code);
        }
        let Some(Space { landmark, errand }) = Space::of_ref(at) else { return };
        self.tell(|t| t.minion_event(seat, false));
        match errand {
            Errand::Treasure => {
                let Some(class) = landmark.class() else { return };
                self.begin_lasting(Lasting {
                    you: seat,
                    kind: LastingKind::Treasure(class),
                    ..Lasting::EMPTY
                });
                self.tell(|_| What::GainsTreasure { class }.by(seat));
            }
            Errand::Summon => self.ask_minion(seat),
            Errand::Service => match landmark {
                Landmark::Temple | Landmark::Launchpad => self.ask_minion(seat),
                Landmark::Stadium => self.draw(seat, Back::Room),
                Landmark::Library => {
                    self.draw(seat, Back::Spell);
                    self.ask_minion(seat);
                }
                Landmark::Hideout => {
                    let kind = LastingKind::LastRoom { bonus: LAST_ROOM };
                    self.begin_lasting(Lasting { you: seat, kind, ..Lasting::EMPTY });
                    self.tell(|_| What::LastRoomGains { damage: LAST_ROOM }.by(seat));
                }
                Landmark::Tavern => {}
            },
        }
    }

    /// Asks for the choice that the minion's space needs, if there is anything to choose.
    fn ask_minion(&mut self, seat: Seat) {
        let mut any = false;
        self.board().each_minion_choice(seat, |_| {
            any = true;
            false
        });
        if any {
            self.s.frames.put(Frame::Step(Step::MinionAsks(seat)));
            self.ask(seat, AskKind::Pick);
        }
    }

    pub fn minion_answered(&mut self, seat: Seat, answer: Ref) {
        let Some(Space { landmark, errand }) = Space::of_ref(self.s.minion(seat)) else { return };
        if errand == Errand::Summon {
            if let (Some(to), Some(hero)) = (answer.as_seat(), self.s.hero_to_summon(landmark)) {
                let token = if landmark == Landmark::Tavern { -TOKEN } else { TOKEN };
                self.put_token(hero, token);
                self.triggers_follow(|t| t.send_hero(hero, Place::entrance(to)), &[]);
                self.tell(|t| {
                    let health = t.board().health(hero);
                    What::GetsToken { token, health }.on(t.shown(hero)).at(t.at(hero))
                });
            }
            return;
        }
        let Some(card) = self.s.present(answer) else { return };
        match landmark {
            Landmark::Temple => self.take_from_market(card, seat),
            Landmark::Library => drop(self.triggers_follow(|t| t.discard(card), &[])),
            Landmark::Launchpad => drop(self.triggers_follow(|t| t.shuffle_stack(card), &[])),
            _ => {}
        }
    }

    /// All minions go home (14.8).
    pub fn minions_return(&mut self) {
        if self.s.town.minions != TownBoard::EMPTY.minions {
            self.s.town.minions = TownBoard::EMPTY.minions;
            self.tell(|_| What::MinionsReturn);
        }
    }
}

impl Game<'_> {
    /// What a token adds to the health of the hero who is summoned from there.
    pub fn summon_token(&self, landmark: Landmark) -> i8 {
        if landmark == Landmark::Tavern { -TOKEN } else { TOKEN }
    }
}

impl Board<'_> {
    /// How often the seat's minion acts this turn. A hero is summoned only once.
    fn minion_acts(&self, seat: Seat) -> i32 {
        let at = self.s.minion(seat);
        if at.is_nothing() {
            return 0;
        }
        let times = self.stat_of(Stat::Minion, Ref::seat(seat), 1, Busy::NOTHING);
        let once = Space::of_ref(at).is_some_and(|space| space.errand == Errand::Summon);
        times.clamp(0, if once { 1 } else { MOST_ACTS })
    }

    /// The answers to what the seat's minion asks, until `each` returns `false`.
    pub fn each_minion_choice(&self, seat: Seat, mut each: impl FnMut(Ref) -> bool) {
        let Some(Space { landmark, errand }) = Space::of_ref(self.s.minion(seat)) else { return };
        if errand == Errand::Summon {
            if self.s.hero_to_summon(landmark).is_some() {
                self.s.seats().all(|seat| each(Ref::seat(seat)));
            }
            return;
        }
        let mut card = |id: CardId| each(self.s.ref_of(id));
        match landmark {
            Landmark::Temple => drop(self.s.pile(Place::MARKET).all(card)),
            Landmark::Library => drop(self.s.pile(Place::spells(seat)).all(card)),
            Landmark::Launchpad => {
                let stacks = self.s.seats().flat_map(|seat| self.s.slots(seat).iter().rev().copied());
                let mixes = |top: &CardId| {
                    self.is_active_room(*top) && self.s.card(*top).next.exists() && !self.s.has_minion(*top)
                };
                stacks.filter(mixes).all(&mut card);
            }
            _ => {}
        }
    }

    /// In which phase minions stand on the board and on cards.
    pub fn minions_are_out(&self) -> bool {
        self.s.town.minions.iter().any(|at| at.as_card().is_some()) && self.s.phase != Phase::Setup
    }
}

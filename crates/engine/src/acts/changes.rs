//! What a rule that begins changes, for the log: nothing here is done without one.

use cards::code::{RuleId, RuleKindCode};
use cards::vocabulary::{ByClass, Stat};

use crate::acts::Runner;
use crate::api::event::{Event, Log, What, Where};
use crate::model::id::*;
use crate::model::state::*;

/// What it was before the rule began.
pub enum Before {
    /// Nothing that is told.
    Other,
    /// The stat of every card in play that has it.
    Cards(Stat, Vec<(CardId, i32)>),
    /// By seat.
    Treasure([ByClass<i32>; SEATS]),
    Scores([Score; SEATS]),
}

impl<L: Log> Runner<'_, L> {
    /// Call it before the rule begins.
    pub fn stats_changed_by(&self, rule: RuleId) -> Before {
        let RuleKindCode::Has { stat, .. } = self.db.rules[rule.index()].kind else { return Before::Other };
        let cards: Vec<CardId> = match stat {
            Stat::Health => {
                let dungeons = self.s.seats().flat_map(|seat| [Place::entrance(seat), Place::inside(seat)]);
                [Place::TOWN].into_iter().chain(dungeons).flat_map(|place| self.s.pile(place)).collect()
            }
            Stat::Damage => {
                let rooms = self.s.seats().flat_map(|seat| self.s.slots(seat)).copied();
                rooms.filter(|room| !self.s.card(*room).flags.has(Flags::FACEDOWN)).collect()
            }
            Stat::Icon => return Before::Treasure(self.board().treasures()),
            Stat::Souls | Stat::Wounds => return self.scores_before(),
            _ => return Before::Other,
        };
        Before::Cards(stat, cards.into_iter().map(|card| (card, self.stat(stat, card))).collect())
    }

    /// Call it afterwards.
    pub fn tell_changes(&mut self, before: Before) {
        let (stat, cards) = match before {
            Before::Other => return,
            Before::Treasure(before) => return self.tell_treasure(before),
            Before::Scores(before) => return self.tell_scores(before),
            Before::Cards(stat, cards) => (stat, cards),
        };
        for (card, was) in cards {
            let now = self.stat(stat, card);
            let by = now - was;
            if by != 0 {
                self.tell(|t| {
                    let what = match stat {
                        Stat::Health => What::HealthChanges { by, health: now },
                        _ => What::DamageChanges { by, damage: now },
                    };
                    what.on(t.shown(card)).at(t.at(card))
                });
            }
        }
    }

    fn tell_treasure(&mut self, before: [ByClass<i32>; SEATS]) {
        let after = self.board().treasures();
        for ((seat, before), after) in (0..).map(Seat).zip(before).zip(after) {
            for ((class, was), now) in before.iter().zip(after.0) {
                if now != *was {
                    let what = What::TreasureChanges { class, by: now - was, treasure: now };
                    self.tell(|_| Event::from(what).player(seat));
                }
            }
        }
    }

    /// Call it before something that may change points without any hero moving.
    pub fn scores_before(&self) -> Before {
        if L::ON { Before::Scores(self.scores()) } else { Before::Other }
    }

    fn scores(&self) -> [Score; SEATS] {
        let mut scores = [Score::default(); SEATS];
        for seat in self.s.seats() {
            scores[seat.index()] = self.board().score(seat);
        }
        scores
    }

    fn tell_scores(&mut self, before: [Score; SEATS]) {
        let after = self.scores();
        for ((seat, before), after) in (0..).map(Seat).zip(before).zip(after) {
            if before != after {
                let by = |was: u16, now: u16| i32::from(now) - i32::from(was);
                let what = What::PointsChange {
                    souls: by(before.souls, after.souls),
                    wounds: by(before.wounds, after.wounds),
                };
                let at = Where { score: Some(after), ..Where::pile(Place::scoring(seat)) };
                self.tell(|_| Event::from(what).player(seat).at(at));
            }
        }
    }

    fn stat(&self, stat: Stat, card: CardId) -> i32 {
        if stat == Stat::Health { self.board().health(card) } else { self.board().damage(card) }
    }
}

//! What a rule that begins changes, for the log: nothing here is done without one.

use cards::code::{RuleId, RuleKindCode};
use cards::vocabulary::Stat;

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::model::id::*;
use crate::model::state::*;

/// The stat, and what it was for every card in play that has it.
pub type Before = Option<(Stat, Vec<(CardId, i32)>)>;

impl<L: Log> Runner<'_, L> {
    /// Call it before the rule begins.
    pub fn stats_changed_by(&self, rule: RuleId) -> Before {
        let RuleKindCode::Has { stat, .. } = self.db.rules[rule.index()].kind else { return None };
        let cards: Vec<CardId> = match stat {
            Stat::Health => {
                let dungeons = self.s.seats().flat_map(|seat| [Place::entrance(seat), Place::inside(seat)]);
                [Place::TOWN].into_iter().chain(dungeons).flat_map(|place| self.s.pile(place)).collect()
            }
            Stat::Damage => {
                let rooms = self.s.seats().flat_map(|seat| self.s.slots(seat)).copied();
                rooms.filter(|room| !self.s.card(*room).flags.has(Flags::FACEDOWN)).collect()
            }
            _ => return None,
        };
        Some((stat, cards.into_iter().map(|card| (card, self.stat(stat, card))).collect()))
    }

    /// Call it afterwards.
    pub fn tell_changes(&mut self, before: Before) {
        let Some((stat, cards)) = before else { return };
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

    fn stat(&self, stat: Stat, card: CardId) -> i32 {
        if stat == Stat::Health { self.board().health(card) } else { self.board().damage(card) }
    }
}

//! Copying and comparing only what is in use. The largest possible game is far larger than the
//! usual one: `clone_from` into an existing state touches only the cards of this game, its seats,
//! and the used part of each list. `clone` copies everything; keep it out of hot code.

use crate::fast::answers::Answers;
use crate::model::id::{MAX_CARDS, SEATS};
use crate::model::state::{CardState, Core, Marks, State};

impl Clone for State {
    fn clone(&self) -> State {
        State { core: self.core.clone(), answers: self.answers.clone() }
    }

    #[inline]
    fn clone_from(&mut self, source: &State) {
        let State { core, answers } = source;
        self.core.clone_from(core);
        Answers::clone_from(&mut self.answers, answers);
    }
}

impl Core {
    fn used_cards(&self) -> usize {
        usize::from(self.n_cards).min(MAX_CARDS)
    }

    fn used_seats(&self) -> usize {
        usize::from(self.rules.players).min(SEATS)
    }
}

/// Every field of `Core` must be in one of the lists, or the struct below does not compile.
macro_rules! parts {
    (whole: $($whole:ident),*; lists: $($list:ident),*; by_seat: $($by_seat:ident),*; by_card: $($by_card:ident = $empty:expr),*) => {
        impl Clone for Core {
            fn clone(&self) -> Core {
                Core {
                    $($whole: self.$whole,)*
                    $($list: self.$list.clone(),)*
                    $($by_seat: self.$by_seat,)*
                    $($by_card: self.$by_card,)*
                }
            }

            fn clone_from(&mut self, source: &Core) {
                let (cards, old_cards) = (source.used_cards(), self.used_cards());
                $(
                    self.$by_card[..cards].copy_from_slice(&source.$by_card[..cards]);
                    if cards < old_cards {
                        self.$by_card[cards..old_cards].fill($empty);
                    }
                )*
                // Unused seats are empty in both.
                let seats = source.used_seats().max(self.used_seats());
                $(self.$by_seat[..seats].copy_from_slice(&source.$by_seat[..seats]);)*
                $(self.$list.clone_from(&source.$list);)*
                $(self.$whole = source.$whole;)*
            }
        }

        impl PartialEq for Core {
            fn eq(&self, other: &Core) -> bool {
                let cards = self.used_cards();
                $(self.$whole == other.$whole &&)*
                $(self.$list == other.$list &&)*
                $(self.$by_seat == other.$by_seat &&)*
                $(self.$by_card[..cards] == other.$by_card[..cards] &&)*
                true
            }
        }
        impl Eq for Core {}
    };
}

parts! {
    whole: rng, piles, scorers, claims, walk, ask, outcome, rules, order, alive, seated, hooks, hero_hooks, attached_hooks, n_cards, turn,
        decisions, phase, active, town, left_town, trigger_count, last_roll, trade;
    lists: frames, pending, triggers, lasting, attached, casts;
    by_seat: players, scores, copied, active_rooms, offers;
    by_card: cards = CardState::EMPTY, marks = Marks::NONE
}

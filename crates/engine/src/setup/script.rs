//! Scripted chance, for positions set up by hand. A script is never part of a state: dealt games
//! stay unpredictable, and a game without a script pays nothing for it.

use std::collections::VecDeque;

use cards::code::DefId;

use crate::model::id::*;

/// The scripted results. Picks are used in order; a shuffle is looked up by its deck. Anything not
/// scripted is left to the generator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub picks: VecDeque<Pick>,
    pub shuffles: VecDeque<Shuffle>,
    /// The first line of the script that could not be followed.
    pub misfit: Option<Misfit>,
    /// Of the picks left to chance, how many candidates each had.
    pub open_picks: Vec<u8>,
}

/// One random pick. A pick from a single candidate is not random and uses nothing up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A card with one of these definitions.
    Card(Vec<DefId>),
    Player(Seat),
    /// What a die shows.
    Number(u8),
    /// The candidate at this place among them, counted from 0.
    Nth(u8),
}

/// The order after the next shuffle of a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffle {
    pub deck: Place,
    /// From the top down; each card has one of the definitions.
    pub top: Vec<Vec<DefId>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    Pick {
        wanted: Pick,
        candidates: Vec<Ref>,
    },
    /// No such card is in the deck, or not as many.
    Shuffle {
        deck: Place,
        wanted: Vec<DefId>,
    },
}

impl Script {
    pub fn is_used_up(&self) -> bool {
        self.picks.is_empty() && self.shuffles.is_empty()
    }

    /// The candidate that the next pick takes. `def` is what a card is.
    pub(crate) fn pick(&mut self, candidates: &[Ref], def: impl Fn(CardId) -> DefId) -> Option<Ref> {
        let Some(wanted) = self.picks.pop_front() else {
            self.open_picks.push(candidates.len() as u8);
            return None;
        };
        let fits = |r: &Ref| match &wanted {
            Pick::Card(defs) => r.as_card().is_some_and(|id| defs.contains(&def(id))),
            Pick::Player(seat) => r.as_seat() == Some(*seat),
            Pick::Number(number) => r.as_number() == Some(*number),
            Pick::Nth(nth) => candidates.get(usize::from(*nth)) == Some(r),
        };
        let found = candidates.iter().copied().find(fits);
        if found.is_none() {
            let misfit = Misfit::Pick { wanted, candidates: candidates.to_vec() };
            self.misfit.get_or_insert(misfit);
        }
        found
    }

    /// The order for a shuffle of this deck, if one is scripted.
    pub(crate) fn shuffle(&mut self, deck: Place) -> Option<Vec<Vec<DefId>>> {
        let at = self.shuffles.iter().position(|shuffle| shuffle.deck == deck)?;
        Some(self.shuffles.remove(at)?.top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_and_dice_are_scripted_like_cards() {
        let mut script = Script::default();
        script.picks.extend([Pick::Player(Seat(2)), Pick::Number(4), Pick::Number(7)]);
        let players: Vec<Ref> = (0..3).map(|seat| Ref::seat(Seat(seat))).collect();
        let die: Vec<Ref> = (1..=6).map(Ref::number).collect();
        let no_card = |_| DefId(0);
        assert_eq!(script.pick(&players, no_card), Some(players[2]));
        assert_eq!(script.pick(&die, no_card), Some(die[3]));
        assert_eq!((script.pick(&die, no_card), script.is_used_up()), (None, true));
        assert_eq!(script.misfit, Some(Misfit::Pick { wanted: Pick::Number(7), candidates: die }));
    }
}

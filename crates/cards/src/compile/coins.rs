//! Which sets are played with coins: those with a miniboss, or with a card that speaks of coins.

use crate::tree::visit::{Visitor, walk_act, walk_event, walk_num};
use crate::tree::{Act, Event, EventKind, Kind, Num, Points, Set};

pub fn has(set: &Set) -> bool {
    let mut found = Coins(false);
    for card in set.cards.iter().filter(|card| card.copies > 0) {
        found.0 |= card.kind == Kind::Miniboss;
        card.abilities.iter().for_each(|ability| found.ability(ability));
    }
    found.0
}

struct Coins(bool);

impl Visitor for Coins {
    fn act(&mut self, act: &Act) {
        self.0 |= matches!(act, Act::Coins { .. } | Act::SwapHoards { .. });
        walk_act(self, act);
    }

    fn num(&mut self, num: &Num) {
        self.0 |= matches!(num, Num::Coins(_) | Num::Points(Points::Coins, _));
        walk_num(self, num);
    }

    fn event(&mut self, event: &Event) {
        self.0 |= matches!(event.kind, EventKind::CoinGained { .. });
        walk_event(self, event);
    }
}

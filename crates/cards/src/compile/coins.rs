//! Which sets are played with coins: those with a miniboss, or with a card that speaks of coins; and
//! which cards bring coins or want them.

use crate::tree::visit::{Visitor, walk_act, walk_event, walk_num};
use crate::tree::{Act, Card, Event, EventKind, Kind, Num, Points, Set};

pub fn has(set: &Set) -> bool {
    let mut found = Coins(false);
    for card in set.cards.iter().filter(|card| card.copies > 0) {
        found.0 |= card.kind == Kind::Miniboss;
        card.abilities.iter().for_each(|ability| found.ability(ability));
    }
    found.0
}

/// Does the card bring coins out of the supply, and does it cost any?
pub fn brings_and_wants(card: &Card) -> (bool, bool) {
    let mut found = Trade { brings: false, wants: card.kind == Kind::Miniboss };
    card.abilities.iter().for_each(|ability| found.ability(ability));
    (found.brings, found.wants)
}

struct Trade {
    brings: bool,
    wants: bool,
}

impl Visitor for Trade {
    fn act(&mut self, act: &Act) {
        if let Act::Coins { pay, .. } = act {
            *if *pay { &mut self.wants } else { &mut self.brings } = true;
        }
        walk_act(self, act);
    }
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

//! Compares two positions: what is better for a player in the second, and what is worse.

mod pieces;

use cards::vocabulary::Kind;
use engine::id::SLOTS;
use engine::tell::Names;
use engine::{CardId, Event, Fate, Game, Phase, Seat, What, Zone};

/// How much each reason weighs: roughly ten per soul.
const KILL: f64 = 10.0;
const WOUND: f64 = 13.0;
const THEIRS: f64 = 5.0;
/// The last soul, and the last wound.
const DECIDES: f64 = 40.0;
/// A hero in town may still go elsewhere.
const LURE: f64 = 0.8;

/// What is better or worse.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reason {
    /// Its weight, negative for drawbacks.
    pub value: f64,
    pub words: String,
    /// What becomes of it otherwise: a whole clause.
    pub otherwise: Option<String>,
}

impl Reason {
    pub fn new(value: f64, words: impl Into<String>) -> Reason {
        Reason { value, words: words.into(), otherwise: None }
    }
}

pub struct Comparison<'a, N: ?Sized> {
    pub names: &'a N,
    pub me: Seat,
    /// The position before either.
    pub now: &'a Game<'a>,
}

/// What has become of a hero, or will.
#[derive(Clone, Copy, PartialEq)]
enum Standing {
    /// Dead, or about to die in this room.
    Soul(Seat, Option<CardId>),
    /// Has reached the boss, or is about to.
    Wound(Seat),
    /// In town; whose dungeon it would enter, and how that would end.
    Town(Option<(Seat, Fate)>),
    Elsewhere,
}

impl<N: Names + ?Sized> Comparison<'_, N> {
    pub fn all(&self, before: (&Game, &[Event]), after: (&Game, &[Event])) -> Vec<Reason> {
        let mut reasons = Vec::new();
        self.end(before.0, after.0, &mut reasons);
        self.heroes(before.0, after.0, &mut reasons);
        self.rooms(before.0, after.0, &mut reasons);
        pieces::compare(self, before.0, after.0, &mut reasons);
        self.events(after.0, before.1, after.1, &mut reasons);
        reasons
    }

    fn end(&self, before: &Game, after: &Game, reasons: &mut Vec<Reason>) {
        if before.levelled(self.me) != after.levelled(self.me) {
            reasons.push(Reason::new(6.0, "levels up"));
        }
    }

    // ---- heroes ----

    fn heroes(&self, before: &Game, after: &Game, reasons: &mut Vec<Reason>) {
        for hero in self.now.state.card_ids() {
            let place = self.now.state.card(hero).place;
            if place.is_roaming() {
                let (old, new) = (standing(before, hero), standing(after, hero));
                if old != new
                    && let Some(reason) = self.hero(after, hero, old, new)
                {
                    let otherwise = self.otherwise(before, hero, old).filter(|_| self.gains(old, new));
                    reasons.push(Reason { otherwise, ..reason });
                }
            }
        }
        self.decides(before, after, reasons);
    }

    /// Whether the souls are enough to win, or the wounds to lose.
    fn decides(&self, before: &Game, after: &Game, reasons: &mut Vec<Reason>) {
        let edition = self.now.state.rules().edition();
        let me = self.me;
        let count = |game: &Game, is_soul: bool| -> i32 {
            let here = self.now.state.card_ids().filter(|hero| self.now.state.card(*hero).place.is_roaming());
            let mine = here.filter(|hero| match standing(game, *hero) {
                Standing::Soul(seat, _) => is_soul && seat == me,
                Standing::Wound(seat) => !is_soul && seat == me,
                _ => false,
            });
            mine.map(|hero| i32::from(game.def(hero).souls())).sum()
        };
        if let Some(needed) = edition.souls_to_win {
            let has = |game: &Game| self.now.souls(me) + count(game, true) >= i32::from(needed);
            if has(after) && !has(before) {
                reasons.push(Reason::new(DECIDES, format!("that makes {needed} souls, enough to win")));
            }
        }
        if let Some(last) = edition.wounds_to_lose {
            let out = |game: &Game| self.now.wounds(me) + count(game, false) >= i32::from(last);
            match (out(before), out(after)) {
                (true, false) => {
                    reasons.push(Reason::new(
                        DECIDES,
                        format!("keeps you in the game: {last} wounds are the end"),
                    ));
                }
                (false, true) => {
                    reasons.push(Reason::new(-DECIDES, format!("ends the game for you: {last} wounds")));
                }
                _ => {}
            }
        }
    }

    /// Is the new standing what one wants, so that it matters what it would be otherwise?
    fn gains(&self, old: Standing, new: Standing) -> bool {
        let me = self.me;
        match new {
            Standing::Soul(seat, _) => seat == me,
            Standing::Wound(seat) => seat != me,
            Standing::Town(Some((seat, Fate::Dies))) => {
                seat == me && !matches!(old, Standing::Town(Some((was, _))) if was == me)
            }
            _ => false,
        }
    }

    /// What becomes of the hero without the answer.
    fn otherwise(&self, before: &Game, hero: CardId, old: Standing) -> Option<String> {
        let (me, name) = (self.me, before.def(hero).face.short());
        let gets = |seat: Seat| match seat == me {
            true => "you get the soul".to_string(),
            false => format!("{} gets the soul", self.names.player(seat)),
        };
        let through = |seat: Seat| match seat == me {
            true => format!("{name} gets through to you"),
            false => format!("{name} gets through to {}", self.names.player(seat)),
        };
        Some(match old {
            Standing::Soul(seat, _) | Standing::Town(Some((seat, Fate::Dies))) => gets(seat),
            Standing::Wound(seat) | Standing::Town(Some((seat, Fate::Wounds))) => through(seat),
            Standing::Town(None) => format!("{name} stays in town"),
            _ => return None,
        })
    }

    fn hero(&self, after: &Game, hero: CardId, old: Standing, new: Standing) -> Option<Reason> {
        use Standing::*;
        let (me, name) = (self.me, after.def(hero).face.short());
        let points = f64::from(after.def(hero).souls());
        let wound = if points > 1.0 { "two wounds" } else { "a wound" };
        let p = |seat: Seat| self.names.player(seat);
        let (value, words) = match (old, new) {
            (Soul(a, _), Soul(b, _)) | (Wound(a), Wound(b)) if a == b => return None,
            (_, Soul(seat, room)) if seat == me => {
                let place = room.map(|room| format!(" in {}", after.name(room))).unwrap_or_default();
                (KILL, format!("kills {name}{place}"))
            }
            (_, Wound(seat)) if seat == me => (-WOUND, format!("lets {name} through: {wound}")),
            (Wound(seat), Town(_)) if seat == me => {
                (WOUND, format!("saves {wound}: {name} goes back to town"))
            }
            (Wound(seat), Soul(other, _) | Wound(other)) if seat == me => {
                (WOUND, format!("saves {wound}: {name} goes to {}", p(other)))
            }
            (Wound(seat), Elsewhere) if seat == me => (WOUND, format!("saves {wound}: {name} stays out")),
            (_, Wound(seat)) => (THEIRS, format!("{name} gets through to {}'s boss", p(seat))),
            (Soul(seat, _), _) if seat == me => (-KILL, format!("lets {name} escape")),
            (Soul(seat, _), _) => (THEIRS, format!("takes {name} from {}", p(seat))),
            (Town(old), Town(new)) if before_bait(self.now.state.phase()) => {
                return self.lured(after, hero, old, new);
            }
            _ => return None,
        };
        Some(Reason::new(value * points, words))
    }

    fn lured(
        &self,
        after: &Game,
        hero: CardId,
        old: Option<(Seat, Fate)>,
        new: Option<(Seat, Fate)>,
    ) -> Option<Reason> {
        let (me, name) = (self.me, after.def(hero).face.short());
        let p = |seat: Seat| self.names.player(seat);
        let mine = |fate: Option<(Seat, Fate)>| fate.filter(|(seat, _)| *seat == me).map(|(_, fate)| fate);
        let value = |fate: Option<Fate>| match fate {
            Some(Fate::Dies) => KILL,
            Some(Fate::Wounds) => -WOUND,
            _ => 0.0,
        };
        let gain = value(mine(new)) - value(mine(old));
        let words = match (mine(old), mine(new)) {
            (None, Some(Fate::Wounds)) => format!("lures {name}, who gets through"),
            (None, Some(_)) => {
                let away = old.map(|(seat, _)| format!(" away from {}", p(seat))).unwrap_or_default();
                let forecast = after.forecast(hero, me);
                let dies = forecast.rooms.last().filter(|_| forecast.fate == Fate::Dies);
                let place = dies.map(|visit| format!(" to die in {}", after.name(visit.room)));
                format!("lures {name}{away}{}{}", place.unwrap_or_default(), self.count(after, hero))
            }
            (Some(Fate::Wounds), Some(Fate::Dies)) => format!("{name} will no longer get through"),
            (Some(Fate::Dies), Some(Fate::Wounds)) => format!("{name} will get through"),
            (Some(_), None) => match new {
                Some((seat, _)) => format!("leaves {name} to {}", p(seat)),
                None => format!("{name} stays in town"),
            },
            (None, None) => {
                // Between other players: worth telling if one of them loses a soul.
                let (Some((seat, Fate::Dies)), true) = (old, new.is_none_or(|(_, fate)| fate != Fate::Dies))
                else {
                    return None;
                };
                return Some(Reason::new(THEIRS * LURE, format!("keeps {name} from {}", p(seat))));
            }
            _ => return None,
        };
        Some(Reason::new(gain * LURE * f64::from(after.def(hero).souls()), words))
    }

    /// ` (3 cleric treasures to 2)`, if that is what lures the hero.
    fn count(&self, after: &Game, hero: CardId) -> String {
        let def = after.def(hero);
        let mut classes = def.classes.iter();
        let (Some(class), None, None) = (classes.next(), classes.next(), def.lure) else {
            return String::new();
        };
        let others = after.state.seats().filter(|seat| *seat != self.me);
        let most = others.map(|seat| after.pull(hero, seat)).max().unwrap_or(0);
        let own = after.pull(hero, self.me);
        format!(" ({own} {class} {} to {most})", if own == 1 { "treasure" } else { "treasures" })
    }

    // ---- rooms ----

    fn rooms(&self, before: &Game, after: &Game, reasons: &mut Vec<Reason>) {
        for seat in after.state.seats() {
            let (side, whose) = match seat == self.me {
                true => (1.0, String::new()),
                false => (-1.0, format!("{}'s ", self.names.player(seat))),
            };
            let (old, new) = (before.state.slots(seat), after.state.slots(seat));
            for (slot, room) in new.iter().enumerate() {
                // The same room as before, or the one it was built on.
                let same = old.iter().find(|other| *other == room);
                let Some(was) = same.or(old.get(slot).filter(|_| old.len() == new.len())) else { continue };
                let gain = after.room_damage(*room) - before.room_damage(*was);
                if gain != 0 && !pieces::explain(before, *was, after, *room, gain) {
                    let words = format!("{gain:+} damage for {whose}{}", after.name(*room));
                    reasons.push(Reason::new(side * f64::from(gain), words));
                }
            }
            if new.len() > old.len() && seat == self.me {
                let (words, value) = match (new.len(), after.levelled(seat)) {
                    (_, true) => ("a new room".into(), 1.5),
                    (SLOTS, _) => ("your fifth room: level up".into(), 6.0),
                    (rooms, _) => (format!("a new room: {rooms} of {SLOTS} to level up"), 2.5),
                };
                reasons.push(Reason::new(value, words));
            }
        }
        for class in self.now.db.classes.iter() {
            let ahead = |game: &Game| {
                let mut others = game.state.seats().filter(|seat| *seat != self.me);
                let own = game.treasure(self.me, class);
                own > 0 && others.all(|seat| game.treasure(seat, class) < own)
            };
            match (ahead(before), ahead(after)) {
                (false, true) => reasons.push(Reason::new(0.8, format!("ahead in {class} treasure"))),
                (true, false) => {
                    reasons.push(Reason::new(-0.8, format!("no longer ahead in {class} treasure")))
                }
                _ => {}
            }
        }
    }

    // ---- what happened ----

    fn events(&self, after: &Game, old: &[Event], new: &[Event], reasons: &mut Vec<Reason>) {
        let mut expected = old.to_vec();
        let (mut rooms, mut spells) = (0, 0);
        for event in new {
            // What happens either way is not a reason.
            if let Some(at) = expected.iter().position(|other| other == event) {
                expected.swap_remove(at);
                continue;
            }
            if let Event { what: What::Draws, actor, card: Some(card), .. } = event
                && *actor == self.me
            {
                let count = if after.db.def(card.def).kind == Kind::Spell { &mut spells } else { &mut rooms };
                *count += 1;
            }
            reasons.extend(self.event(after, *event));
        }
        for (count, what, value) in [(spells, "spell", 2.5), (rooms, "room", 1.0)] {
            match count {
                0 => {}
                1 => reasons.push(Reason::new(value, format!("draws a {what}"))),
                n => reasons.push(Reason::new(value * f64::from(n), format!("draws {n} {what}s"))),
            }
        }
    }

    fn event(&self, after: &Game, event: Event) -> Option<Reason> {
        let name = event.card.map_or("it", |card| after.db.name(card.def));
        let p = |seat: Seat| self.names.player(seat);
        let (me, actor) = (self.me, event.actor);
        // Whose it was.
        let owner = event.from.map_or(Seat::NONE, |from| from.place.seat());
        let (value, words) = match event.what {
            What::Takes if actor == me => (2.5, format!("takes {name}")),
            What::Discards if owner != me => (1.5, format!("{} discards {name}", p(owner))),
            What::Destroyed if owner != me => (3.0, format!("destroys {}'s {name}", p(owner))),
            What::Destroyed => (-3.0, format!("costs {name}")),
            What::Cancelled => (4.0, format!("cancels {name}")),
            What::Healed { .. } if owner == me => (WOUND, "heals a wound".into()),
            What::Deactivated if owner != me => (2.0, format!("deactivates {}'s {name}", p(owner))),
            _ => return None,
        };
        Some(Reason::new(value, words))
    }
}

fn standing(game: &Game, hero: CardId) -> Standing {
    let place = game.state.card(hero).place;
    let seat = place.seat();
    match place.zone() {
        Zone::Scoring if game.is_facedown(hero) => Standing::Soul(seat, None),
        Zone::Scoring => Standing::Wound(seat),
        Zone::Town => {
            let to = game.lured_to(hero);
            Standing::Town(to.map(|seat| (seat, game.forecast(hero, seat).fate)))
        }
        Zone::Inside | Zone::Entrance => {
            let walk = game.forecast(hero, seat);
            match walk.fate {
                Fate::Dies => Standing::Soul(seat, walk.rooms.last().map(|visit| visit.room)),
                Fate::Wounds => Standing::Wound(seat),
                Fate::StaysOut => Standing::Elsewhere,
            }
        }
        _ => Standing::Elsewhere,
    }
}

/// Will the heroes in town still be lured this turn?
fn before_bait(phase: Phase) -> bool {
    !matches!(phase, Phase::Bait | Phase::Adventure | Phase::End)
}

//! Events: "a hero dies in this room", "a card of yours makes an opponent discard a card".

use super::phrase::{Det, Prep, Subject, is_you};
use super::word::{Phrase, list, third};
use super::{Origin, Printer};
use crate::tree::*;

/// How an event is spoken of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// "a hero dies"
    Happens,
    /// "a hero would die"
    Would,
    /// "no hero can die"
    Cannot,
    /// "a hero may die"
    May,
    /// "a hero may die", wherever that is.
    MayAnyway,
}

/// The draw at the beginning of a turn.
pub const TURN_DRAW: &str = "room draw at the start of the turn";

/// The parts of an event that happens to something.
struct Happening<'e> {
    name: Option<&'e Name>,
    subject: &'e Sel,
    words: &'e [EventWord],
    object: Option<&'e Object>,
}

impl Happening<'_> {
    /// Spells are cast, items are used.
    fn verb(&self, word: EventWord) -> &'static str {
        if word == EventWord::Cast && self.is_about(Noun::Item) { "use" } else { verb_of(word) }
    }

    fn is_about(&self, noun: Noun) -> bool {
        matches!(self.subject, Sel::Selector(s) if s.noun == noun)
    }

    /// It comes to an entrance, which nobody enters.
    fn is_at_entrance(&self) -> bool {
        matches!(self.object, Some(Object::Place(place)) if place.zones == [Zone::Entrance])
    }

    /// A room comes from its dungeon into hand.
    fn is_coming_back(&self) -> bool {
        *self.words == [EventWord::Taken] && *self.subject == Sel::Ref(Ref::This)
    }
}

impl Printer<'_> {
    pub fn event(&mut self, event: &Event, mood: Mood) -> String {
        let (happening, by, because) = match &event.kind {
            EventKind::TurnDraw => {
                let your = self.owner(&Who::You);
                return format!("{your} {TURN_DRAW} {}", comes(mood));
            }
            EventKind::EndOfTurn => return format!("the end of the turn {}", comes(mood)),
            EventKind::StartOfBuild => return format!("the start of the Build phase {}", comes(mood)),
            EventKind::CoinGained { by } => {
                let subject = self.subject(&by.clone().unwrap_or(Who::Any));
                let gain = if subject.reader || mood != Mood::Happens { "gain" } else { "gains" };
                return format!("{} {gain} coins", subject.label);
            }
            EventKind::Happens { name, subject, words, object, by, because } => {
                let (name, object) = (name.as_ref(), object.as_ref());
                (Happening { name, subject, words, object }, by, because)
            }
        };
        let this = *happening.subject == Sel::Ref(Ref::This);
        // What `you` build is this very room: nobody else can.
        let own = *happening.words == [EventWord::Built] && this && because.is_none();
        let by = by.clone().or(own.then_some(Who::You));
        let done = happening.words.iter().all(|word| has_doer(*word));
        let alone = happening.object.is_none();
        let said = match (by, because) {
            (Some(who), None) if done => self.does(&who, &happening, mood),
            (Some(who), Some(cause)) if done => {
                let cause = self.cause(cause);
                let makes = match mood {
                    Mood::Happens | Mood::Would => "makes",
                    Mood::Cannot => "cannot make",
                    Mood::May | Mood::MayAnyway => "may make",
                };
                let doer = self.subject(&who).label;
                let verbs: Vec<String> =
                    happening.words.iter().map(|w| happening.verb(*w).to_string()).collect();
                let done = self.acting(&who, |p| p.done_to(&happening, mood, Det::A));
                format!("{cause} {makes} {doer} {} {done}", list(&verbs, "or"))
            }
            (by, cause) => self.happens(by, cause.as_ref(), &happening, mood),
        };
        if this && alone {
            self.focus = Some(Ref::This);
        }
        said
    }

    /// "you build another room"
    fn does(&mut self, who: &Who, happening: &Happening<'_>, mood: Mood) -> String {
        let is_nobody = mood == Mood::Cannot && matches!(who, Who::Opponent | Who::Player | Who::Any);
        let doer = self.doer(who, is_nobody);
        let verbs: Vec<String> = happening
            .words
            .iter()
            .map(|word| match mood {
                Mood::Happens if !doer.plural => third(happening.verb(*word)),
                _ => happening.verb(*word).to_string(),
            })
            .collect();
        let verbs = list(&verbs, "or");
        // "No opponent can cast a spell", but "you cannot cast spells".
        let det = if mood == Mood::Cannot && !is_nobody { Det::Plural } else { Det::A };
        let done = self.acting(who, |p| p.done_to(happening, mood, det));
        let can = match mood {
            Mood::Happens => "",
            Mood::Would => "would ",
            Mood::May | Mood::MayAnyway => "may ",
            Mood::Cannot if is_nobody => "can ",
            Mood::Cannot => "cannot ",
        };
        format!("{} {can}{verbs} {done}", doer.text())
    }

    fn done_to(&mut self, happening: &Happening<'_>, mood: Mood, det: Det) -> String {
        let thing = self.participant(happening, det);
        format!("{}{}", thing.text(), self.object(happening, mood))
    }

    /// "a hero dies", "this room is destroyed by another card"
    fn happens(
        &mut self,
        by: Option<Who>,
        cause: Option<&Cause>,
        happening: &Happening<'_>,
        mood: Mood,
    ) -> String {
        let det = if mood == Mood::Cannot { Det::No } else { Det::A };
        let thing = self.participant(happening, det);
        let subject = happening.subject;
        let bare_no = det == Det::No && matches!(subject, Sel::Selector(s) if s.quant == Quant::Bare);
        let predicate = predicate(happening, mood, &thing, bare_no);
        let object = self.object(happening, mood);
        let by = by.map_or(String::new(), |who| format!(" because of {}", self.subject(&who).label));
        let passive = happening.words.iter().all(|word| participle(*word).is_some());
        let cause = cause.map_or(String::new(), |cause| {
            format!(" {} {}", if passive { "by" } else { "because of" }, self.cause(cause))
        });
        format!("{} {predicate}{object}{by}{cause}", thing.text())
    }

    fn doer(&mut self, who: &Who, is_nobody: bool) -> Phrase {
        match who {
            Who::Opponent if is_nobody => Phrase::one("no opponent"),
            _ if is_nobody => Phrase::one("no player"),
            _ => match self.subject(who) {
                Subject { label, reader: true } => Phrase::many(label),
                Subject { label, reader: false } => Phrase::one(label),
            },
        }
    }

    /// "a card of yours", "another card"
    fn cause(&mut self, cause: &Cause) -> String {
        match cause {
            Cause::Who(who) if is_you(who) && self.reader() => "a card of yours".into(),
            Cause::Who(Who::Any | Who::Player) => "a card".into(),
            Cause::Who(who) => format!("{} card", self.owner(who)),
            Cause::Card(sel) => self.things(sel, Det::A, Prep::In).text(),
        }
    }

    fn participant(&mut self, happening: &Happening<'_>, det: Det) -> Phrase {
        let moved =
            happening.words.iter().all(|word| matches!(word, EventWord::Discarded | EventWord::Taken));
        let prep = if moved { Prep::Out } else { Prep::In };
        match happening.name {
            Some(name) => {
                self.learn(name, happening.subject, Origin::Event, None);
                let phrase = self.refer(&Ref::Name(name.clone()), det, prep);
                self.focus = None;
                phrase
            }
            None => self.things(happening.subject, det, prep),
        }
    }

    fn object(&mut self, happening: &Happening<'_>, mood: Mood) -> String {
        let det = if mood == Mood::MayAnyway { Det::Any } else { Det::A };
        let bare = matches!(happening.words.last(), Some(EventWord::Enters | EventWord::Survives));
        match happening.object {
            None => String::new(),
            Some(Object::On(sel)) => format!(" on {}", self.things(sel, det, Prep::In).text()),
            Some(Object::Beside(r)) => format!(" next to {}", self.refer(r, Det::A, Prep::In).text()),
            Some(Object::Room(sel)) => {
                let room = self.things(sel, Det::A, Prep::In).text();
                if bare { format!(" {room}") } else { format!(" in {room}") }
            }
            Some(Object::Named(name, sel)) => {
                self.learn(name, sel, Origin::Event, None);
                let room = self.refer(&Ref::Name(name.clone()), Det::A, Prep::In).text();
                self.focus = None;
                format!(" {room}")
            }
            Some(Object::Place(place)) if bare => format!(" {}", self.place(place)),
            Some(Object::Place(place)) => format!(" {}", self.at(place, Prep::In)),
        }
    }
}

fn comes(mood: Mood) -> &'static str {
    match mood {
        Mood::Happens => "comes",
        Mood::Would => "would come",
        Mood::Cannot => "does not happen",
        Mood::May | Mood::MayAnyway => "may come",
    }
}

/// Somebody does it; the others happen to somebody or something.
fn has_doer(word: EventWord) -> bool {
    use EventWord::*;
    matches!(word, Built | Cast | Destroyed | Discarded | Killed | Promoted | Taken)
}

fn verb_of(word: EventWord) -> &'static str {
    match word {
        EventWord::Built => "build",
        EventWord::Cast => "cast",
        EventWord::Destroyed => "destroy",
        EventWord::Discarded => "discard",
        EventWord::Enters => "enter",
        EventWord::Killed => "kill",
        EventWord::Revealed => "reveal",
        EventWord::Promoted => "promote",
        EventWord::Gained => "gain",
        EventWord::Lured => "lure",
        EventWord::Survives => "survive",
        EventWord::Taken => "take",
        EventWord::Uncovered => "uncover",
        EventWord::Wins => "win",
        EventWord::Loses => "lose",
    }
}

/// What is done to it, where something is.
fn participle(word: EventWord) -> Option<&'static str> {
    match word {
        EventWord::Built | EventWord::Cast | EventWord::Destroyed | EventWord::Discarded => Some(word.word()),
        EventWord::Gained | EventWord::Promoted => Some(word.word()),
        EventWord::Lured | EventWord::Revealed | EventWord::Taken | EventWord::Uncovered => Some(word.word()),
        EventWord::Enters | EventWord::Killed | EventWord::Loses | EventWord::Survives | EventWord::Wins => {
            None
        }
    }
}

fn predicate(happening: &Happening<'_>, mood: Mood, thing: &Phrase, bare_no: bool) -> String {
    let words = happening.words;
    let plain = matches!(mood, Mood::Happens);
    if plain && happening.is_coming_back() {
        return "goes back to your hand".into();
    }
    if plain && happening.is_at_entrance() {
        return format!("{} to", thing.pick("comes", "come"));
    }
    if plain && *words == [EventWord::Cast] && happening.is_about(Noun::Item) {
        return format!("{} used", thing.pick("is", "are"));
    }
    let can = match mood {
        Mood::Happens => "",
        Mood::Would => "would ",
        Mood::May | Mood::MayAnyway => "may ",
        Mood::Cannot if bare_no => "can ",
        Mood::Cannot => "cannot ",
    };
    let be = if plain { thing.pick("is", "are") } else { "be" };
    let parts: Vec<&str> = words.iter().filter_map(|word| participle(*word)).collect();
    if parts.len() == words.len() {
        let parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
        return format!("{can}{be} {}", list(&parts, "or"));
    }
    let said: Vec<String> = words
        .iter()
        .enumerate()
        .map(|(i, word)| match (participle(*word), word) {
            (Some(part), _) => format!("{be} {part}"),
            (None, EventWord::Killed) => {
                let die = if plain { thing.pick("dies", "die") } else { "die" };
                // "dies in or survives this room"
                let open = i + 1 < words.len() && matches!(happening.object, Some(Object::Room(_)));
                format!("{die}{}", if open { " in" } else { "" })
            }
            (None, word) if plain && !thing.plural => third(verb_of(*word)),
            (None, word) => verb_of(*word).to_string(),
        })
        .collect();
    format!("{can}{}", list(&said, "or"))
}

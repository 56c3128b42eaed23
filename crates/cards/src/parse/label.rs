//! What a place in a line can expect, and the words that fit there.

use crate::tree::*;

pub const KIND: &str = "a kind of card";
pub const FACT: &str = "a fact";
pub const NUMBER: &str = "a collector number or `-`";
pub const CODE: &str = "a set code in capitals";
pub const TEXT: &str = "a quoted text";
pub const HEADER: &str = "an ability or a ruling";
pub const STATEMENT: &str = "a verb or another statement";
pub const VERB: &str = "a verb";
pub const NAME: &str = "a name";
pub const SEL: &str = "a thing to point at";
pub const NOUN: &str = "a noun";
pub const ADJECTIVE: &str = "an adjective";
pub const ZONE: &str = "a place";
pub const WHO: &str = "a player";
pub const REF: &str = "a name, `this`, `it` or `you`";
pub const NUM: &str = "a number";
pub const COND: &str = "a condition";
pub const STAT: &str = "a value";
pub const EVENT: &str = "an event";
pub const WORD: &str = "what happens";
pub const LIMIT: &str = "a limit";
pub const COMPARISON: &str = "a comparison";
pub const CLASS: &str = "a class";
pub const CONFIDENCE: &str = "`A`, `B` or `C`";
pub const TIMES: &str = "a number of copies such as `x2`";
pub const BACK: &str = "`room` or `spell`";
pub const PHASE: &str = "`build` or `adventure`";
pub const STATUS: &str = "`blank` or `stunned`";
pub const LIFETIME: &str = "`turn` or `game`";
pub const SIDE: &str = "`facedown` or `faceup`";
pub const ZERO: &str = "`0`";

pub const ALL: &[&str] = &[
    KIND, FACT, NUMBER, CODE, TEXT, HEADER, STATEMENT, VERB, NAME, SEL, NOUN, ADJECTIVE, ZONE, WHO, REF, NUM,
    COND, STAT, EVENT, WORD, LIMIT, COMPARISON, CLASS, CONFIDENCE, TIMES, BACK, PHASE, STATUS, LIFETIME,
    SIDE, ZERO,
];

/// The words with which the thing of this label can begin.
pub fn words_of(asked: &str) -> Vec<&'static str> {
    fn of<T>(words: &[(&'static str, T)]) -> Vec<&'static str> {
        words.iter().flat_map(|(w, _)| w.split(' ').next()).collect()
    }
    let join = |lists: &[Vec<&'static str>]| lists.concat();
    match asked {
        KIND => join(&[of(Kind::WORDS), vec!["set"]]),
        FACT => join(&[
            vec![
                "xp",
                "damage",
                "health",
                "players",
                "star",
                "advanced",
                "dark",
                "portable",
                "published",
                "house",
            ],
            of(Subtype::WORDS),
            of(Class::WORDS),
            of(Phase::OF_ACTIONS),
        ]),
        HEADER => {
            vec!["ruling", "ability", "play", "when", "instead", "always", "level", "minion", "lure"]
        }
        STATEMENT => join(&[
            words_of(VERB),
            vec!["target", "choose", "let", "require", "cost", "may", "either", "or"],
            vec!["if", "else", "each", "repeat", "until"],
        ]),
        VERB => {
            let others = [
                "draw", "look", "take", "pay", "attach", "move", "swap", "arrange", "damage", "skip",
                "build", "trigger", "gain", "lose",
            ];
            join(&[of(Verb::WORDS), others.to_vec()])
        }
        SEL => join(&[
            vec!["all", "random", "top", "first", "last"],
            of(Adjective::words()),
            of(Noun::WORDS),
            words_of(REF),
        ]),
        NOUN => of(Noun::WORDS),
        ADJECTIVE => of(Adjective::words()),
        ZONE => of(Zone::WORDS),
        WHO => join(&[vec!["opponent", "player", "any"], words_of(REF)]),
        REF => vec!["this", "it", "you", "owner", "host"],
        NUM => join(&[vec!["count", "counters", "printed", "roll"], of(Points::WORDS), of(Value::WORDS)]),
        COND => join(&[vec!["some", "no", "not"], words_of(REF), words_of(NUM)]),
        STAT => of(Stat::WORDS),
        EVENT => join(&[vec!["turn", "end", "start", "coin"], words_of(SEL)]),
        WORD => of(EventWord::WORDS),
        LIMIT => of(Limit::WORDS),
        BACK => of(Back::WORDS),
        PHASE => of(Phase::OF_ACTIONS),
        STATUS => of(Status::WORDS),
        LIFETIME => of(Lifetime::WORDS),
        SIDE => of(Side::WORDS),
        CLASS => of(Class::WORDS),
        CONFIDENCE => of(Confidence::WORDS),
        _ => Vec::new(),
    }
}

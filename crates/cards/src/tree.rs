//! The syntax tree of a card file: made by the parser, read by the checker, the printers and the
//! compiler. Every node says what the text says and nothing more; positions (`Span`) are ignored by
//! equality, so that text -> tree -> text -> tree can be compared.

pub mod visit;

pub use crate::vocabulary::*;

/// A half-open byte range in the source text. Equal to every other span.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}
impl Eq for Span {}

/// One file: `set CODE "Title"` and its cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    pub code: String,
    pub title: String,
    pub cards: Vec<Card>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub kind: Kind,
    pub name: String,
    pub copies: u8,
    pub fields: Fields,
    pub rulings: Vec<String>,
    pub abilities: Vec<Ability>,
    pub span: Span,
}

/// The line of facts below a card's name.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fields {
    /// Collector number such as `BMR027`; `None` is written `-`.
    pub number: Option<String>,
    pub xp: Option<u16>,
    pub damage: Option<Damage>,
    pub health: Option<u8>,
    pub players: Option<Players>,
    pub subtype: Option<Subtype>,
    pub advanced: bool,
    /// A dark hero, whose opponents may help it.
    pub dark: bool,
    /// A room that may be taken back into hand (rule 6.7).
    pub portable: bool,
    /// Treasure icons as printed, repeated when an icon is printed twice.
    pub icons: Vec<Class>,
    /// Phases in which a spell may be cast.
    pub phases: Vec<Phase>,
    pub provenance: Provenance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    Fixed(u8),
    /// Printed `*`: counts as 0, the card's `always` rule supplies the number.
    Star,
}

/// From how many players a hero is used; `Star` heroes always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    From(u8),
    Star,
}

/// Where the facts of a card come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Provenance {
    /// Established from sources, with the confidence in them: `published A`.
    Published(Confidence),
    /// Designed by the writer of the file: `house`.
    #[default]
    House,
}

impl Provenance {
    pub fn in_words(self) -> &'static str {
        match self {
            Provenance::Published(Confidence::A) => "published card, well attested",
            Provenance::Published(Confidence::B) => "published card, attested with small doubts",
            Provenance::Published(Confidence::C) => "published card, poorly attested",
            Provenance::House => "house card, designed for this set",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    pub kind: AbilityKind,
    /// The level of a miniboss it belongs to; 0 on every other card.
    pub level: u8,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbilityKind {
    /// `ability [from hand] [in PHASE] [by WHO] [limit]`: activated, by its owner unless `by` says
    /// otherwise.
    Activated {
        from_hand: bool,
        phase: Option<Phase>,
        by: Option<Who>,
        limit: Option<Limit>,
        body: Vec<Stmt>,
    },
    /// `play`: casting the spell.
    Play { body: Vec<Stmt> },
    /// `when EVENT [limit]`
    When { event: Event, limit: Option<Limit>, body: Vec<Stmt> },
    /// `instead of EVENT [limit]`
    InsteadOf { event: Event, limit: Option<Limit>, body: Vec<Stmt> },
    /// `always: RULE`, or `always from hand: RULE` for a card that is not in play yet.
    Always { from_hand: bool, rule: Rule },
    /// `level up`: the boss's, once per game.
    LevelUp { body: Vec<Stmt> },
    /// `minion`: an action space of a room or a levelled-up boss.
    Minion { body: Vec<Stmt> },
    /// `lure most NUM` or `lure fewest NUM`; in NUM `it` is each player in turn.
    Lure { most: bool, num: Num },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "trees are few and short-lived")]
pub enum StmtKind {
    /// `target N = SEL`: asked when the action is declared.
    Target {
        name: Name,
        sel: Sel,
    },
    /// `choose N = SEL [by WHO]`: asked when the effect resolves.
    Choose {
        name: Name,
        sel: Sel,
        by: Option<Who>,
    },
    /// `target N = number NUM to NUM`: a number, asked when the action is declared.
    Number {
        name: Name,
        from: Num,
        to: Num,
    },
    /// `let N = NUM`: the number as it is now.
    Let {
        name: Name,
        num: Num,
    },
    /// `require COND`
    Require(Cond),
    /// `cost ACT`: paid when the action is declared.
    Cost(Act),
    Act(Act),
    /// `may [by WHO]` and a block.
    May {
        by: Option<Who>,
        body: Vec<Stmt>,
    },
    /// `either [by WHO]`, a block, then `or` and a block once or more.
    Either {
        by: Option<Who>,
        options: Vec<Vec<Stmt>>,
    },
    /// `if COND`, a block, and perhaps `else` and a block.
    If {
        cond: Cond,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// `each N = SEL` and a block.
    Each {
        name: Name,
        sel: Sel,
        body: Vec<Stmt>,
    },
    /// `repeat INT` and a block; a `may` that is declined ends it.
    Repeat {
        times: u8,
        body: Vec<Stmt>,
    },
    /// `until end of turn [once]: RULE`, or a block of `when` abilities; `until end of game: RULE`.
    Until {
        lifetime: Lifetime,
        once: bool,
        what: Lasting,
    },
}

/// What holds until then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "trees are few and short-lived")]
pub enum Lasting {
    Rule(Rule),
    Abilities(Vec<Ability>),
}

/// A name bound by the card's writer: a short lower-case word that is not a word of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// `draw [N =] (room|spell) NUM [for WHO]`
    Draw { name: Option<Name>, deck: Back, count: Num, by: Option<Who> },
    /// `look PLACE`: you see the cards there.
    Look { place: Place },
    /// `take OP [for WHO]`: into your hand, or into theirs.
    Take { op: Operand, by: Option<Who> },
    /// `move OP to PLACE [facedown|faceup]` or `move OP to SEL` (a room).
    Move { op: Operand, to: Destination, side: Option<Side> },
    /// `swap REF and REF`: two stacks of one dungeon change places.
    Swap { a: Ref, b: Ref },
    /// `arrange PLACE [reversed]`: the stacks of a dungeon in another order.
    Arrange { place: Place, reversed: bool },
    /// `damage OP NUM`
    Damage { op: Operand, amount: Num },
    /// `skip OP NUM`: the hero passes the next rooms it would enter.
    Skip { op: Operand, rooms: Num },
    /// `build OP [on SEL]`: at once, face up; `on` narrows the place.
    Build { op: Operand, on: Option<Sel> },
    /// `gain counter NUM on REF`, `lose counter NUM on REF`
    Counters { gain: bool, amount: Num, op: Operand },
    /// `gain coin NUM [for WHO]`, `pay coin NUM [for WHO] [to WHO] [on REF]`
    Coins { pay: bool, amount: Num, by: Option<Who>, to: Option<Who>, on: Option<Ref> },
    /// `swap hoard and hoard of WHO`
    SwapHoards { with: Who },
    /// `attach OP to SEL`: a miniboss to one of these rooms of yours, with its level.
    Attach { op: Operand, to: Sel },
    /// `trigger OP WORD (or WORD)*`: a room's own ability about being built or uncovered.
    Trigger { op: Operand, words: Vec<EventWord> },
    /// The verbs that need nothing but what they act on.
    Simple { verb: Verb, op: Operand },
}

/// What a verb acts on; a selector written here is chosen when the verb runs, and may be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    pub name: Option<Name>,
    pub sel: Sel,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    Place(Place),
    Room(Sel),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sel {
    Ref(Ref),
    Selector(Box<Selector>),
}

/// `[quant] adjective* noun [where it is] [but REF] [where COND]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    pub quant: Quant,
    pub adjectives: Vec<Adjective>,
    pub noun: Noun,
    pub site: Option<Site>,
    pub but: Option<Ref>,
    pub cond: Option<Cond>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quant {
    /// No word: one, chosen, in an act; every match in a rule; any match in an event or a count.
    Bare,
    /// `2 card`
    Count(u8),
    /// `all`
    All,
    /// `random` (1) or `random 2`
    Random(u8),
    /// `top` (1) or `top 3`, of a deck.
    Top(u8),
    /// `first`: leftmost in the dungeon.
    First,
    /// `first 3`: so many from the left.
    Leading(u8),
    /// `last`: rightmost, before the boss.
    Last,
}

/// Where the selected things are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// `in town`, `in dungeon of any`, `in room deck or discard`
    In(Place),
    /// `in REF`: a hero in that room, or one of the cards of that name.
    InRef(Ref),
    /// `on REF`: attached to that card.
    On(Ref),
    LeftOf(Ref),
    RightOf(Ref),
    Beside(Ref),
    /// Below it in its stack.
    Under(Ref),
}

/// `zone (or zone)* [of WHO]`; without `of`, yours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub zones: Vec<Zone>,
    pub of: Option<Who>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    You,
    Opponent,
    Player,
    Any,
    Ref(Ref),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ref {
    This,
    /// In a `where`, a rule or a `lure`: the thing being considered.
    It,
    You,
    Name(Name),
    OwnerOf(Box<Ref>),
    /// What this card is attached to.
    Host,
    HostOf(Box<Ref>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Num {
    Int(u8),
    /// A number with a name.
    Name(Name),
    /// `INT * NUM`
    Times(u8, Box<Num>),
    /// `coins on REF`
    Coins(Ref),
    /// `count SEL`
    Count(Sel),
    /// `souls of WHO`, `lured-this-turn of WHO`: what is counted for a player.
    Points(Points, Who),
    /// `life of REF`, `health of REF`, `printed damage of REF`
    Value {
        printed: bool,
        value: Value,
        of: Ref,
    },
    /// `roll INT`: what a die with that many sides shows.
    Roll(u8),
    /// `counters on REF`
    Counters(Ref),
    /// `count [TYPE] icon on REF` or `count [TYPE] icon in PLACE`
    Icons {
        icon: Option<IconType>,
        site: IconSite,
    },
    Add(Box<Num>, Box<Num>),
    Sub(Box<Num>, Box<Num>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// `some SEL`
    Some(Sel),
    /// `no SEL`
    No(Sel),
    Compare(Num, Comparison, Num),
    /// `REF is ADJECTIVE`
    Is(Ref, Adjective),
    /// `REF is NOUN`: which kind of card it is.
    IsA(Ref, Noun),
    /// `REF in PLACE`
    In(Ref, Place),
    /// `you done`: your time to place rooms, or to process heroes, is over this phase.
    Done,
    /// `you active`
    Active,
    /// `you promoted`: your one promotion of the turn is used up.
    Promoted,
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub kind: RuleKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// `SEL has [TYPE] STAT CHANGE [against SEL] [while COND]`; the treasure type is only allowed
    /// before `icon`, `against` names the heroes for whom a room deals other damage.
    Has {
        sel: Sel,
        icon: Option<IconType>,
        stat: Stat,
        change: Change,
        against: Option<Sel>,
        during: Option<Cond>,
    },
    /// `SEL is STATUS [against SEL] [while COND]`
    Is { sel: Sel, status: Status, against: Option<Sel>, during: Option<Cond> },
    /// `forbid EVENT [while COND]`
    Forbid { event: Event, during: Option<Cond> },
    /// `allow EVENT [while COND]`
    Allow { event: Event, during: Option<Cond> },
}

/// Where icons are counted: on a room or a boss, or in a whole dungeon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IconSite {
    On(Ref),
    In(Place),
}

/// Which treasure type an icon is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IconType {
    Class(Class),
    /// The type chosen by `choose N = class`.
    Name(Name),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// `+ NUM`, written `+3` when a plain number.
    Plus(Num),
    /// `- NUM`
    Minus(Num),
    /// `xN`
    Times(u8),
    /// `= 0`: cancels what was printed or added before.
    Zero,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub kind: EventKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// `turn draw`: the draw at the beginning of the turn.
    TurnDraw,
    /// `end of turn`: before the check for a winner.
    EndOfTurn,
    /// `start of build`: before anybody places a room.
    StartOfBuild,
    /// `coin gained [by WHO]`
    CoinGained { by: Option<Who> },
    /// `[N =] SEL WORD (or WORD)* [object] [by WHO] [because of CAUSE]`
    Happens {
        name: Option<Name>,
        subject: Sel,
        words: Vec<EventWord>,
        object: Option<Object>,
        by: Option<Who>,
        because: Option<Cause>,
    },
}

/// What caused it: a card of these players, or one of these cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    Who(Who),
    Card(Sel),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// `on SEL`, after `built`.
    On(Sel),
    /// `beside REF`, after `built`.
    Beside(Ref),
    /// `in SEL` after `killed`; the bare `SEL` after `enters` and `survives`.
    Room(Sel),
    /// `N = SEL` after `enters` and `survives`.
    Named(Name, Sel),
    /// `dungeon of p` after `enters` and `survives`.
    Place(Place),
}

//! What can be wrong with a card file that has no syntax errors.

use super::{
    MAX_ABILITIES, MAX_BLOCKS, MAX_COPIES, MAX_HELD, MAX_KEPT, MAX_LIMITED, MAX_NAMES, MAX_SELECTORS,
    MAX_SLOTS, MAX_STATEMENTS, MAX_TITLE,
};
use crate::report::Severity;

/// The message says what is wrong, [`CheckFault::reason`] why, [`CheckFault::suggestion`] how to
/// fix it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckFault {
    #[error("two cards are named \"{name}\"")]
    SameName { name: String },
    #[error("two cards have the number {number}")]
    SameNumber { number: String },
    #[error("the card has no name")]
    NoName,
    #[error("the card's name is too long, or not on one line")]
    NameForm,
    #[error("a {kind} needs `{fact}`")]
    MissingFact { kind: &'static str, fact: &'static str },
    #[error("a {kind} has no `{fact}`")]
    StrayFact { kind: &'static str, fact: &'static str },
    #[error("`{fact}` is out of range")]
    FactRange { fact: &'static str, least: u16, most: u16 },
    #[error("{copies} copies are not possible")]
    Copies { copies: u8 },
    #[error("`damage *` needs a rule that gives the number")]
    StarWithoutRule,
    #[error("the hero has no icon and no `lure`")]
    NoLure,
    #[error("the hero has an icon and a `lure`")]
    IconAndLure,
    #[error("{} {kind} cannot have `{ability}`", article(kind))]
    MisplacedAbility { ability: &'static str, kind: &'static str },
    #[error("a spell needs exactly one `play`")]
    OnePlay,
    #[error("a second `{ability}`")]
    SecondAbility { ability: &'static str },
    #[error("`{limit}` is not allowed here")]
    StrayLimit { limit: &'static str },
    #[error("more than {MAX_LIMITED} abilities are limited to once per turn")]
    ManyLimits,
    #[error("more than {MAX_ABILITIES} abilities on one card")]
    ManyAbilities,
    #[error("`{ability} {event}` is not known")]
    EventUse { ability: &'static str, event: &'static str },
    #[error("`by` after `{event}`")]
    StrayBy { event: &'static str },
    #[error("`because of` after `{event}`")]
    StrayCause { event: &'static str },
    #[error("`{event}` what?")]
    EntersWhat { event: &'static str },
    #[error("an `entrance` does not go here")]
    StrayEntrance,
    #[error("not every word goes with what stands after `{event}`")]
    SharedObject { event: &'static str },
    #[error("`allow` building where?")]
    AllowWhere,
    #[error("rooms under another are `covered`")]
    Uncovered,
    #[error("a {kind} has no ability `from hand`")]
    FromHand { kind: &'static str },
    #[error("`always from hand` is about building this card")]
    HandRule,
    #[error("a die is rolled for damage only")]
    StrayRoll,
    #[error("a die with {sides} sides")]
    Die { sides: u8 },
    #[error("`copy` is not allowed here")]
    StrayCopy,
    #[error("`{word}` is not triggered this way")]
    NoTrigger { word: &'static str },
    #[error("a limit on an ability `from hand`")]
    HandLimit,
    #[error("`by` names nobody new")]
    UserNamed,
    #[error("`{ability}` cannot last")]
    LastingAbility { ability: &'static str },
    #[error("a limit on an ability that lasts")]
    LastingLimit,
    #[error("an `until` block in an `until` block")]
    NestedUntil,
    #[error("`once` is not allowed here")]
    StrayOnce,

    #[error("nothing is named `{name}`")]
    Unbound { name: String, near: Option<String> },
    #[error("`{name}` is bound twice")]
    BoundTwice { name: String },
    #[error("more than {MAX_NAMES} names in one ability")]
    ManyNames,
    #[error("the ability holds more than {MAX_SLOTS} things at once")]
    ManySlots,
    #[error("`{name}` would hold {count} things")]
    HoldsMany { name: String, count: u8 },
    #[error("`{name}` holds several things")]
    Several { name: String },
    #[error("a rule cannot bind a name")]
    NameInRule,
    #[error("a name for something already named")]
    NameForName,
    #[error("only a single card that you draw has a name")]
    NamedDraw,
    #[error("the coins go nowhere")]
    WhichHoard,
    #[error("`build` cannot name what it builds")]
    NameInBuild,
    #[error("more than {MAX_KEPT} names in what lasts")]
    ManyKept,
    #[error("`it` has nothing to stand for")]
    StrayIt,
    #[error("`owner of` is a player, not a thing")]
    StrayOwner,
    #[error("a {kind} has no `host`")]
    StrayHost { kind: &'static str },
    #[error("a {kind} has no levels")]
    StrayLevel { kind: &'static str },
    #[error("a miniboss needs `level {level}`")]
    MissingLevel { level: u8 },
    #[error("`level {level}` is not in its place")]
    LevelOrder { level: u8 },
    #[error("an ability outside the levels")]
    NoLevel,
    #[error("`{ability}` on level 3")]
    LastLevel { ability: &'static str },

    #[error("`{verb}` needs {wanted}, not {found}")]
    WrongKind { verb: &'static str, wanted: &'static str, found: &'static str },
    #[error("{place} needs a player, not {found}")]
    WrongWho { place: &'static str, found: &'static str },
    #[error("`{who}` may be several players")]
    AmbiguousWho { who: &'static str },
    #[error("`{quant}` is not allowed here")]
    StrayQuant { quant: &'static str },
    #[error("`all` cannot be bound to a name")]
    AllBound,
    #[error("a quantity of 0")]
    Zero,
    #[error("the number is out of range")]
    NumberRange { most: u8 },
    #[error("`{adjective}` does not go with `{noun}`")]
    Adjective { adjective: &'static str, noun: &'static str },
    #[error("`{first}` and `{second}` cannot go together")]
    Adjectives { first: &'static str, second: &'static str },
    #[error("no {noun} is ever {place}")]
    NeverThere { noun: &'static str, place: String },
    #[error("`{zone}` belongs to nobody")]
    OwnerlessZone { zone: &'static str },
    #[error("nothing can be moved to `{zone}`")]
    MoveTo { zone: &'static str },
    #[error("`{zone}` cannot be looked at")]
    LookAt { zone: &'static str },
    #[error("several places where one is needed")]
    SeveralPlaces,
    #[error("`icon` of which type?")]
    IconChange,
    #[error("icons of one type can only be added")]
    TypedIcon,
    #[error("`{stat}` cannot be set to 0")]
    StrayZero { stat: &'static str },
    #[error("`class` is not allowed here")]
    StrayClass,
    #[error("no life is printed")]
    PrintedLife,
    #[error("a hero in `scoring` lies on one side")]
    WhichFace,
    #[error("`{side}` is not allowed here")]
    StraySide { side: &'static str },
    #[error("`against` is not allowed here")]
    StrayAgainst,
    #[error("this cannot last until end of game")]
    ForTheGame,
    #[error("only a dungeon can be arranged")]
    ArrangeWhat,
    #[error("an item lies on one side")]
    WhichSide,
    #[error("an item cannot be moved there")]
    ItemTo,
    #[error("the spell never comes to lie in a scoring area")]
    UnscoredSpell,
    #[error("a hero at a landmark is out of reach here")]
    OutOfReach,
    #[error("the market is not looked into here")]
    StrayMarket,
    #[error("the room would be built in another dungeon")]
    StrangeBuild,
    #[error("this reads hidden cards")]
    ReadsHidden,
    #[error("a rule about `{changes}` reads `{reads} of`")]
    Circle { reads: &'static str, changes: &'static str },
    #[error("a rule about `{changes}` counts icons")]
    IconCircle { changes: &'static str },
    #[error("this chooses among hidden cards")]
    ChoosesHidden,
    #[error("whether this is offered depends on hidden cards")]
    OffersHidden,

    #[error("`{word}` after {after}")]
    Order { word: &'static str, after: &'static str },
    #[error("`{word}` is not allowed here")]
    StrayDeclaration { word: &'static str },
    #[error("`{act}` cannot be a cost")]
    NoCost { act: &'static str },
    #[error("a second cost")]
    SecondCost,
    #[error("the declaration depends on `{name}`")]
    Dependent { name: String },
    #[error("the cost is not yours to pay")]
    StrangeCost,
    #[error("a choice inside a choice, when the action is declared")]
    NestedChoice,
    #[error("`either` has {count} options")]
    Options { count: usize },
    #[error("blocks are nested deeper than {MAX_BLOCKS}")]
    DeepBlocks,
    #[error("more than {MAX_STATEMENTS} statements in one ability")]
    ManyStatements,
    #[error("selectors are nested deeper than {MAX_SELECTORS}")]
    DeepSelectors,
    #[error("an empty block")]
    EmptyBlock,
    #[error("it looks at too many cards")]
    Slow { looks: u32, most: u32 },
    #[error("`each` may never end")]
    EndlessEach { zone: &'static str },
    #[error("the ability can be used endlessly")]
    FreeAction,
    #[error("the ability triggers itself endlessly")]
    Endless { event: &'static str },
    #[error("the ability may trigger itself")]
    TriggersItself { event: &'static str },
}

impl CheckFault {
    pub fn severity(&self) -> Severity {
        match self {
            CheckFault::TriggersItself { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }

    pub fn reason(&self) -> Option<String> {
        use CheckFault::*;
        Some(match self {
            SameName { .. } => "a set lists each card once, with its copies".into(),
            SameNumber { .. } => "a collector number belongs to one card".into(),
            NoName => "players ask for cards by name".into(),
            NameForm => format!("a name is one line of at most {MAX_TITLE} letters"),
            MissingFact { kind, fact } => format!("without `{fact}` this {kind} cannot be played"),
            StrayFact { kind, fact } => format!("`{fact}` means nothing on a {kind}"),
            FactRange { least, most, .. } => format!("{least} to {most} is possible"),
            Copies { .. } => format!("1 to {MAX_COPIES} copies are possible"),
            StarWithoutRule => "`*` counts as 0 by itself".into(),
            NoLure => "nothing decides whose dungeon it goes to".into(),
            IconAndLure => "a hero follows its icons or its own text".into(),
            MisplacedAbility { ability, kind } => match *ability {
                "play" => "only spells are cast",
                "level up" => "only bosses level up",
                "minion" => "a minion stands on a room or a boss",
                "lure" => "only heroes are lured",
                "instead of" => "only rooms replace what would happen",
                "ability" if *kind == "item" => "who has claimed it uses what is written below `play`",
                _ => "a spell does what is written below `play`, and has rules at most",
            }
            .into(),
            OnePlay => "casting it does what is written below `play`".into(),
            SecondAbility { .. } => "a card has one of these".into(),
            StrayLimit { .. } => "`once per hero` needs an event that happens to a hero".into(),
            ManyLimits => format!("a card remembers {MAX_LIMITED} uses in a turn"),
            EventUse { ability: "forbid", .. } => {
                "building, casting, entering, luring, winning and losing can be forbidden".into()
            }
            EventUse { ability: "allow", .. } => "only building can be allowed".into(),
            EventUse { event: "built on", .. } => "a covered room no longer triggers".into(),
            EventUse { event: "loses" | "lured" | "wins", .. } => {
                "it can be forbidden, but nothing can trigger on it".into()
            }
            EventUse { event: "end of turn", .. } => {
                "the end of the turn can only be used after `when`".into()
            }
            EventUse { .. } => "only `turn draw`, `discarded` and `killed` can be replaced".into(),
            StrayBy { .. } => {
                "only building, casting, destroying, discarding, killing and taking are done by a player"
                    .into()
            }
            StrayCause { .. } => {
                "only `destroyed`, `discarded`, `killed`, `taken` and `uncovered` have a cause".into()
            }
            EntersWhat { .. } => "a hero enters or survives a room or a dungeon".into(),
            StrayEntrance => "only `when .. enters entrance` waits for a hero there".into(),
            SharedObject { .. } => "it must fit all the words before it".into(),
            AllowWhere => "building in the usual places is always allowed".into(),
            Uncovered => "a room without `covered` is one on top of its stack".into(),
            FromHand { .. } => "only rooms can have abilities used from the hand".into(),
            HandLimit => "uses are counted for cards in play only".into(),
            HandRule => "a card that is not in play can only say where it may be built".into(),
            StrayRoll => "what is rolled is dealt at once, with a new roll for each hero".into(),
            Die { .. } => "2 to 20 sides are possible".into(),
            StrayCopy => "a boss whose `level up` copies has no other text, so that the two never mix".into(),
            NoTrigger { .. } => "only what a room does when built or uncovered can be repeated".into(),
            UserNamed => "without `by` its owner uses it; from a hand nobody else could".into(),
            LastingAbility { .. } => "only a rule or a `when` can last until end of turn".into(),
            LastingLimit => "uses are counted for the card's own abilities only".into(),
            NestedUntil => "lasting abilities cannot create others".into(),
            StrayOnce => {
                "only a permission can be used up, and only a named thing be given health or damage once".into()
            }
            Unbound { .. } => "no line above binds it here".into(),
            BoundTwice { .. } => "it already stands for something else here".into(),
            ManyNames => "too many names to keep apart".into(),
            ManySlots => "each name takes as many places as it holds things".into(),
            HoldsMany { .. } => format!("a name holds 1 to {MAX_HELD} things"),
            Several { .. } => "only a verb can act on several named things".into(),
            NameInRule => "a rule has no later statements that could use the name".into(),
            NameForName => "one name is enough".into(),
            NamedDraw => "cards drawn together cannot be told apart".into(),
            WhichHoard => "coins that are gained come from the supply; those paid go to one place".into(),
            NameInBuild => "the room is chosen together with its place".into(),
            ManyKept => format!("a rule or an ability that lasts remembers {MAX_KEPT} named things"),
            StrayIt => "`it` is what a `where`, a rule or a `lure` looks at".into(),
            StrayOwner => "here a card or a hero is meant".into(),
            StrayHost { .. } => "only minibosses and items are attached to another card".into(),
            StrayLevel { .. } => "only a miniboss is promoted".into(),
            MissingLevel { .. } => "a miniboss has three levels with an ability each".into(),
            LevelOrder { .. } => "a higher level keeps what the lower ones do".into(),
            NoLevel => "what a miniboss does depends on its level".into(),
            LastLevel { .. } => "the highest level is used, and sends the miniboss back to the first".into(),
            WrongKind { wanted, .. } => format!("this is not {wanted}"),
            WrongWho { .. } => "things belong to players only".into(),
            AmbiguousWho { .. } => "one player must be meant here".into(),
            StrayQuant { quant } => match *quant {
                "first" | "last" => "only rooms stand in a row".into(),
                _ => "here every match counts, or one is chosen anyway".into(),
            },
            AllBound => format!("a name holds at most {MAX_HELD} things"),
            Zero => "it would do nothing".into(),
            NumberRange { most } => format!("at most {most} makes sense here"),
            Adjective { noun, .. } => format!("this is never true of a {noun}"),
            Adjectives { .. } => "nothing is both".into(),
            NeverThere { .. } => "the selector could never find anything".into(),
            OwnerlessZone { .. } => "all players share it".into(),
            MoveTo { .. } => {
                "heroes are moved to town, to a landmark, to an entrance, into a room or to a scoring area".into()
            }
            LookAt { .. } => "only a hand or a deck can be looked at".into(),
            SeveralPlaces => "it must be clear where".into(),
            IconChange => "it does not say which icon is added".into(),
            TypedIcon => "taking away and multiplying apply to all icons of a room".into(),
            StrayZero { .. } => "only icons can be set to 0".into(),
            StrayClass => "a treasure type is chosen, and used before `icon`".into(),
            PrintedLife => "life is health less damage taken".into(),
            WhichFace => "face down it is a soul, face up a wound".into(),
            StraySide { .. } => "in a scoring area heroes come face down, spells face up; elsewhere all is face up".into(),
            StrayAgainst => "only damage, `blank` and `stunned` can differ from hero to hero".into(),
            ForTheGame => "only a rule with `has` can".into(),
            ArrangeWhat => "its stacks are put in another order".into(),
            WhichSide => "face up it can be used, face down it cannot".into(),
            ItemTo => "items go to a scoring area or to a hero".into(),
            UnscoredSpell => "a spell's rules hold while it lies there".into(),
            OutOfReach => "only what a minion does can bring a hero out of a landmark".into(),
            StrayMarket => "cards in the market are taken, or discarded by the rules".into(),
            StrangeBuild => "players build in their own dungeon".into(),
            Circle { .. } | IconCircle { .. } => {
                "a rule may only read values that are computed before its own".into()
            }
            ReadsHidden => "of hidden cards only the backs are known: `room`, `spell`, `card`".into(),
            ChoosesHidden => "the chooser has not seen these cards".into(),
            OffersHidden => "if it were not offered, players would learn what the deck does not hold".into(),
            Order { .. } => {
                "an action is declared in the order `require` and `target`, `cost`, then its effect".into()
            }
            StrayDeclaration { word } => match *word {
                "target" => "targets are chosen when an action is declared",
                "cost" => "a cost is paid when an action is declared, or to take up an offer",
                _ => "a `require` leads an ability, a `may` or an option",
            }
            .into(),
            NoCost { .. } => {
                "costs are paid by discarding, destroying, deactivating, removing, revealing, or with coins or counters".into()
            }
            SecondCost => "one of them might not be paid at all".into(),
            Dependent { .. } => "what can be declared is decided before anything is chosen".into(),
            StrangeCost => "you pay a cost with your own cards".into(),
            NestedChoice => "an action can have only one choice between options with targets or costs".into(),
            Options { .. } => "2 to 4 are possible".into(),
            DeepBlocks | ManyStatements | ManyAbilities | DeepSelectors => {
                "too long to run or to read".into()
            }
            EmptyBlock => "it would do nothing".into(),
            Slow { looks, most } => {
                format!("up to {looks}, with full piles; more than {most} would keep everybody waiting")
            }
            EndlessEach { zone } => format!("its block adds to `{zone}` while going through it"),
            FreeAction => "nothing is used up, and it has no limit".into(),
            Endless { event } => format!("its own effect is again `{event}`, with no limit"),
            TriggersItself { event } => format!("its own effect can again be `{event}`, with no limit"),
        })
    }

    pub fn suggestion(&self) -> Option<String> {
        use CheckFault::*;
        Some(match self {
            SameName { .. } => "rename one, or write the copies as `x2`".into(),
            SameNumber { .. } => "correct one, or write `-`".into(),
            NoName => "put a name between the quotes".into(),
            NameForm => "shorten it; a `ruling` has room for more".into(),
            MissingFact { fact, .. } => format!("add `{fact}` to the line of facts"),
            StrayFact { fact, .. } => format!("remove `{fact}`"),
            FactRange { least, most, .. } => format!("write a number from {least} to {most}"),
            Copies { .. } => "write for example `x2`".into(),
            StarWithoutRule => "add a line such as `always: this has damage + count ...`".into(),
            NoLure => "add a class, or a line such as `lure fewest souls of it`".into(),
            IconAndLure => "remove the class or the `lure`".into(),
            MisplacedAbility { kind, .. } => match *kind {
                "spell" => "put it below `play`",
                "hero" | "epic" => "use `ability`, `when`, `always` or `lure`",
                "boss" => "use `level up`, `minion`, `ability`, `when` or `always`",
                _ => "use `minion`, `ability`, `when` or `always`",
            }
            .into(),
            OnePlay => "put everything below one `play`; use `either` for a choice".into(),
            SecondAbility { ability } => format!("put both below one `{ability}`"),
            StrayLimit { .. } => "use `once per turn`".into(),
            ManyLimits => "leave some without a limit, or join two".into(),
            ManyAbilities => "join some, or split the card in two".into(),
            EventUse { ability, event } => match (*ability, *event) {
                ("forbid", _) => "forbid `built`, `cast`, `enters`, `lured` or `wins`",
                ("allow", _) => "allow `built`, with `on` and a room",
                ("instead of", _) => "use `when`",
                (_, "built on") => "leave out the `on`",
                (_, "lured") => "wait for the hero with `enters`",
                (_, "wins") => "use `forbid`",
                _ => "use `instead of turn draw`",
            }
            .into(),
            StrayBy { .. } => "leave out the `by`, or say whose dungeon with `of`".into(),
            StrayCause { .. } => "leave out the `because of`".into(),
            EntersWhat { .. } => "add a room such as `this`, or `dungeon of p`".into(),
            SharedObject { .. } => "write two abilities".into(),
            StrayEntrance => "write `dungeon`".into(),
            Uncovered => "write `covered room under`".into(),
            AllowWhere => "add `on` and a room, such as `on room in dungeon of opponent`".into(),
            FromHand { .. } => "leave out `from hand`".into(),
            HandRule => "write `allow this built on` and a room in your dungeon".into(),
            StrayRoll => "write `damage`, a hero and `roll 6`, with nothing added".into(),
            Die { .. } => "write `roll 6`".into(),
            StrayCopy => "use it in the `level up` of a boss, and nothing beside it".into(),
            NoTrigger { .. } => "write `built`, `uncovered` or both".into(),
            HandLimit => "leave out the limit, and add a `cost` such as `cost discard this`".into(),
            UserNamed => "leave out the `by`, or use `opponent`, `player` or `any`".into(),
            LastingAbility { .. } => "write `when`, or a rule after a colon".into(),
            LastingLimit => "leave out the limit".into(),
            NestedUntil => "use a rule, as in `until end of turn: h has health +1`".into(),
            StrayOnce => "leave out `once`".into(),
            Unbound { near: Some(near), .. } => format!("did you mean `{near}`?"),
            Unbound { name, near: None } => {
                format!("bind it first, as in `choose {name} = room in dungeon`")
            }
            BoundTwice { .. } => "use another name".into(),
            ManyNames | ManySlots | DeepBlocks | ManyStatements => {
                "make it simpler, or split it into two abilities".into()
            }
            HoldsMany { .. } => "take fewer, or act on them without a name".into(),
            Several { .. } => "use a verb on the name, or select without a name".into(),
            NamedDraw => "write `draw c = room 1`".into(),
            WhichHoard => "leave out the `to` or the `on`".into(),
            NameInRule | NameForName => "remove the name and its `=`".into(),
            NameInBuild => "write `choose c = room in hand` before, then `build c`".into(),
            ManyKept => "split it in two".into(),
            StrayIt => "use a name, or `this`".into(),
            StrayOwner => "put it after `of` or `by`".into(),
            StrayHost { .. } => "use `this`, or `host of` a miniboss or an item".into(),
            StrayLevel { .. } => "leave out the line and indent its abilities like it".into(),
            MissingLevel { level } => format!("add `level {level}` with an ability below it"),
            LevelOrder { .. } => "write level 1, then level 2, then level 3, each once".into(),
            NoLevel => "put it below `level 1`, `level 2` or `level 3`".into(),
            LastLevel { .. } => "use `ability`".into(),
            WrongKind { wanted, .. } => format!("name or select {wanted}"),
            WrongWho { .. } => "use a player, or `owner of` the thing".into(),
            AmbiguousWho { who } => {
                let noun = if *who == "opponent" { "opponent" } else { "player" };
                format!("use a name from `each p = {noun}` or `choose p = {noun}`")
            }
            StrayQuant { quant } => format!("leave out `{quant}`"),
            AllBound => "write `all` in the verb itself, or go through them with `each`".into(),
            Zero => "write at least 1".into(),
            NumberRange { most } => format!("write 1 to {most}"),
            Adjective { adjective, .. } => format!("leave out `{adjective}`"),
            Adjectives { second, .. } => format!("leave out `{second}`"),
            NeverThere { .. } => "name the place where such things are".into(),
            OwnerlessZone { .. } => "leave out the `of`".into(),
            MoveTo { .. } => "use `town`, `landmark`, `entrance`, a room or `scoring facedown`".into(),
            LookAt { .. } => "use `hand of` a player".into(),
            SeveralPlaces => "name one place".into(),
            IconChange => "write the type before it, as in `mage icon +1`".into(),
            TypedIcon => "write `+`, or leave out the type".into(),
            StrayZero { .. } => "write `-` and a number".into(),
            StrayClass => "write `choose t = class`".into(),
            PrintedLife => "write `printed health of`".into(),
            WhichFace => "add `facedown`".into(),
            StraySide { side } => format!("leave out `{side}`"),
            StrayAgainst => "leave out the `against`".into(),
            ForTheGame => "write `until end of turn`".into(),
            ArrangeWhat => "write `arrange dungeon`".into(),
            WhichSide => "add `faceup` or `facedown`".into(),
            ItemTo => "write `scoring facedown`, `scoring faceup` or name a hero".into(),
            UnscoredSpell => "write `move this to scoring faceup` below `play`".into(),
            OutOfReach => "put it below `minion`, or name another place".into(),
            StrayMarket => "write `take card in market`, or name another place".into(),
            StrangeBuild => "leave out the `of`, or use `allow`".into(),
            Circle { reads, .. } => {
                let value = if *reads == "damage" { "damage" } else { "health" };
                format!("write `printed {value} of`; the order is blank, icon, health, damage, stunned")
            }
            IconCircle { .. } => {
                "count something else; the order is blank, icon, health, damage, stunned".into()
            }
            ReadsHidden => "leave out what the back does not tell, or `look` first".into(),
            ChoosesHidden => "`look` there first, use `random`, or let the holder choose with `by`".into(),
            OffersHidden => {
                "search the deck in the effect, not in a `target`, a `cost` or the beginning of an offer"
                    .into()
            }
            Order { word, .. } => format!("move `{word}` up"),
            StrayDeclaration { word } => match *word {
                "target" => "use `choose`",
                "cost" => "put it into a `may` or an `either`",
                _ => "use `if`",
            }
            .into(),
            NoCost { .. } => "leave out `cost`".into(),
            SecondCost => "join them, as in `cost discard 2 room in hand`, or keep one".into(),
            Dependent { .. } => "use `choose` or `if` in the effect".into(),
            StrangeCost => "leave out the `of`, or leave out `cost`".into(),
            NestedChoice => "put all options side by side in one `either`".into(),
            Options { count: 0 | 1 } => "add `or` and a block, or use `may`".into(),
            Options { .. } => "leave some out".into(),
            DeepSelectors => "name the inner part first with `choose`".into(),
            EmptyBlock => "add a statement, or remove the block".into(),
            Slow { .. } => "put fewer selectors inside a `where`, or look in fewer and smaller places".into(),
            EndlessEach { .. } => "do the adding after the `each`".into(),
            FreeAction => "add `once per turn` or a `cost` to an ability; let a spell go".into(),
            Endless { event: "enters" } => "add `once per hero`".into(),
            Endless { .. } | TriggersItself { .. } => "add `once per turn`".into(),
        })
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" }
}

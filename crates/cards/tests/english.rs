//! English of the sets against golden files (`UPDATE_EXPECT=1` rewrites them), texts of shapes
//! they do not have, and the form of text printed from any tree.

use std::fmt::Write as _;
use std::path::Path;

use cards::english::{card_text, facts_line};
use cards::tree::*;
use proptest::prelude::*;

fn set(name: &str) -> Set {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../cards/{name}.cards"));
    let text = std::fs::read_to_string(path).expect("the set");
    cards::parse(name, &text).expect("the set parses")
}

fn listing(set: &Set) -> String {
    let mut out = String::new();
    for card in &set.cards {
        writeln!(out, "{}\n  {}", card.name, facts_line(card)).unwrap();
        for line in card_text(card) {
            writeln!(out, "  {line}").unwrap();
        }
        out.push('\n');
    }
    out
}

#[test]
fn the_base_set_reads_as_written_down() {
    reads_as_written_down("bmr");
}

#[test]
fn the_second_box_reads_as_written_down() {
    reads_as_written_down("tnl");
}

#[test]
fn crash_landing_reads_as_written_down() {
    reads_as_written_down("crl");
}

#[test]
fn paper_and_pixels_reads_as_written_down() {
    reads_as_written_down("dbm");
}

#[test]
fn rise_of_the_minibosses_reads_as_written_down() {
    reads_as_written_down("rmb");
}

#[test]
fn the_promos_read_as_written_down() {
    reads_as_written_down("promo");
}

#[test]
fn super_boss_monster_reads_as_written_down() {
    reads_as_written_down("sbm");
}

#[test]
fn tools_of_hero_kind_read_as_written_down() {
    reads_as_written_down("thk");
}

#[test]
fn the_house_boxes_read_as_written_down() {
    for name in ["iod", "pop", "lst", "kng", "vov"] {
        reads_as_written_down(name);
    }
}

/// Words of the engine and of the rules' small print, which players need not know.
const ENGINE_WORDS: [&str; 9] =
    ["window", "active", "trigger", "resolve", "declare", "priority", "pending", "legal", "fizzle"];

#[test]
fn texts_and_rulings_use_the_words_of_the_game() {
    for (name, text) in cards::library::SETS {
        for card in &cards::parse(name, text).expect("the set parses").cards {
            for line in card_text(card).iter().chain(&card.rulings) {
                let words = line.to_lowercase();
                let engine = ENGINE_WORDS.iter().find(|engine| {
                    let mut words = words.split(|letter: char| !letter.is_alphabetic());
                    words.any(|word| word.trim_end_matches(['s', 'd']) == **engine || word == **engine)
                });
                assert_eq!(engine, None, "{}: {line}", card.name);
            }
        }
    }
}

fn reads_as_written_down(name: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
    let now = listing(&set(name));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&golden, &now).expect("the golden file is writable");
    }
    let then = std::fs::read_to_string(&golden).expect("the golden file");
    for (now, then) in now.lines().zip(then.lines()) {
        assert_eq!(now, then);
    }
    assert_eq!(now, then);
}

/// The text of the only ability of a card written in the card language.
fn text_of(card: &str) -> String {
    let set = cards::parse("test.cards", &format!("set TST \"Test\"\n\n{card}")).expect("the card parses");
    card_text(&set.cards[0]).join(" | ")
}

fn room(ability: &str) -> String {
    text_of(&format!("room \"Example\"\n  -  trap  damage 1  mage  house\n{ability}\n"))
}

#[test]
fn two_of_a_kind_are_told_apart() {
    let text = room(
        "  ability once per turn
    target a = room in dungeon
    target b = room in dungeon but a
    until end of turn: a has damage +1
    until end of turn: b has damage -1",
    );
    assert_eq!(
        text,
        "Once per turn, you may choose a room in your dungeon and another room in your dungeon. If you do, \
         the first room deals +1 damage until end of turn, and the other room deals 1 damage less until end of turn."
    );
}

#[test]
fn a_thing_destroyed_as_a_cost_is_introduced_there() {
    let text = room(
        "  ability
    target r = room in dungeon
    target h = hero in r
    cost destroy r
    damage h 5",
    );
    assert_eq!(text, "Destroy a room in your dungeon: deal 5 damage to a hero in it.");
}

#[test]
fn an_offer_with_a_price_says_what_follows() {
    let text = room(
        "  when hero enters this once per turn
    may
      cost discard spell in hand
      draw room 2",
    );
    assert_eq!(
        text,
        "Once per turn, when a hero enters this room, you may discard a spell from your hand. If you do, draw 2 rooms."
    );
}

#[test]
fn replacements_and_options_read_as_sentences() {
    let text = room(
        "  instead of another room in dungeon destroyed by opponent
    either
      destroy this
    or
      discard 2 card in hand
      draw spell 1",
    );
    assert_eq!(
        text,
        "If an opponent would destroy another room in your dungeon, instead \
         choose one: destroy this room; or discard 2 cards from your hand, then draw a spell."
    );
}

#[test]
fn what_each_player_may_do_is_one_sentence() {
    let text = room(
        "  when this built
    each p = opponent
      may by p
        discard random card in hand of p",
    );
    assert_eq!(text, "When you build this room, each opponent may discard a random card from their hand.");
}

#[test]
fn conditions_compare_what_players_have() {
    let text = room(
        "  when hero enters dungeon
    if souls of you < wounds of you
      draw room 1
    else
      draw spell 1",
    );
    assert_eq!(
        text,
        "When a hero enters your dungeon, if you have fewer souls than wounds, draw a room. Otherwise, draw a spell."
    );
}

#[test]
fn a_hero_speaks_of_the_owner_of_the_dungeon() {
    let text = text_of(
        "hero \"Example\"\n  -  mage  health 4  players 2  house
  when this enters dungeon
    discard random spell in hand
    draw room 1
",
    );
    assert_eq!(
        text,
        "When this hero enters the dungeon, the dungeon's owner discards a random spell from their hand, then draws a room."
    );
}

#[test]
fn who_uses_an_ability_and_when_is_said_first() {
    let open =
        room("  ability in build by any once per turn\n    cost discard 2 card in hand\n    draw room 1");
    assert_eq!(
        open,
        "Once per turn, in the Build phase, any player may discard 2 cards from their hand: that player draws a room."
    );
    let hand = room("  ability from hand in adventure\n    cost discard this\n    kill hero in dungeon");
    assert_eq!(
        hand,
        "In the Adventure phase, from your hand, discard this card: kill a hero in your dungeon."
    );
}

#[test]
fn options_say_what_they_ask_for() {
    let text = text_of(
        "spell \"Example\"\n  -  build  house
  play
    either
      target r = trap room in dungeon
      until end of turn: r is stunned
    or
      require souls-this-turn of you >= 2
      cost discard 2 room in hand
      draw spell 1
    draw room 1
",
    );
    assert_eq!(
        text,
        "Choose one: a trap room in your dungeon deals no damage until end of turn; or, only if you \
         gained at least 2 souls this turn, discard 2 rooms from your hand: draw a spell. Draw a room."
    );
}

#[test]
fn permissions_and_icons_read_as_sentences() {
    let text = room(
        "  always: allow monster room built on this by opponent while some hero in this
  always: room beside this has mage icon +2
  always: forbid opponent wins while this is entered",
    );
    assert_eq!(
        text,
        "An opponent may build a monster room on this room while there is a hero in this room. | \
         Each room next to this room has 2 more mage icons. | \
         No opponent can win while a hero entered this room this turn."
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_prints_well_formed_text(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let card = Dice { bytes: &bytes, depth: 0 }.card();
        for text in card_text(&card).iter().chain([&(facts_line(&card) + ".")]) {
            let faults = faults(text);
            prop_assert!(faults.is_empty(), "{:?} in {:?}", faults, text);
        }
    }
}

/// What is wrong with the form of a text.
fn faults(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut fault = |wrong: bool, what: &str| {
        if wrong {
            out.push(what.to_string());
        }
    };
    fault(!text.starts_with(char::is_uppercase), "no capital at the start");
    fault(!text.ends_with('.'), "no period at the end");
    fault(text.trim() != text, "space at an end");
    for bad in
        ["  ", " .", " ,", " :", " ;", "..", ",,", ",.", ":.", ";.", ".,", ": :", "()", "( ", " )", "\n"]
    {
        fault(text.contains(bad), bad);
    }
    fault(text.matches('(').count() != text.matches(')').count(), "unbalanced parentheses");
    for sentence in text.trim_end_matches('.').split(". ") {
        fault(!sentence.starts_with(char::is_uppercase), "no capital after a period");
    }
    let words: Vec<&str> = text.split(' ').collect();
    for pair in words.windows(2) {
        let vowel = pair[1].starts_with(['a', 'e', 'i', 'o', 'u']);
        let article =
            ["a", "an", "the", "no", "each", "any", "your", "their", "another", "all"].contains(&pair[1]);
        match pair[0].to_lowercase().as_str() {
            "a" => fault(vowel || article, &pair.join(" ")),
            "an" => fault(!vowel || article, &pair.join(" ")),
            "the" | "each" | "no" | "your" | "their" | "that" | "this" => fault(article, &pair.join(" ")),
            // "each soul an opponent has has" is clumsy, not wrong.
            word => fault(word == pair[1] && !matches!(word, "has" | "have"), &pair.join(" ")),
        }
    }
    out
}

/// Makes a tree of any shape from bytes; shorter input makes a simpler tree.
struct Dice<'a> {
    bytes: &'a [u8],
    depth: u8,
}

impl Dice<'_> {
    fn below(&mut self, n: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        *first as usize % n
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    fn word<T: Copy>(&mut self, words: &[(&str, T)]) -> T {
        words[self.below(words.len())].1
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flip().then(|| make(self))
    }

    fn some<T>(&mut self, most: usize, make: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..1 + self.below(most)).map(|_| make(self)).collect()
    }

    /// One of `n` ways, the first `flat` of which do not nest.
    fn nest<T>(&mut self, flat: usize, n: usize, make: impl FnOnce(&mut Self, usize) -> T) -> T {
        let way = self.below(if self.depth > 5 { flat } else { n });
        self.depth += 1;
        let made = make(self, way);
        self.depth -= 1;
        made
    }

    fn card(&mut self) -> Card {
        let fields = Fields {
            damage: self.maybe(|d| if d.flip() { Damage::Star } else { Damage::Fixed(d.below(9) as u8) }),
            subtype: self.maybe(|d| d.word(Subtype::WORDS)),
            advanced: self.flip(),
            dark: self.flip(),
            portable: self.flip(),
            icons: self.some(3, |d| d.word(Class::WORDS)),
            phases: self.some(2, |d| d.word(Phase::OF_ACTIONS)),
            xp: self.maybe(|_| 500),
            health: self.maybe(|_| 6),
            players: self.maybe(|d| if d.flip() { Players::Star } else { Players::From(3) }),
            ..Fields::default()
        };
        Card {
            kind: self.word(Kind::WORDS),
            name: "Example".into(),
            copies: 1,
            fields,
            rulings: Vec::new(),
            abilities: self.some(3, Dice::ability),
            span: Span::default(),
        }
    }

    fn ability(&mut self) -> Ability {
        let limit = |d: &mut Self| d.maybe(|d| d.word(Limit::WORDS));
        let kind = match self.below(7) {
            0 => AbilityKind::Activated {
                from_hand: self.flip(),
                phase: self.maybe(|d| d.word(Phase::OF_ACTIONS)),
                by: self.maybe(Dice::who),
                limit: limit(self),
                body: self.body(),
            },
            1 => AbilityKind::Play { body: self.body() },
            2 => AbilityKind::When { event: self.event(), limit: limit(self), body: self.body() },
            3 => AbilityKind::InsteadOf { event: self.event(), limit: limit(self), body: self.body() },
            4 => AbilityKind::Always { from_hand: self.below(4) == 0, rule: self.rule() },
            5 => AbilityKind::LevelUp { body: self.body() },
            _ => AbilityKind::Lure { most: self.flip(), num: self.num() },
        };
        Ability { kind, level: 0, span: Span::default() }
    }

    fn body(&mut self) -> Vec<Stmt> {
        self.some(4, Dice::stmt)
    }

    fn stmt(&mut self) -> Stmt {
        let by = |d: &mut Self| d.maybe(Dice::who);
        let kind = self.nest(6, 11, |d, way| match way {
            0 | 1 => StmtKind::Act(d.act()),
            2 => StmtKind::Target { name: d.name(), sel: d.sel() },
            3 => StmtKind::Choose { name: d.name(), sel: d.sel(), by: by(d) },
            4 => StmtKind::Cost(d.act()),
            5 => StmtKind::Until {
                lifetime: d.word(Lifetime::WORDS),
                once: d.flip(),
                what: Lasting::Rule(d.rule()),
            },
            6 => StmtKind::May { by: by(d), body: d.body() },
            7 => StmtKind::Either { by: by(d), options: vec![d.body(), d.body()] },
            8 => match d.flip() {
                true => StmtKind::If { cond: d.cond(), then: d.body(), otherwise: d.body() },
                false => StmtKind::Require(d.cond()),
            },
            9 => StmtKind::Until {
                lifetime: d.word(Lifetime::WORDS),
                once: d.flip(),
                what: Lasting::Abilities(d.some(2, Dice::ability)),
            },
            _ => StmtKind::Each { name: d.name(), sel: d.sel(), body: d.body() },
        });
        Stmt { kind, span: Span::default() }
    }

    fn name(&mut self) -> Name {
        let text = ["a", "b", "p", "h"][self.below(4)].to_string();
        Name { text, span: Span::default() }
    }

    fn side(&mut self) -> Option<Side> {
        self.maybe(|d| d.word(Side::WORDS))
    }

    fn act(&mut self) -> Act {
        let by = |d: &mut Self| d.maybe(Dice::who);
        match self.below(13) {
            11 => Act::Arrange { place: self.place(), reversed: self.flip() },
            10 => Act::Counters { gain: self.flip(), amount: self.num(), op: self.op() },
            9 => Act::Trigger { op: self.op(), words: vec![self.word(EventWord::WORDS)] },
            0 => Act::Draw { name: None, deck: self.word(Back::WORDS), count: self.num(), by: by(self) },
            1 => Act::Look { place: self.place() },
            2 => Act::Take { op: self.op(), by: by(self) },
            3 => Act::Move { op: self.op(), to: Destination::Place(self.place()), side: self.side() },
            4 => Act::Move { op: self.op(), to: Destination::Room(self.sel()), side: self.side() },
            5 => Act::Swap { a: self.reference(), b: self.reference() },
            6 => Act::Damage { op: self.op(), amount: self.num() },
            7 => Act::Skip { op: self.op(), rooms: self.num() },
            8 => Act::Build { op: self.op(), on: self.maybe(Dice::sel) },
            _ => Act::Simple { verb: self.word(Verb::WORDS), op: self.op() },
        }
    }

    fn op(&mut self) -> Operand {
        Operand { name: self.maybe(Dice::name), sel: self.sel() }
    }

    fn sel(&mut self) -> Sel {
        self.nest(1, 3, |d, way| match way {
            0 => Sel::Ref(d.reference()),
            _ => Sel::Selector(Box::new(Selector {
                quant: d.quant(),
                adjectives: if d.flip() { d.some(2, |d| d.word(Adjective::words())) } else { Vec::new() },
                noun: d.word(Noun::WORDS),
                site: d.maybe(|d| match d.below(7) {
                    0 | 1 => Site::In(d.place()),
                    2 => Site::InRef(d.reference()),
                    3 => Site::LeftOf(d.reference()),
                    4 => Site::RightOf(d.reference()),
                    5 => Site::Under(d.reference()),
                    _ => Site::Beside(d.reference()),
                }),
                but: d.maybe(Dice::reference),
                cond: d.maybe(Dice::cond),
                span: Span::default(),
            })),
        })
    }

    fn quant(&mut self) -> Quant {
        match self.below(7) {
            0 | 1 => Quant::Bare,
            2 => Quant::Count(self.below(4) as u8),
            3 => Quant::All,
            4 => Quant::Random(self.below(3) as u8),
            5 => Quant::First,
            _ => Quant::Last,
        }
    }

    fn place(&mut self) -> Place {
        let mut zones = self.some(3, |d| d.word(Zone::WORDS));
        zones.dedup();
        Place { zones, of: self.maybe(Dice::who), span: Span::default() }
    }

    fn who(&mut self) -> Who {
        match self.below(5) {
            0 => Who::You,
            1 => Who::Opponent,
            2 => Who::Player,
            3 => Who::Any,
            _ => Who::Ref(self.reference()),
        }
    }

    fn reference(&mut self) -> Ref {
        self.nest(4, 6, |d, way| match way {
            0 => Ref::This,
            1 => Ref::It,
            2 => Ref::You,
            3 | 4 => Ref::Name(d.name()),
            _ => Ref::OwnerOf(Box::new(d.reference())),
        })
    }

    fn num(&mut self) -> Num {
        self.nest(3, 9, |d, way| match way {
            8 => {
                let of = d.reference();
                if d.flip() { Num::Roll(6) } else { Num::Counters(of) }
            }
            0 => Num::Int(d.below(4) as u8),
            1 => Num::Int(1),
            2 => Num::Points(d.word(Points::WORDS), d.who()),
            3 => Num::Count(d.sel()),
            7 => {
                let icon = d.maybe(|d| IconType::Class(d.word(Class::WORDS)));
                let site = if d.flip() { IconSite::On(d.reference()) } else { IconSite::In(d.place()) };
                Num::Icons { icon, site }
            }
            4 => Num::Value { printed: d.flip(), value: d.word(Value::WORDS), of: d.reference() },
            5 => Num::Add(Box::new(d.num()), Box::new(d.num())),
            _ => Num::Sub(Box::new(d.num()), Box::new(d.num())),
        })
    }

    fn cond(&mut self) -> Cond {
        self.nest(2, 10, |d, way| match way {
            0 => Cond::Done,
            1 => Cond::Active,
            2 => Cond::Some(d.sel()),
            3 => Cond::No(d.sel()),
            4 => Cond::Compare(d.num(), d.word(Comparison::WORDS), d.num()),
            5 => Cond::Not(Box::new(d.cond())),
            6 => Cond::And(Box::new(d.cond()), Box::new(d.cond())),
            7 => Cond::Is(d.reference(), d.word(Adjective::words())),
            8 => Cond::In(d.reference(), d.place()),
            _ => Cond::Or(Box::new(d.cond()), Box::new(d.cond())),
        })
    }

    fn rule(&mut self) -> Rule {
        let kind = match self.below(6) {
            0 => RuleKind::Forbid { event: self.event(), during: self.maybe(Dice::cond) },
            1 => RuleKind::Allow { event: self.event(), during: self.maybe(Dice::cond) },
            2 => RuleKind::Is {
                sel: self.sel(),
                status: self.word(Status::WORDS),
                against: self.maybe(Dice::sel),
                during: self.maybe(Dice::cond),
            },
            _ => RuleKind::Has {
                sel: self.sel(),
                icon: self.maybe(|d| match d.flip() {
                    true => IconType::Name(d.name()),
                    false => IconType::Class(d.word(Class::WORDS)),
                }),
                stat: self.word(Stat::WORDS),
                against: self.maybe(Dice::sel),
                change: match self.below(4) {
                    0 => Change::Plus(self.num()),
                    1 => Change::Minus(self.num()),
                    2 => Change::Zero,
                    _ => Change::Times(self.below(4) as u8),
                },
                during: self.maybe(Dice::cond),
            },
        };
        Rule { kind, span: Span::default() }
    }

    fn event(&mut self) -> Event {
        let kind = match self.below(8) {
            0 => EventKind::TurnDraw,
            1 => EventKind::EndOfTurn,
            _ => EventKind::Happens {
                name: self.maybe(Dice::name),
                subject: self.sel(),
                words: self.some(2, |d| d.word(EventWord::WORDS)),
                object: self.maybe(|d| match d.below(3) {
                    0 => Object::On(d.sel()),
                    1 => Object::Room(d.sel()),
                    _ => Object::Place(d.place()),
                }),
                by: self.maybe(Dice::who),
                because: self.maybe(|d| match d.flip() {
                    true => Cause::Who(d.who()),
                    false => Cause::Card(d.sel()),
                }),
            },
        };
        Event { kind, span: Span::default() }
    }
}

//! Generates a card from bytes: lines are assembled from the words of the language, and kept if the checker
//! still accepts the card. So every generated card is one that a person could have written.

use super::checks::Input;

/// Lines tried for one card.
const TRIES: usize = 24;

const KINDS: &[&str] = &[
    "room \"House\"\n  -  monster  damage 1  mage thief  house\n",
    "room \"House\"\n  -  trap  damage 2  cleric fighter  house\n",
    "room \"House\"\n  -  trap  advanced  damage 3  cleric fighter mage thief  house\n",
    "spell \"House\"\n  -  build adventure  house\n",
    "boss \"House\"\n  -  xp 700  mage  house\n",
    "item \"House\"\n  -  mage  house\n",
    "item \"House\"\n  -  house\n",
    "miniboss \"House\"\n  -  house\n  level 1\n    always: host has damage +1\n  level 2\n    always: host has damage +1\n",
];

const HEADERS: &[&str] = &[
    "ability",
    "ability once per turn",
    "when {event}",
    "when {event} once per turn",
    "when {event} once per hero",
    "instead of turn draw",
    "always: {rule}",
    "always from hand: allow this built on {sel}",
    "level up",
    "play",
];

const STATEMENTS: &[&str] = &[
    "target {name} = {sel}",
    "target {name} = {sel}",
    "choose {name} = {sel}",
    "choose {name} = {sel} by {who}",
    "require {cond}",
    "cost {act}",
    "cost {act}",
    "{act}",
    "{act}",
    "{act}",
    "{act}",
    "until end of turn: {rule}",
    "may\n{deeper}{act}",
    "may\n{deeper}cost {act}\n{deeper}{act}",
    "either\n{deeper}{act}\n{here}or\n{deeper}{act}",
    "if {cond}\n{deeper}{act}\n{here}else\n{deeper}{act}",
    "each {name} = {sel}\n{deeper}{act}",
    "repeat 3\n{deeper}may\n{deeper}  {act}",
    "each {name} = {sel}\n{deeper}may by {who}\n{deeper}  {act}",
];

const ACTS: &[&str] = &[
    "draw room {num}",
    "draw spell {num} for {who}",
    "look {zone} of {who}",
    "look {zone}",
    "take {sel}",
    "take {sel} for {who}",
    "move {sel} to {zone}",
    "move {sel} to {zone} of {who}",
    "move {sel} to {sel}",
    "swap {ref} and {ref}",
    "damage {sel} {num}",
    "build {sel}",
    "cancel {sel}",
    "deactivate {sel}",
    "destroy {sel}",
    "discard {sel}",
    "heal {sel}",
    "kill {sel}",
    "remove {sel}",
    "uncover {sel}",
    "trigger {sel} built or uncovered",
    "copy {sel}",
    "gain counter {num} on {ref}",
    "lose counter 1 on this",
    "damage {sel} roll 6",
    "gain coin {num}",
    "gain coin {num} for {who}",
    "pay coin 1",
    "pay coin 2 to {who}",
    "pay coin 1 on this",
    "promote {sel}",
    "flip {sel}",
    "move {sel} to scoring facedown",
    "swap hoard and hoard of {who}",
];

const SELECTORS: &[&str] = &[
    "{ref}",
    "{ref}",
    "{quant}{adjective}{noun}",
    "{quant}{adjective}{noun} in {zone}",
    "{quant}{adjective}{noun} in {zone}",
    "{quant}{adjective}{noun} in {zone} of {who}",
    "{quant}{noun} in {zone} or {zone}",
    "{noun} in {ref}",
    "{adjective}{noun} left of {ref}",
    "{adjective}{noun} right of {ref}",
    "{adjective}{noun} beside {ref}",
    "{noun} in {zone} of {who} but {ref}",
    "{noun} in {zone} of {who} where {cond}",
    "{noun} where {cond}",
];

const RULES: &[&str] = &[
    "{sel} has damage +{num}",
    "{sel} has damage -{num}",
    "{sel} has damage x2",
    "{sel} has icon x2",
    "{sel} has health +{num}",
    "{sel} has health -{num}",
    "{sel} have builds +1",
    "{sel} has {stat} + {num} while {cond}",
    "forbid {event}",
    "forbid {event} while {cond}",
];

const EVENTS: &[&str] = &[
    "this built",
    "{sel} built",
    "{sel} built on {sel}",
    "miniboss built or promoted by {who}",
    "host survives dungeon",
    "host enters dungeon",
    "{sel} built by {who}",
    "{sel} cast by {who}",
    "{sel} destroyed",
    "{sel} destroyed by {who}",
    "{name} = hero enters {sel}",
    "{name} = hero enters dungeon of {who}",
    "{name} = {sel} killed in {sel}",
    "{sel} killed by {who}",
];

const NUMBERS: &[&str] = &[
    "1",
    "2",
    "3",
    "50",
    "count {sel}",
    "souls of {who}",
    "wounds of {who}",
    "count {noun} in {zone} - 1",
    "count icon on {ref}",
    "counters on {ref}",
    "count explorer icon in dungeon of {who}",
    "coins of {who}",
    "coins on this",
    "level of {ref}",
    "2 - {num}",
    "1 + {num}",
];

const CONDITIONS: &[&str] = &[
    "some {sel}",
    "no {sel}",
    "{num} {sign} {num}",
    "you done",
    "you active",
    "not {cond}",
    "({cond}) and {cond}",
    "({cond}) or {cond}",
];

/// The possible fillings of a slot.
fn words(slot: &str) -> &'static [&'static str] {
    match slot {
        "act" => ACTS,
        "sel" => SELECTORS,
        "rule" => RULES,
        "event" => EVENTS,
        "num" => NUMBERS,
        "cond" => CONDITIONS,
        "name" => &["a", "b", "c", "p"],
        "ref" => &["this", "it", "you", "a", "b", "c", "p", "host"],
        "who" => &["you", "opponent", "player", "any", "p", "a", "it", "owner of a", "owner of this"],
        "quant" => &["", "", "", "2 ", "4 ", "all ", "random ", "random 2 ", "first ", "last "],
        "adjective" => &[
            "",
            "",
            "advanced ",
            "another ",
            "facedown ",
            "monster ",
            "ordinary ",
            "trap ",
            "another trap ",
            "covered ",
            "new ",
            "triggered ",
            "faceup ",
        ],
        "noun" => &[
            "boss", "card", "hero", "item", "miniboss", "opponent", "player", "room", "room", "soul",
            "spell", "wound",
        ],
        "zone" => &[
            "discard",
            "dungeon",
            "dungeon",
            "entrance",
            "epic deck",
            "hand",
            "hand",
            "hero deck",
            "item deck",
            "pending",
            "room deck",
            "scoring",
            "spell deck",
            "town",
        ],
        "stat" => &["builds", "damage", "health", "icon"],
        "sign" => &["=", "<", ">", "<=", ">="],
        _ => &[""],
    }
}

/// The text of a set with one card.
pub fn card(input: &mut Input) -> String {
    let kind = KINDS[input.below(KINDS.len()).unwrap_or(0)];
    let mut text = format!("set HSE \"House\"\n{kind}");
    let (needs, indent) = match kind {
        _ if kind.starts_with("spell") || kind.starts_with("item") => ("  play\n", "    "),
        _ if kind.starts_with("boss") => ("  level up\n", "    "),
        _ if kind.starts_with("miniboss") => ("  level 3\n    ability\n", "      "),
        _ => ("", "    "),
    };
    let mut header = needs.to_owned();
    for _ in 0..TRIES {
        let Some(choice) = input.byte() else { break };
        if choice < 40 && !kind.starts_with("miniboss") {
            header = format!("  {}\n", fill(pick(input, HEADERS), input, "  ", 0));
            if header.starts_with("  always") {
                keep(&mut text, &std::mem::take(&mut header));
            }
            continue;
        }
        let line = format!("{indent}{}\n", fill(pick(input, STATEMENTS), input, indent, 0));
        // A header is only added together with its first line.
        if keep(&mut text, &format!("{header}{line}")) {
            header.clear();
        }
    }
    text
}

fn keep(text: &mut String, more: &str) -> bool {
    let longer = format!("{text}{more}");
    let passes = cards::load("house.cards", &longer).is_ok();
    if passes {
        *text = longer;
    }
    passes
}

fn pick(input: &mut Input, of: &'static [&'static str]) -> &'static str {
    of[input.below(of.len()).unwrap_or(0)]
}

/// The template with every `{slot}` filled in; at the depth limit, with the first and simplest filling.
fn fill(template: &str, input: &mut Input, indent: &str, depth: usize) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, slot)) = rest.split_once('{') {
        out.push_str(before);
        let Some((slot, after)) = slot.split_once('}') else { break };
        rest = after;
        match slot {
            "here" => out.push_str(indent),
            "deeper" => out.push_str(&format!("{indent}  ")),
            slot if depth < 4 => {
                let chosen = pick(input, words(slot));
                out.push_str(&fill(chosen, input, indent, depth + 1));
            }
            slot => out.push_str(&fill(words(slot)[0], input, indent, depth + 1)),
        }
    }
    out + rest
}

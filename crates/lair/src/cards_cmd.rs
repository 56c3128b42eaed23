//! `lair cards`: looks up cards.

use cards::CardDb;
use cards::db::Def;
use cards::tree::Provenance;
use cards::vocabulary::{Class, Confidence, Kind, Subtype};
use serde::Serialize;
use terminal::room_kind;

use crate::cli::{Cards, Template};
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::term::{BOLD, DIM, HEAD, capital, cut, icons, pad, paint, paragraph, say};

pub fn run(args: &Cards, library: &Library) -> Result<(), Failure> {
    if let Some(kind) = args.new {
        return Ok(say(template(kind))?);
    }
    let db = library.compile()?;
    let wanted = args.name.join(" ");
    let found = find(&db, &wanted);
    if found.is_empty() {
        return Err(Failure::failed(unknown(&db, &wanted)));
    }
    if args.json {
        let all: Vec<CardJson> = found.iter().map(|def| CardJson::of(def)).collect();
        let text = serde_json::to_string_pretty(&all).map_err(Failure::failed)?;
        return Ok(say(text + "\n")?);
    }
    match found[..] {
        _ if args.all => say(found.iter().map(|def| page(def)).collect::<Vec<_>>().join("\n"))?,
        [def] => say(page(def))?,
        _ => say(list(&found))?,
    }
    Ok(())
}

/// A card file to start from.
fn template(wanted: Template) -> String {
    let kinds = [
        (Template::Boss, include_str!("../templates/boss.cards")),
        (Template::Room, include_str!("../templates/room.cards")),
        (Template::Spell, include_str!("../templates/spell.cards")),
        (Template::Hero, include_str!("../templates/hero.cards")),
        (Template::Epic, include_str!("../templates/epic.cards")),
    ];
    let mut out = include_str!("../templates/set.cards").to_string();
    for (_, text) in kinds.iter().filter(|(kind, _)| wanted == Template::All || wanted == *kind) {
        out.push('\n');
        out.push_str(text);
    }
    out
}

/// By name or its start; failing that, anywhere in the name.
pub fn find<'a>(db: &'a CardDb, wanted: &str) -> Vec<&'a Def> {
    if wanted.trim().is_empty() {
        return db.cards().map(|(_, def)| def).collect();
    }
    let found = db.find(wanted);
    if !found.is_empty() {
        return found.into_iter().map(|id| db.def(id)).collect();
    }
    let wanted = wanted.trim().to_lowercase();
    db.cards().map(|(_, def)| def).filter(|def| def.face.name.to_lowercase().contains(&wanted)).collect()
}

pub fn unknown(db: &CardDb, wanted: &str) -> String {
    let shown: String = wanted.chars().take(60).collect();
    let near = |def: &Def| {
        let wanted = wanted.to_lowercase();
        let alike = |name: &str| strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &wanted);
        alike(def.face.short()).max(alike(&def.face.name))
    };
    let best = db.cards().map(|(_, def)| (near(def), def)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((score, def)) if score >= 0.5 => {
            format!("there is no card `{shown}`; did you mean {}?", def.face.name)
        }
        _ => format!("there is no card `{shown}`; `lair cards` lists them all"),
    }
}

fn list(found: &[&Def]) -> String {
    let mut out = String::new();
    let mut last = None;
    for def in found {
        if last.replace(def.kind) != Some(def.kind) {
            out.push_str(&format!("{}\n", paint(HEAD, heading(def.kind))));
        }
        out.push_str(&format!(
            "  {}  {}  {}\n",
            paint(DIM, pad(def.face.number.as_deref().unwrap_or("-"), 6)),
            pad(&cut(&def.face.name, 34), 34),
            facts(def)
        ));
    }
    out
}

/// "Epic heroes"
pub fn heading(kind: Kind) -> String {
    capital(kind.plural())
}

/// The facts in a few columns: kind, number, treasure.
pub fn facts(def: &Def) -> String {
    match def.kind {
        Kind::Boss => format!("{} XP  {}", def.xp, icons(def)),
        Kind::Room => {
            let damage = if def.face.damage_varies { "*".into() } else { def.damage.to_string() };
            format!("{}  {damage} dmg  {}", pad(room_kind(def), 11), icons(def))
        }
        Kind::Spell => {
            let phase = |phase, name| def.castable_in(phase).then_some(name);
            let phases = [
                phase(cards::vocabulary::Phase::Build, "build"),
                phase(cards::vocabulary::Phase::Adventure, "adventure"),
            ];
            format!("spell: {}", phases.into_iter().flatten().collect::<Vec<_>>().join(" or "))
        }
        Kind::Hero | Kind::Epic => format!("{} {} health", icons(def), def.health),
        Kind::Item => icons(def),
        Kind::Miniboss => "three levels".into(),
    }
}

/// Everything about one card.
pub fn page(def: &Def) -> String {
    let face = &def.face;
    let mut out = format!("{}\n", paint(BOLD, &face.name));
    out.push_str(&paragraph("  ", &face.facts, DIM));
    for text in &face.text {
        out.push_str(&paragraph("  ", text, anstyle::Style::new()));
    }
    if !face.rulings.is_empty() {
        out.push_str(&format!("\n  {}\n", paint(HEAD, "Rulings")));
    }
    for ruling in &face.rulings {
        out.push_str(&paragraph("  · ", ruling, anstyle::Style::new()));
    }
    let number = face.number.as_deref().map_or(String::new(), |n| format!("{n} · "));
    let copies = if def.copies == 1 { "1 copy".into() } else { format!("{} copies", def.copies) };
    out.push_str(&paragraph("\n  ", &format!("{number}{copies} · {}", face.provenance.in_words()), DIM));
    out
}

#[derive(Serialize)]
struct CardJson<'a> {
    number: Option<&'a str>,
    name: &'a str,
    set: &'a str,
    kind: &'static str,
    subtype: Option<&'static str>,
    advanced: bool,
    copies: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    xp: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    health: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    players: Option<u8>,
    treasure: Vec<&'static str>,
    facts: &'a str,
    text: &'a [String],
    rulings: &'a [String],
    provenance: &'static str,
}

impl<'a> CardJson<'a> {
    fn of(def: &'a Def) -> CardJson<'a> {
        let hero = def.kind.is_hero();
        let named = |class: Class| std::iter::repeat_n(class.word(), usize::from(def.icons[class]));
        CardJson {
            number: def.face.number.as_deref(),
            name: &def.face.name,
            set: &def.face.set,
            kind: def.kind.name(),
            subtype: def.subtype.map(Subtype::word),
            advanced: def.advanced,
            copies: def.copies,
            xp: (def.kind == Kind::Boss).then_some(def.xp),
            damage: (def.kind == Kind::Room && !def.face.damage_varies).then_some(def.damage),
            health: hero.then_some(def.health),
            players: hero.then_some(def.players),
            treasure: def.classes.iter().flat_map(named).collect(),
            facts: &def.face.facts,
            text: &def.face.text,
            rulings: &def.face.rulings,
            provenance: match def.face.provenance {
                Provenance::Published(Confidence::A) => "published A",
                Provenance::Published(Confidence::B) => "published B",
                Provenance::Published(Confidence::C) => "published C",
                Provenance::House => "house",
            },
        }
    }
}

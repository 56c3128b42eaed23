//! Mixes of boxes: what a mix comes to, what one box more or less would change, and a mix that nobody has
//! chosen. What can be played is asked of the engine; nothing else is ever offered.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use cards::deck::{Brings, brings};
use cards::mix::{self, MixError};
use cards::tree::{Provenance, Set};
use cards::vocabulary::Kind;
use cards::{CardDb, Deck, Mix, library};
use engine::setup::{Offer, offers, surprise};
use engine::{Rules, Ruleset, SetupError, Variant};
use serde::Deserialize;
use utoipa::IntoParams;

use super::client::{Client, Params};
use super::library::cached;
use super::problem::ApiError;
use super::{App, Result};
use crate::store::fill_random;
use crate::wire::{BoxInfo, MixInfo, MixPart, MixStep, MixTable, Problem};
use crate::work::Requester;

/// The boxes that decks are made of
#[utoipa::path(get, path = "/api/boxes", tag = "library", responses((status = 200, body = Vec<BoxInfo>)))]
pub async fn boxes(State(app): State<App>, headers: HeaderMap) -> Response {
    cached(&app.library.boxes, &headers)
}

/// A mix of boxes: what it brings, who can play it, and what one box more or less would change
#[utoipa::path(get, path = "/api/mixes/{name}", tag = "library", params(("name" = String, Path)), responses(
    (status = 200, body = MixInfo), (status = 403, body = Problem), (status = 422, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem),
))]
pub async fn mix(State(app): State<App>, client: Client, Path(name): Path<String>) -> Result<Json<MixInfo>> {
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let found = hall.work("mix", move || info(&name, app.hall.sets())).await?;
    found.map(Json).map_err(|error| ApiError::BadMix(error.to_string()))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Players: 1 to 6.
    players: u8,
    /// The same number gives the same mix; without one it is any.
    seed: Option<u32>,
}

/// A fair mix that nobody has chosen
#[utoipa::path(get, path = "/api/surprise", tag = "library", params(Wanted), responses(
    (status = 200, body = MixInfo), (status = 400, body = Problem), (status = 403, body = Problem),
    (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem),
))]
pub async fn surprised(
    State(app): State<App>,
    client: Client,
    Params(Wanted { players, seed }): Params<Wanted>,
) -> Result<Json<MixInfo>> {
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let seed = seed.unwrap_or_else(|| {
        let mut bytes = [0; 4];
        fill_random(&mut bytes);
        u32::from_le_bytes(bytes)
    });
    let draw = move || {
        let (deck, offer) = surprise(players, seed.into(), app.hall.sets())?;
        let mut found = info(deck.id.name(), app.hall.sets()).ok()?;
        found.seed = Some(seed);
        found.advised = Some(MixTable::of(&offer.rules));
        Some(found)
    };
    let found = hall.work("mix", draw).await?;
    found
        .map(Json)
        .ok_or_else(|| ApiError::BadMix(format!("no mix can be played by {players}: 1 to 6 can play")))
}

/// The built-in boxes; cards of one's own are in every deck.
pub fn all_boxes(sets: &[Set]) -> Vec<BoxInfo> {
    let info = |set: &Set| {
        let lid = set.cards.iter().find(|card| card.kind == Kind::Boss).or(set.cards.first());
        BoxInfo {
            code: set.code.clone(),
            title: set.title.clone(),
            base: mix::is_base(set),
            cards: set.cards.iter().map(|card| u32::from(card.copies)).sum(),
            house: set.cards.iter().all(|card| card.fields.provenance == Provenance::House),
            lid: lid.map_or(String::new(), |card| card.name.clone()),
        }
    };
    mix::built_in(sets).iter().map(info).collect()
}

/// What a mix comes to.
fn info(name: &str, sets: &[Set]) -> Result<MixInfo, MixError> {
    let known = mix::built_in(sets);
    let mix = Mix::read(name, known)?;
    let (deck, db) = dealt(&mix, sets)?;
    let here = brings(&db);
    let code = |at: &usize| known[*at].code.clone();
    Ok(MixInfo {
        name: mix.name(known),
        boxes: mix.boxes().iter().map(code).collect(),
        brings: here
            .iter()
            .map(|one| MixPart { title: one.title().into(), means: one.means().into() })
            .collect(),
        steps: (0..known.len()).map(|at| step(&mix, at, &here, sets)).collect(),
        tables: offers(&db)
            .into_iter()
            .map(|(ruleset, players, offer)| table(ruleset, players, offer, sets))
            .collect(),
        title: deck.title,
        notes: deck.notes,
        text: deck.text,
        seed: None,
        advised: None,
    })
}

fn dealt(mix: &Mix, sets: &[Set]) -> Result<(Deck, CardDb), MixError> {
    let known = mix::built_in(sets);
    let name = mix.name(known);
    let unplayable = |why: String| MixError::Unplayable { name: name.clone(), why };
    let deck = library::deck(&name, sets).ok_or_else(|| unplayable("it cannot be read".into()))?;
    let db = deck.compile(sets).map_err(|error| unplayable(error.to_string()))?;
    Ok((deck, db))
}

/// The mix with this box more, or less.
fn step(mix: &Mix, at: usize, here: &[Brings], sets: &[Set]) -> MixStep {
    let known = mix::built_in(sets);
    let mut boxes = mix.boxes().to_vec();
    match boxes.iter().position(|one| *one == at) {
        Some(found) => drop(boxes.remove(found)),
        None => boxes.push(at),
    }
    let code = known[at].code.clone();
    let after = Mix::of(&boxes, known).and_then(|after| {
        let (_, db) = dealt(&after, sets)?;
        let name = after.name(known);
        match Offer::of(&db, Ruleset::default(), 2) {
            Ok(_) => Ok((name, brings(&db))),
            Err(error) => Err(MixError::Unplayable { name, why: error.to_string() }),
        }
    });
    let refused = |why| MixStep { code: code.clone(), name: None, changes: Vec::new(), why_not: Some(why) };
    match after {
        Ok((name, there)) => {
            let comes =
                there.iter().filter(|one| !here.contains(one)).map(|one| format!("+ {}", one.title()));
            let goes = here.iter().filter(|one| !there.contains(one)).map(|one| format!("− {}", one.title()));
            MixStep {
                code: code.clone(),
                name: Some(name),
                changes: comes.chain(goes).collect(),
                why_not: None,
            }
        }
        Err(MixError::NoBase { .. }) => {
            refused("this is the only base game, and its heroes are needed".into())
        }
        Err(error) => refused(error.to_string()),
    }
}

fn table(ruleset: Ruleset, players: u8, offer: Result<Offer, SetupError>, sets: &[Set]) -> MixTable {
    let why_not = match offer {
        Ok(offer) => return MixTable::of(&offer.rules),
        Err(error) => Some(reason(&error, sets)),
    };
    MixTable { why_not, ..MixTable::of(&Rules::new(ruleset, players)) }
}

/// Why it cannot be played, beside the ruleset and the number of players.
fn reason(error: &SetupError, sets: &[Set]) -> String {
    match error {
        SetupError::RulesetPlayers { least, most, .. } => format!("it is for {least} to {most} players"),
        SetupError::NeedsSet { set, .. } | SetupError::NeedsSetForMore { set, .. } => {
            let found = sets.iter().find(|one| one.code == *set);
            format!("it takes the box {}", found.map_or(*set, |set| set.title.as_str()))
        }
        SetupError::OneSet(_) => "so many need the rooms of two base games".into(),
        other => other.to_string(),
    }
}

impl MixTable {
    fn of(rules: &Rules) -> MixTable {
        MixTable {
            ruleset: rules.ruleset().name().into(),
            players: rules.players,
            variants: rules.variants().map(Variant::name).map(String::from).collect(),
            why_not: None,
        }
    }
}

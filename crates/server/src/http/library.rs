//! What can be looked up: cards, decks, rules. It does not change while the server runs, so most of it is made once.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bots::wire::CardText;
use cards::deck::Balance;
use cards::tree::{Card, Set};
use cards::{CardDb, Deck, library};
use engine::setup::Tables;
use serde::Serialize;

use super::client::Body;
use super::{App, Fault, Result};
use crate::wire::{CardPage, DeckAdvice, DeckCard, DeckCheck, DeckInfo, DeckText, Problem};

const RULES: &str = include_str!("../../../../docs/rules.md");
/// Looked at anew after five minutes: a new version may have more.
const CACHE: (header::HeaderName, &str) = (header::CACHE_CONTROL, "public, max-age=300");

/// As JSON.
pub struct Library {
    cards: Bytes,
    decks: Bytes,
}

impl Library {
    pub fn of(sets: &[Set]) -> Library {
        Library { cards: json(&pages(sets)), decks: json(&presets(sets)) }
    }
}

/// Every card, with its rulings and its source
#[utoipa::path(get, path = "/api/cards", tag = "library", responses((status = 200, body = Vec<CardPage>)))]
pub async fn cards(State(app): State<App>) -> Response {
    stored(&app.library.cards)
}

/// The decks that come with the program
#[utoipa::path(get, path = "/api/decks", tag = "library", responses((status = 200, body = Vec<DeckInfo>)))]
pub async fn decks(State(app): State<App>) -> Response {
    stored(&app.library.decks)
}

/// What is wrong with a deck of one's own, what is in it, and how it is balanced
#[utoipa::path(post, path = "/api/decks/check", tag = "library", request_body = DeckText, responses(
    (status = 200, body = DeckCheck), (status = 400, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 415, body = Problem),
))]
pub async fn check(State(app): State<App>, Body(deck): Body<DeckText>) -> Result<Json<DeckCheck>> {
    let work = move || looked_at(&deck, app.hall.sets());
    tokio::task::spawn_blocking(work).await.map(Json).map_err(|_| Fault::Internal)
}

/// The rules, as Markdown
#[utoipa::path(get, path = "/api/rules", tag = "library", responses(
    (status = 200, body = String, content_type = "text/markdown"),
))]
pub async fn rules() -> Response {
    ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8"), CACHE], RULES).into_response()
}

fn stored(json: &Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json"), CACHE], json.clone()).into_response()
}

fn json(value: &impl Serialize) -> Bytes {
    serde_json::to_vec(value).unwrap_or_else(|error| unreachable!("plain data: {error}")).into()
}

fn pages(sets: &[Set]) -> Vec<CardPage> {
    let Ok(db) = CardDb::build(sets) else { return Vec::new() };
    let source = |card: &CardText| {
        let found = sets.iter().filter(|set| set.code == card.set).flat_map(|set| &set.cards);
        found.clone().find(|other| other.name == card.name).map_or(String::new(), Card::to_string)
    };
    let page = |(id, def): (cards::code::DefId, &cards::db::Def)| {
        let card = CardText { copies: def.copies, ..CardText::of(id.0, def) };
        CardPage {
            source: source(&card),
            card,
            rulings: def.face.rulings.clone(),
            provenance: def.face.provenance.in_words().into(),
        }
    };
    db.cards().map(page).collect()
}

fn presets(sets: &[Set]) -> Vec<DeckInfo> {
    let info = |(name, _): &(&str, &str)| {
        let deck = library::deck(name, sets)?;
        let tables = Tables::of(&deck.compile(sets).ok()?);
        Some(DeckInfo {
            name: (*name).into(),
            title: deck.title,
            notes: deck.notes,
            text: deck.text,
            most_players: tables.heroes.iter().map(|(players, ..)| *players).max().unwrap_or(0),
        })
    };
    library::DECKS.iter().filter_map(info).collect()
}

fn looked_at(wanted: &DeckText, sets: &[Set]) -> DeckCheck {
    let unreadable = |problems: String| DeckCheck {
        ok: false,
        problems,
        title: String::new(),
        cards: Vec::new(),
        advice: Vec::new(),
    };
    let deck = match Deck::read(&wanted.name, &wanted.name, &wanted.text, sets) {
        Ok(deck) => deck,
        Err(errors) => return unreadable(errors.to_string()),
    };
    let tables = match deck.compile(sets) {
        Ok(db) => Tables::of(&db),
        Err(error) => return unreadable(error.to_string()),
    };
    let ok = !tables.heroes.is_empty();
    let refusal = tables.refusals.first().filter(|_| !ok);
    DeckCheck {
        ok,
        problems: refusal.map_or(String::new(), |(_, why)| format!("this deck cannot be played: {why}")),
        cards: deck
            .cards(sets)
            .map(|(set, card, copies)| DeckCard {
                name: card.name.clone(),
                set: set.code.clone(),
                kind: card.kind.to_string(),
                copies,
            })
            .collect(),
        advice: advice(&Balance::of(&deck, sets), &tables),
        title: deck.title,
    }
}

/// What `lair deck check` says below its tables, and for how many players the deck is.
fn advice(balance: &Balance, tables: &Tables) -> Vec<DeckAdvice> {
    let mut advice: Vec<DeckAdvice> =
        balance.advice().iter().map(|advice| DeckAdvice { met: false, words: advice.to_string() }).collect();
    if advice.is_empty() {
        advice.push(DeckAdvice { met: true, words: "balanced as advised".into() });
    }
    advice.extend(tables.heroes.iter().map(|(players, heroes, epics)| DeckAdvice {
        met: true,
        words: format!("{players} players: {heroes} heroes and {epics} epic heroes"),
    }));
    advice.extend(
        tables
            .refusals
            .iter()
            .map(|(players, why)| DeckAdvice { met: false, words: format!("{players} players: {why}") }),
    );
    advice
}

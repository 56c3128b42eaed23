//! Cards, decks and rules. They do not change while the server runs, so most responses are written once.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use cards::deck::Balance;
use cards::report::MAX_PROBLEMS;
use cards::tree::{Card, Set};
use cards::{CardDb, Deck, library};
use engine::setup::{SetupError, Tables};
use wire::CardText;

use super::client::{Body, Client};
use super::packed::Packed;
use super::{App, Result};
use crate::own_cards::{self, KnownNames};
use crate::wire::{
    CardPage, CardsCheck, CardsText, DeckAdvice, DeckCard, DeckCheck, DeckInfo, DeckProblem, DeckText,
    Problem,
};
use crate::work::Requester;

const RULES: &str = include_str!("../../../../docs/rules.md");
/// Five minutes: an updated server may have more cards.
const CACHE: (header::HeaderName, &str) = (header::CACHE_CONTROL, "public, max-age=300");

/// The responses.
pub struct Library {
    cards: Packed,
    decks: Packed,
    pub(super) boxes: Packed,
    rules: Packed,
    pub names: KnownNames,
}

impl Library {
    pub fn of(sets: &[Set]) -> Library {
        let markdown = HeaderValue::from_static("text/markdown; charset=utf-8");
        Library {
            cards: Packed::json(&pages(sets)),
            decks: Packed::json(&presets(sets)),
            boxes: Packed::json(&super::mixes::all_boxes(sets)),
            rules: Packed::of(markdown, RULES),
            names: KnownNames::of(sets),
        }
    }
}

/// Every card, with its rulings and its source
#[utoipa::path(get, path = "/api/cards", tag = "library", responses((status = 200, body = Vec<CardPage>)))]
pub async fn cards(State(app): State<App>, headers: HeaderMap) -> Response {
    cached(&app.library.cards, &headers)
}

/// The decks that come with the program
#[utoipa::path(get, path = "/api/decks", tag = "library", responses((status = 200, body = Vec<DeckInfo>)))]
pub async fn decks(State(app): State<App>, headers: HeaderMap) -> Response {
    cached(&app.library.decks, &headers)
}

/// Checks a deck: what is wrong with it, what is in it, and how it is balanced
#[utoipa::path(post, path = "/api/decks/check", tag = "library", request_body = DeckText, responses(
    (status = 200, body = DeckCheck), (status = 400, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 415, body = Problem), (status = 429, body = Problem),
    (status = 503, body = Problem),
))]
pub async fn check(
    State(app): State<App>,
    client: Client,
    Body(deck): Body<DeckText>,
) -> Result<Json<DeckCheck>> {
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let work = move || check_deck(&deck, app.hall.sets());
    Ok(Json(hall.work("check", work).await?))
}

/// Checks a card file: what is wrong with it, and its cards as players will see them
#[utoipa::path(post, path = "/api/cards/check", tag = "library", request_body = CardsText, responses(
    (status = 200, body = CardsCheck), (status = 400, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 415, body = Problem), (status = 429, body = Problem),
    (status = 503, body = Problem),
))]
pub async fn check_cards(
    State(app): State<App>,
    client: Client,
    Body(file): Body<CardsText>,
) -> Result<Json<CardsCheck>> {
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let work = move || own_cards::check(&file.text, app.hall.sets(), &app.library.names);
    Ok(Json(hall.work("cards", work).await?))
}

/// The rules, as Markdown
#[utoipa::path(get, path = "/api/rules", tag = "library", responses(
    (status = 200, body = String, content_type = "text/markdown"),
))]
pub async fn rules(State(app): State<App>, headers: HeaderMap) -> Response {
    cached(&app.library.rules, &headers)
}

pub(super) fn cached(packed: &Packed, headers: &HeaderMap) -> Response {
    ([CACHE], packed.response(headers)).into_response()
}

fn pages(sets: &[Set]) -> Vec<CardPage> {
    let Ok(db) = CardDb::build(sets) else { return Vec::new() };
    let source = |card: &CardText| {
        let found = sets.iter().filter(|set| set.code == card.set).flat_map(|set| &set.cards);
        found.clone().find(|other| other.name == card.name).map_or(String::new(), Card::to_string)
    };
    let page = |(id, def): (cards::code::DefId, &cards::db::Def)| {
        let card = CardText { copies: def.copies, ..CardText::of(id.0, def, db.classes) };
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
            most_players: tables.most_players(),
        })
    };
    library::DECKS.iter().filter_map(info).collect()
}

fn check_deck(wanted: &DeckText, sets: &[Set]) -> DeckCheck {
    let refused = |problems: Vec<DeckProblem>| DeckCheck {
        ok: false,
        problems,
        title: String::new(),
        cards: Vec::new(),
        advice: Vec::new(),
    };
    let deck = match Deck::read(&wanted.name, &wanted.name, &wanted.text, sets) {
        Ok(deck) => deck,
        Err(errors) => {
            let more = errors.more.then(|| {
                let words = format!("there are more problems: only the first {MAX_PROBLEMS} are listed");
                DeckProblem::of_the_whole(words)
            });
            return refused(errors.problems.iter().map(DeckProblem::from).chain(more).collect());
        }
    };
    let tables = match deck.compile(sets) {
        Ok(db) => Tables::of(&db),
        Err(error) => return refused(vec![DeckProblem::of_the_whole(error.to_string())]),
    };
    let ok = !tables.offers.is_empty();
    let refusal = tables.refusals.first().filter(|_| !ok);
    let unplayable =
        |why: &SetupError| DeckProblem::of_the_whole(format!("this deck cannot be played: {why}"));
    DeckCheck {
        ok,
        problems: refusal.iter().map(|(_, why)| unplayable(why)).collect(),
        cards: deck
            .cards(sets)
            .map(|(set, card, copies)| DeckCard {
                name: card.name.clone(),
                set: set.code.clone(),
                kind: card.kind,
                copies,
            })
            .collect(),
        advice: advice(&Balance::of(&deck, sets), &tables),
        title: deck.title,
    }
}

/// The advice of `lair deck check`, and the numbers of players that the deck allows.
fn advice(balance: &Balance, tables: &Tables) -> Vec<DeckAdvice> {
    let mut advice: Vec<DeckAdvice> =
        balance.advice().iter().map(|advice| DeckAdvice { met: false, words: advice.to_string() }).collect();
    if advice.is_empty() {
        advice.push(DeckAdvice { met: true, words: "balanced as advised".into() });
    }
    advice.extend(tables.offers.iter().map(|offer| {
        let terms = offer.terms().map_or(String::new(), |terms| format!(", {terms}"));
        let (players, heroes, epics) = (offer.rules.players, offer.heroes, offer.epics);
        let words = format!("{players} players: {heroes} heroes and {epics} epic heroes{terms}");
        DeckAdvice { met: true, words }
    }));
    advice.extend(
        tables
            .refusals
            .iter()
            .map(|(players, why)| DeckAdvice { met: false, words: format!("{players} players: {why}") }),
    );
    advice
}

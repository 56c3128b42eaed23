//! Today's dungeon: a game for one with the same cards for everybody on this server.
//!
//! Invariants: nobody can know a day's cards before the day has begun, since its secret is drawn then; nor from somebody
//! else's game before the day is over, since nobody can watch it and its record is withheld until then. Everybody has
//! one attempt; whoever comes back finds that table again.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::record::{Hex, server_commitment};
use engine::{Rules, Seed, Setup};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

use super::{Hall, NewTableError, new_id, rules, seat_entries};
use crate::store::{Day, Person, PersonId, SeatHolder, StoreError, now};
use crate::wire::{Daily, DailyScore, Settings, Spectators, UndoRule};
use crate::work::Requester;

/// How many scores everybody is shown.
const SCORES: u32 = 100;
/// How long the scores are good for.
const FRESH: Duration = Duration::from_secs(2);

type Scores = Arc<Vec<(PersonId, DailyScore)>>;
pub type CachedScores = Mutex<Option<(Instant, Day, Scores)>>;

impl Hall {
    /// What is known of today's dungeon, for this person.
    pub async fn daily(&self, me: Option<&Person>) -> Result<Daily, StoreError> {
        let (store, day) = (self.store(), Day::at(now()));
        let secret = store.secret_of(day).await?;
        let mut scores = self.scores(day).await?.to_vec();
        let mut table = None;
        if let Some(me) = me {
            table = store.attempt_of(day, me.id).await?;
            for (person, score) in &mut scores {
                score.you = *person == me.id;
            }
        }
        let yesterday = store.known_secret_of(Day(day.0 - 1)).await?;
        Ok(Daily {
            day: day.0,
            ends: day.ends(),
            commitment: server_commitment(&Hex(secret)).to_string(),
            yesterday: yesterday.map(|secret| Hex(secret).to_string()),
            table,
            scores: scores.into_iter().map(|(_, score)| score).collect(),
        })
    }

    async fn scores(&self, day: Day) -> Result<Scores, StoreError> {
        // Whoever comes while they are being read waits for them.
        let mut cached = self.0.scores.lock().await;
        if let Some((made, of, scores)) = &*cached
            && made.elapsed() < FRESH
            && *of == day
        {
            return Ok(Arc::clone(scores));
        }
        let scores = Arc::new(self.store().scores_of(day, SCORES).await?);
        *cached = Some((Instant::now(), day, Arc::clone(&scores)));
        Ok(scores)
    }

    /// The table of the person's attempt at today's dungeon; made if it is the first time they ask.
    pub async fn play_daily(&self, person: &Person) -> Result<String, NewTableError> {
        let day = Day::at(now());
        if let Some(table) = self.store().attempt_of(day, person.id).await?
            && self.store().table_row(&table).await?.is_some()
        {
            return Ok(table);
        }
        self.count_new_table(person.id)?;
        let secret = self.store().secret_of(day).await?;
        let network = network(self.1, &secret);
        let table = self.store().attempt(day, person.id, new_id(), network).await?;
        let settings = Settings {
            deck: "sbm-solo".into(),
            ruleset: "solo".into(),
            players: 1,
            undo: UndoRule::Own,
            spectators: Spectators::None,
            window_ms: 0,
            ..Settings::default()
        };
        let cards = self.playable(&settings).await?;
        let rules: Rules = rules(&settings)?;
        let seed = Seed(Sha256::new().chain_update(b"lair daily").chain_update(secret).finalize().into());
        let setup = Setup { rules, deck: cards.deck.id.clone(), seed };
        let holders = [Some(SeatHolder::Person { id: person.id, name: person.name.clone(), host: true })];
        let mut entries = seat_entries(&holders);
        entries.extend(self.beginning(&cards, &setup));
        match self.make_as(table.clone(), settings, cards, entries, &holders).await {
            // Another request of the same person was quicker.
            Err(NewTableError::Store(_)) if self.store().table_row(&table).await?.is_some() => Ok(table),
            made => made,
        }
    }

    /// The game at this table is today's dungeon: its record would give the cards away.
    pub async fn is_withheld(&self, table: &str) -> Result<bool, StoreError> {
        Ok(self.store().day_of(table).await? == Some(Day::at(now())))
    }
}

/// What tells a network from others on this day, and on no other.
fn network(by: Requester, secret: &[u8; 32]) -> Vec<u8> {
    let address = match by {
        Requester::Server => Vec::new(),
        Requester::Network(IpAddr::V4(address)) => address.octets().to_vec(),
        Requester::Network(IpAddr::V6(address)) => address.octets().to_vec(),
    };
    let tag = Sha256::new().chain_update(b"lair network").chain_update(secret).chain_update(address);
    tag.finalize()[..16].to_vec()
}

//! A shuffle nobody can choose alone. The server commits to a secret when it makes the table, each client commits to
//! bytes of its own with `hello`. At the start all commitments are published, then the clients reveal their bytes, and
//! everything together gives the seed.
//!
//! Invariants: what is published is on disk before; nothing is revealed before every commitment is published. Who does
//! not reveal in time is left out, and everyone can see that.

use std::time::Duration;

use engine::Setup;
use engine::record::{Contribution, Fairness, Hex, player_commitment, server_commitment};
use engine::{Seat, Seed};
use tokio::time::Instant;
use wire::seat_number;

use super::game::LiveGame;
use super::{Refused, TableTask, refused};
use crate::hall;
use crate::store::{Change, LogEntry, TableSummary};
use crate::wire::{ContributionState, Refusal, ShuffleContribution, Spectators, TableState};

/// How long clients may take to reveal their bytes. Browsers answer at once, without their players.
const REVEAL_TIME: Duration = Duration::from_secs(5);
/// The same after a restart: they have to come back first.
const RECONNECT_TIME: Duration = Duration::from_secs(30);
/// How soon a deal that could not be stored is tried again.
const STORE_RETRY: Duration = Duration::from_secs(1);

/// The commitments are published, and the clients are asked to reveal.
pub struct Shuffle {
    /// By seat.
    players: Vec<Contribution>,
    /// Then the cards are dealt without those that have not revealed.
    pub until: Instant,
}

impl Shuffle {
    /// As the log has it after a restart.
    pub fn restored(commitments: Vec<Option<Hex<32>>>) -> Shuffle {
        let players = commitments.into_iter().map(|commitment| Contribution { commitment, bytes: None });
        Shuffle { players: players.collect(), until: Instant::now() + RECONNECT_TIME }
    }

    pub fn restore_bytes(&mut self, seat: usize, bytes: Hex<32>) -> Option<()> {
        self.players.get_mut(seat)?.bytes = Some(bytes);
        Some(())
    }

    fn is_complete(&self) -> bool {
        self.players.iter().all(|player| player.commitment.is_none() || player.bytes.is_some())
    }
}

/// What proves the shuffle after the game, and the seed that follows from it.
pub fn fairness(secret: [u8; 32], shuffle: Option<&Shuffle>, seats: usize) -> (Fairness, Seed) {
    let players =
        shuffle.map_or_else(|| vec![Contribution::default(); seats], |shuffle| shuffle.players.clone());
    let secret = Hex(secret);
    let fairness = Fairness { commitment: server_commitment(&secret), secret, players };
    let seed = fairness.seed();
    (fairness, seed)
}

impl TableTask<'_> {
    /// Fixes who adds what to the shuffle, publishes it, and asks for the bytes. Someone who is not connected adds
    /// nothing.
    pub(super) async fn begin(&mut self) -> Result<(), Refused> {
        let committed = |seat: u8| {
            let mut here = self.connections.iter().filter(|connection| connection.seat == Some(Seat(seat)));
            here.find_map(|connection| connection.commitment)
        };
        let commitments: Vec<_> = (0..self.seats.len() as u8).map(committed).collect();
        if commitments.iter().any(Option::is_some) {
            self.log_entry(LogEntry::Commits(commitments.clone())).await?;
        }
        self.shuffle =
            Some(Shuffle { until: Instant::now() + REVEAL_TIME, ..Shuffle::restored(commitments) });
        self.deal_if_complete().await
    }

    /// A client reveals the bytes that it has committed to.
    pub(super) async fn reveal(&mut self, seat: Seat, bytes: &str) -> Result<(), Refused> {
        let bytes: Hex<32> = bytes
            .parse()
            .map_err(|_| refused(Refusal::Malformed, "`bytes` must be 64 hexadecimal digits."))?;
        let proof = self.live.as_ref().and_then(|live| live.fairness.as_ref());
        if proof.is_some_and(|proof| proof.players[seat.index()].bytes == Some(bytes)) {
            // Another tab of the same player was quicker.
            return Ok(());
        }
        let Some(shuffle) = &mut self.shuffle else {
            return Err(refused(Refusal::NotNow, "There is nothing to reveal now."));
        };
        let player = &mut shuffle.players[seat.index()];
        if player.commitment != Some(player_commitment(&bytes)) {
            return Err(refused(Refusal::NotLegal, "These are not the bytes that your client committed to."));
        }
        player.bytes = Some(bytes);
        self.deal_if_complete().await
    }

    async fn deal_if_complete(&mut self) -> Result<(), Refused> {
        if self.shuffle.as_ref().is_some_and(Shuffle::is_complete) {
            return self.deal().await;
        }
        self.table_changed();
        Ok(())
    }

    /// Whoever has not revealed by now is left out.
    pub(super) async fn deal_when_due(&mut self) {
        let due = self.shuffle.as_ref().is_some_and(|shuffle| shuffle.until <= Instant::now());
        if due && let Err(refused) = self.deal().await {
            self.tell_all(&refused.into());
        }
    }

    /// Deals the cards.
    async fn deal(&mut self) -> Result<(), Refused> {
        let shuffle = self.shuffle.as_mut().filter(|_| self.live.is_none());
        let Some(shuffle) = shuffle else { return Ok(()) };
        // If it cannot be stored; otherwise the shuffle is over.
        shuffle.until = Instant::now() + STORE_RETRY;
        let mut entries: Vec<LogEntry> = (0..)
            .zip(&shuffle.players)
            .filter_map(|(seat, player)| Some(LogEntry::Reveals(seat, player.bytes?)))
            .collect();
        let (fairness, seed) = fairness(self.secret, Some(shuffle), self.seats.len());
        let rules =
            hall::rules(&self.settings).map_err(|error| refused(Refusal::NotNow, &error.to_string()))?;
        let setup = Setup { rules, deck: self.cards.deck.id.clone(), seed };
        entries.extend(self.hall.beginning(self.cards, &setup));
        let Some((live, events)) = LiveGame::deal(self.cards, setup, Some(fairness)) else {
            return Err(refused(Refusal::NotNow, "This game cannot be dealt."));
        };
        let summary = Some(TableSummary { state: Some(TableState::Playing), ..self.summary() });
        self.store(Change { entries: &entries, summary, ..Change::default() }).await?;
        self.shuffle = None;
        self.stored_steps = 0;
        self.live = Some(live);
        self.unsent = events;
        self.seat_bots();
        metrics::counter!("lair_games_begun").increment(1);
        if self.settings.spectators == Spectators::None {
            self.show_spectators_out();
        }
        self.table_changed();
        self.send_cards_to_all();
        self.advance().await;
        Ok(())
    }

    /// What everyone may know of the shuffle; `None` before the start.
    pub(super) fn shuffle_info(&self) -> Option<Vec<ShuffleContribution>> {
        let proof = self.live.as_ref().and_then(|live| live.fairness.as_ref());
        let waiting = self.shuffle.is_some();
        let players =
            self.shuffle.as_ref().map(|shuffle| &shuffle.players).or(proof.map(|proof| &proof.players))?;
        let public = |(seat, player): (u8, &Contribution)| {
            Some(ShuffleContribution {
                seat: seat_number(Seat(seat)),
                commitment: player.commitment?.to_string(),
                state: match player.bytes {
                    Some(_) => ContributionState::Revealed,
                    None if waiting => ContributionState::Waiting,
                    None => ContributionState::Absent,
                },
            })
        };
        Some((0..).zip(players).filter_map(public).collect())
    }
}

//! A rematch: one player proposes it, the others are asked, and only those who agree get a seat.

use engine::Seat;
use wire::seat_number;

use super::seats::new_bot;
use super::{Refused, TableTask, refused};
use crate::hall::NewTableError;
use crate::store::{LogEntry, SeatHolder};
use crate::wire::{Refusal, RematchProposal, TableState};
use crate::work::Requester;

/// Waits for the others to agree or decline.
#[derive(Clone)]
pub struct Proposal {
    /// Will be the host.
    by: Seat,
    /// Whose limits the new table counts for.
    from: Requester,
    /// By seat; `None` until the player has answered.
    answers: Vec<Option<bool>>,
}

impl TableTask<'_> {
    pub(super) async fn rematch(&mut self, seat: Seat, from: Requester, yes: bool) -> Result<(), Refused> {
        if self.state() != TableState::Over {
            return Err(refused(Refusal::NotNow, "The game is not over."));
        }
        if self.rematch_id.is_some() {
            return Err(refused(Refusal::NotNow, "The rematch has been set up: follow its link."));
        }
        let mut proposal = match self.proposal.take() {
            Some(open) => open,
            None if yes => Proposal { by: seat, from, answers: vec![None; self.seats.len()] },
            None => return Err(refused(Refusal::Stale, "Nobody is proposing a rematch.")),
        };
        proposal.answers[seat.index()] = Some(yes);
        // Whoever proposed it can withdraw it.
        self.proposal = Some(proposal).filter(|proposal| yes || proposal.by != seat);
        self.table_changed();
        self.settle_rematch().await
    }

    /// Sets the rematch up once everyone has agreed, declined or left. The seats of those who did not agree are free.
    pub(super) async fn settle_rematch(&mut self) -> Result<(), Refused> {
        let Some(proposal) = &self.proposal else { return Ok(()) };
        let is_open = |at: usize| {
            let seat_state = &self.seats[at];
            seat_state.person().is_some() && seat_state.connected > 0 && proposal.answers[at].is_none()
        };
        if (0..self.seats.len()).any(is_open) {
            return Ok(());
        }
        let Some(proposal) = self.proposal.take() else { return Ok(()) };
        let made = self.set_up_rematch(proposal).await;
        self.table_changed();
        made
    }

    async fn set_up_rematch(&mut self, Proposal { by, from, answers }: Proposal) -> Result<(), Refused> {
        let mut holders: Vec<Option<SeatHolder>> = (0..)
            .zip(&self.seats)
            .map(|(at, seat_state)| match seat_state.holder.clone()? {
                SeatHolder::Person { id, name, .. } => (answers[usize::from(at)] == Some(true))
                    .then_some(SeatHolder::Person { id, name, host: Seat(at) == by }),
                SeatHolder::Bot { level, .. } => Some(new_bot(level)),
            })
            .collect();
        // The seats rotate, so that nobody keeps the advantage of going first.
        holders.rotate_left(1);
        let Some((host, _)) = self.seats[by.index()].person() else { return Ok(()) };
        let hall = self.hall.on_behalf_of(from);
        let made = Box::pin(hall.create_rematch(host, self.settings.clone(), holders)).await;
        let id = made.map_err(|error| match error {
            NewTableError::TooFast(_) | NewTableError::TooMany | NewTableError::Work(_) => {
                refused(Refusal::TooFast, &error.to_string())
            }
            _ => refused(Refusal::NotNow, &error.to_string()),
        })?;
        self.log_entry(LogEntry::Rematch(id.clone())).await?;
        self.rematch_id = Some(id);
        Ok(())
    }

    pub(super) fn rematch_proposal(&self) -> Option<RematchProposal> {
        let proposal = self.proposal.as_ref()?;
        let who = |answer: bool| {
            let seats = (1..).zip(&proposal.answers).filter(move |(_, given)| **given == Some(answer));
            seats.map(|(seat, _)| seat).collect()
        };
        Some(RematchProposal { by: seat_number(proposal.by), agreed: who(true), declined: who(false) })
    }
}

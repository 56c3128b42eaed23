//! What an answer would do, before it is given: made in the work pool, one at a time for each seat. And why a card
//! cannot be used.

use bots::{Outlook, outlook};
use engine::tell::{self, Reader};
use engine::{Action, CardId, Game, Seat};
use wire::Table as TableView;

use super::{Command, ConnectionId, Refused, TableTask, refused};
use crate::wire::{Preview, Refusal, ServerMsg};

/// The previews of one seat.
#[derive(Clone, Default)]
pub enum PreviewState {
    #[default]
    Idle,
    /// One is being made. Of what was asked for meanwhile, only the newest is kept.
    Making(Option<PreviewRequest>),
}

#[derive(Clone, Copy)]
pub struct PreviewRequest {
    to: ConnectionId,
    seq: u32,
    index: u32,
}

/// A preview on its way back to the table.
pub struct FinishedPreview {
    to: ConnectionId,
    seat: Seat,
    message: ServerMsg,
}

impl TableTask<'_> {
    pub(super) fn preview(
        &mut self,
        to: ConnectionId,
        seat: Seat,
        seq: u32,
        index: u32,
    ) -> Result<(), Refused> {
        let action = self.resolve_answer(seat, seq, index)?;
        self.previews.resize(self.seats.len(), PreviewState::Idle);
        if let PreviewState::Making(next) = &mut self.previews[seat.index()] {
            *next = Some(PreviewRequest { to, seq, index });
            return Ok(());
        }
        let Some(live) = &self.live else { return Ok(()) };
        let Some(by) = self.connections.iter().find(|connection| connection.id == to).map(|found| found.by)
        else {
            return Ok(());
        };
        let (state, cards, names) = (live.game.state.clone(), self.shared.clone(), self.names());
        let work = move || {
            let game = Game { db: &cards.db, state };
            preview(&game, seat, &names, seq, index, action)
        };
        let (hall, to_self) = (self.hall.on_behalf_of(by), self.to_self.clone());
        self.previews[seat.index()] = PreviewState::Making(None);
        tokio::spawn(async move {
            let message = match hall.work("preview", work).await {
                Ok(preview) => ServerMsg::Preview(Box::new(preview)),
                Err(error) => {
                    Refused { seq: Some(seq), ..refused(Refusal::TooFast, &error.to_string()) }.into()
                }
            };
            if let Some(to_self) = to_self.upgrade() {
                let finished = Box::new(FinishedPreview { to, seat, message });
                let _ = to_self.send(Command::Preview(finished).into()).await;
            }
        });
        Ok(())
    }

    /// Why the seat cannot use one of its cards: quick, and made from the seat's own view.
    pub(super) fn why(&mut self, to: ConnectionId, seat: Seat, card: u16) -> Result<(), Refused> {
        let Some(live) = &self.live else { return Ok(()) };
        let (view, card) = (live.game.view(Some(seat)), CardId(card));
        let words = match view.why_not(card) {
            Some(why) => tell::why_not(view.table(), &self.names()[..], Reader::Seat(seat), card, why),
            None => String::new(),
        };
        self.tell(to, &ServerMsg::Why { seq: self.seq, card: card.0, words });
        Ok(())
    }

    pub(super) fn preview_finished(&mut self, finished: FinishedPreview) {
        let FinishedPreview { to, seat, message } = finished;
        self.tell(to, &message);
        let state = std::mem::take(&mut self.previews[seat.index()]);
        if let PreviewState::Making(Some(PreviewRequest { to, seq, index })) = state
            && let Err(refused) = self.preview(to, seat, seq, index)
        {
            self.tell(to, &refused.into());
        }
    }
}

pub fn preview(game: &Game, seat: Seat, names: &[String], seq: u32, index: u32, action: Action) -> Preview {
    match outlook(&game.view(Some(seat)), names, action) {
        Some(Outlook { words, warning, after }) => {
            let view = after.map(|after| TableView::of(&after.view(Some(seat))));
            Preview { seq, index, words, warning, view }
        }
        None => Preview { seq, index, words: String::new(), warning: None, view: None },
    }
}

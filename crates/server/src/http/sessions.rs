//! A person's sessions: which there are, and how to end them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use tokio::sync::watch;

use super::client::{Body, Current};
use super::{ApiError, App, Result};
use crate::store::SessionId;
use crate::wire::{Problem, Revoke, SessionInfo};

/// Your sessions, the last used first
#[utoipa::path(get, path = "/api/sessions", tag = "people", responses(
    (status = 200, body = Vec<SessionInfo>), (status = 401, body = Problem),
))]
pub async fn list(State(app): State<App>, Current(current): Current) -> Result<Json<Vec<SessionInfo>>> {
    let sessions = app.hall.store().sessions(current.person.id).await?;
    let info = |session: crate::store::Session| SessionInfo {
        id: format!("{:016x}", session.id.0),
        began: session.began,
        seen: session.seen,
        about: session.about,
        current: session.id == current.id,
    };
    Ok(Json(sessions.into_iter().map(info).collect()))
}

/// Ends one of your sessions, or all others; whoever uses it is signed out at once
#[utoipa::path(post, path = "/api/sessions/revoke", tag = "people", request_body = Revoke, responses(
    (status = 200, body = Vec<SessionInfo>, description = "Those that are left"),
    (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
))]
pub async fn revoke(
    State(app): State<App>,
    Current(current): Current,
    Body(wanted): Body<Revoke>,
) -> Result<Json<Vec<SessionInfo>>> {
    let (store, person) = (app.hall.store(), current.person.id);
    let revoked = match wanted.session.as_str() {
        "others" => store.revoke_others(person, current.id).await?,
        id => {
            let id = i64::from_str_radix(id, 16).map(SessionId).map_err(|_| ApiError::NoSuchSession)?;
            if !store.revoke(person, id).await? {
                return Err(ApiError::NoSuchSession);
            }
            vec![id]
        }
    };
    app.end_sessions(&revoked).await;
    list(State(app), Current(current)).await
}

/// Sessions with open WebSockets, which are closed when the session is revoked.
#[derive(Default)]
pub struct LiveSessions(Mutex<HashMap<SessionId, watch::Sender<()>>>);

impl LiveSessions {
    /// Its sender is dropped when the session is revoked.
    pub fn enter(&self, id: SessionId) -> watch::Receiver<()> {
        let mut live = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if live.len() == live.capacity() {
            live.retain(|_, sender| sender.receiver_count() > 0);
        }
        live.entry(id).or_insert_with(|| watch::channel(()).0).subscribe()
    }

    pub fn revoke(&self, ids: &[SessionId]) {
        let mut live = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for id in ids {
            live.remove(id);
        }
    }
}

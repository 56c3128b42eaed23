//! For operators: health and metrics.

use std::sync::LazyLock;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use super::{ApiError, App, Result};

/// In seconds.
const TIMES: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];
const COUNTS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 128.0, 512.0];

/// There is one for each process.
pub fn recorder() -> PrometheusHandle {
    static RECORDER: LazyLock<PrometheusHandle> = LazyLock::new(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &TIMES)
            .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_batch".into()), &COUNTS))
            .unwrap_or_default();
        // If another recorder is installed, it stays, and ours has nothing to report.
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is installed: /metrics stays empty");
        }
        handle
    });
    RECORDER.clone()
}

/// Metrics for Prometheus.
pub async fn metrics(State(app): State<App>) -> Response {
    app.upkeep();
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
    ([kind], app.metrics.render()).into_response()
}

/// Whether the server and its database respond, and changes can be stored
#[utoipa::path(get, path = "/healthz", tag = "operations", responses(
    (status = 200, body = String, content_type = "text/plain", description = "ok"),
    (status = 503, body = crate::wire::Problem, description = "The database does not respond, or the disk is full"),
))]
pub async fn health(State(app): State<App>) -> Result<&'static str> {
    match app.hall.store().check_health().await {
        Ok(()) => Ok("ok\n"),
        Err(error) => Err(ApiError::Unhealthy(error.to_string())),
    }
}

/// Whether a proxy should send people here: healthy, not stopping, and in touch with the other servers
#[utoipa::path(get, path = "/readyz", tag = "operations", responses(
    (status = 200, body = String, content_type = "text/plain", description = "ok"),
    (status = 503, body = crate::wire::Problem, description = "Stopping, unhealthy, or without its bus"),
))]
pub async fn ready(State(app): State<App>) -> Result<&'static str> {
    if *app.stopping.borrow() {
        return Err(ApiError::Unhealthy("the server is stopping".into()));
    }
    if app.hall.is_withdrawn() {
        return Err(ApiError::Unhealthy("the server has given its tables to others".into()));
    }
    if app.hall.nodes().is_some_and(|nodes| !nodes.is_connected()) {
        return Err(ApiError::Unhealthy("the NATS server cannot be reached".into()));
    }
    health(State(app)).await
}

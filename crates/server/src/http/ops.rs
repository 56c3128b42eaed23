//! For those who run the server: is it well, and what does it do?

use std::sync::LazyLock;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use super::{App, Result};

/// In seconds: from what nobody notices to what everybody does.
const TIMES: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];
const COUNTS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 128.0, 512.0];

/// The process has one.
pub fn recorder() -> PrometheusHandle {
    static RECORDER: LazyLock<PrometheusHandle> = LazyLock::new(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &TIMES)
            .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_batch".into()), &COUNTS))
            .unwrap_or_default();
        // Somebody else's recorder stays; then ours has nothing to tell.
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("this process counts elsewhere: /metrics stays empty");
        }
        handle
    });
    RECORDER.clone()
}

/// What the server counts, for Prometheus
#[utoipa::path(get, path = "/metrics", tag = "operations", responses(
    (status = 200, body = String, content_type = "text/plain"),
))]
pub async fn metrics(State(app): State<App>) -> Response {
    app.upkeep();
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
    ([kind], app.metrics.render()).into_response()
}

/// Whether the server and its database answer
#[utoipa::path(get, path = "/healthz", tag = "operations", responses(
    (status = 200, body = String, content_type = "text/plain", description = "ok"),
    (status = 500, body = crate::wire::Problem, description = "The database does not answer"),
))]
pub async fn health(State(app): State<App>) -> Result<&'static str> {
    app.hall.store().read(|db| Ok(db.query_row("SELECT 1", [], |_| Ok(()))?)).await?;
    Ok("ok\n")
}

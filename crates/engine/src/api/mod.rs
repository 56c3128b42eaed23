//! What leaves the engine: events and their sentences, views and sights, forecasts, bytes and records.

pub mod arming;
pub mod codec;
pub mod event;
pub(crate) mod forecast;
pub(crate) mod luck;
pub mod record;
pub mod sight;
pub mod stops;
pub mod tell;
pub mod view;

//! Tables over the network. `hall` has the tables, `http` and `ws` are the ways to them, `store` keeps what must
//! survive, `wire` is what is said; `serve` puts it together.

mod assets;
pub mod frame;
pub mod hall;
pub mod http;
mod json;
mod limits;
mod line;
pub mod replay;
mod serve;
pub mod store;
pub mod table;
pub mod wire;
mod ws;

pub use limits::Rate;
pub use serve::{Config, Limits, ServeError, Server, serve};

//! Tables over the network. `hall` holds the tables, `http` and `ws` give access to them, `store` keeps what must
//! survive a restart, `thinking` gives bots their turns, `wire` has the messages, and `serve` puts it all together.

mod admission;
mod assets;
pub mod frame;
pub mod hall;
pub mod http;
mod limits;
mod names;
pub mod nodes;
mod outgoing;
mod own_cards;
mod puzzles;
pub mod replay;
mod serve;
mod silence;
pub mod store;
pub mod story;
pub mod table;
mod thinking;
pub mod wire;
pub mod work;
mod write_limit;
mod ws;

pub use limits::Rate;
pub use serve::{Config, Database, Limits, ServeError, Server, serve};

pub mod hall;
pub mod store;
pub mod table;
pub mod wire;

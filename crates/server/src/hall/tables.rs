//! A table wherever it is: here, or at another server that shares the store.

use std::sync::{Arc, Weak};

use engine::record::Hex;

use super::{Hall, Inner, NoTable, TableHandle};
use crate::nodes::{FarTable, Nodes, NotJoined};
use crate::store::Person;
use crate::table::{ConnectionId, Outbox};
use crate::wire::{ClientMsg, CloseReason, TableInfo};
use crate::work::Requester;

#[derive(Clone)]
pub enum AnyTable {
    Here(TableHandle),
    There(FarTable),
}

/// A hall that ends when nobody else has it.
#[derive(Clone)]
pub struct WeakHall(Weak<Inner>);

impl Hall {
    /// Finds a table. One that no server holds is restored here; one that another holds is reached over the bus, or
    /// without one comes here if nobody is there.
    pub async fn find(&self, id: &str) -> Result<AnyTable, NoTable> {
        let Some(nodes) = self.0.nodes.get() else {
            return self.table_here(id).await.map(AnyTable::Here);
        };
        match self.table(id).await {
            Err(NoTable::Elsewhere(node)) => Ok(AnyTable::There(nodes.table(node, id))),
            found => found.map(AnyTable::Here),
        }
    }

    pub async fn info(&self, id: &str) -> Result<TableInfo, NoTable> {
        match self.find(id).await? {
            AnyTable::Here(table) => table.info().await.ok_or(NoTable::CannotRestore),
            AnyTable::There(table) => table.info().await.ok_or(NoTable::Waiting),
        }
    }

    /// From now on there are other servers.
    pub(crate) fn join_nodes(&self, nodes: Nodes) {
        let _ = self.0.nodes.set(nodes);
    }

    pub fn nodes(&self) -> Option<&Nodes> {
        self.0.nodes.get()
    }

    /// For what goes on beside the hall, and must not keep it.
    pub(crate) fn weak(&self) -> WeakHall {
        WeakHall(Arc::downgrade(&self.0))
    }
}

impl WeakHall {
    pub fn upgrade(&self) -> Option<Hall> {
        Some(Hall(self.0.upgrade()?, Requester::Server))
    }
}

impl AnyTable {
    /// Connects a person to the table; everything they are sent goes to `outbox`.
    pub async fn join(
        &self,
        by: Requester,
        person: Person,
        commitment: Option<Hex<32>>,
        outbox: Box<dyn Outbox>,
    ) -> Result<ConnectionId, NotJoined> {
        match self {
            AnyTable::Here(table) => {
                table.join(by, person, commitment, outbox).await.map_err(|reason| match reason {
                    // It was unloaded at this very moment.
                    CloseReason::Closed => NotJoined::Moved,
                    reason => NotJoined::Refused(reason),
                })
            }
            // On its own, so that connections to tables that are here need no room for it.
            AnyTable::There(table) => Box::pin(table.join(by, person, commitment, outbox)).await,
        }
    }

    /// `false` if the table is gone.
    pub async fn send(&self, from: ConnectionId, message: ClientMsg) -> bool {
        match self {
            AnyTable::Here(table) => table.send(from, message).await,
            AnyTable::There(table) => Box::pin(table.send(from, message)).await,
        }
    }

    pub async fn leave(&self, connection: ConnectionId) {
        match self {
            AnyTable::Here(table) => table.leave(connection).await,
            AnyTable::There(table) => Box::pin(table.leave(connection)).await,
        }
    }
}

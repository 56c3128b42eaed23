//! What happens when a table panics: its log brings it back, but not for ever.

use super::{Hall, MAX_PANICS, NoTable, TableHandle};
use crate::serve::Limits;
use crate::store::Store;
use crate::table::{Command, Folder};
use crate::wire::{NewTable, TableState};

async fn panic(handle: &TableHandle) {
    handle.commands.send(Command::Panic.into()).await.expect("the table is there");
    handle.commands.closed().await;
}

#[tokio::test]
async fn a_table_that_panics_is_brought_back_a_few_times() {
    let folder = Folder::new();
    let store = Store::open(&folder.0).expect("a data folder");
    let hall = Hall::new(store, cards::library::sets(), &Limits::none());
    let host = hall.store().new_guest("Ada".into()).await.expect("a guest");
    let id = hall.create(&host, NewTable::default()).await.expect("a table");
    let other = hall.create(&host, NewTable::default()).await.expect("another");
    for _ in 1..MAX_PANICS {
        panic(&hall.table(&id).await.expect("it is brought back")).await;
        let info = hall.info(&id).await.expect("it is brought back");
        assert_eq!(info.state, TableState::Open);
        assert!(format!("{:?}", info.seats[0].who).contains("Ada"));
    }
    panic(&hall.table(&id).await.expect("it is brought back")).await;
    // The task has still to report it.
    while hall.table(&id).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(hall.table(&id).await.err(), Some(NoTable::CannotRestore));
    assert!(hall.info(&other).await.is_ok());
}

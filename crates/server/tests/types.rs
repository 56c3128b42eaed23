//! What the client reads is what the server uses: types, and how long things are shown.

use std::path::Path;

#[test]
fn the_clients_types_are_up_to_date() {
    is_up_to_date("wire.ts", server::wire::typescript());
}

#[test]
fn the_client_shows_things_for_as_long_as_the_server_waits() {
    is_up_to_date("pace.ts", server::table::pace::typescript());
}

fn is_up_to_date(name: &str, fresh: String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/gen").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, fresh).expect("the client's folder is there");
        return;
    }
    let stored = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(stored == fresh, "web/src/gen/{name} is stale: run UPDATE_EXPECT=1 cargo test -p server");
}

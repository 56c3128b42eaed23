//! The client's types are those of the server.

use std::path::Path;

#[test]
fn the_clients_types_are_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/gen/wire.ts");
    let fresh = server::wire::typescript();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, fresh).expect("the client's folder is there");
        return;
    }
    let stored = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(stored == fresh, "web/src/gen/wire.ts is stale: run UPDATE_EXPECT=1 cargo test -p server");
}

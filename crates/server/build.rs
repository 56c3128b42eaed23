//! Says where the client's files are: in the folder `CLIENT_DIST` if it is set, else the page that stands in for them.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=CLIENT_DIST");
    println!("cargo::rerun-if-changed=page");
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let folder = std::env::var_os("CLIENT_DIST").map_or(stand_in, Into::into);
    if !folder.join("index.html").is_file() {
        println!("cargo::error=CLIENT_DIST names {}, which has no index.html", folder.display());
        return;
    }
    println!("cargo::rustc-env=CLIENT_DIST={}", folder.display());
}

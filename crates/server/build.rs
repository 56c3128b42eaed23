//! Builds the browser client, which is embedded in the program.
//!
//! `CLIENT_DIST=folder` uses a client that was built elsewhere; `CLIENT_SKIP=1` needs no Node and embeds a
//! placeholder page instead.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// The client's sources; not the whole folder, which contains its packages.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
];

fn main() {
    for name in ["CLIENT_DIST", "CLIENT_SKIP"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = match (set("CLIENT_DIST"), set("CLIENT_SKIP")) {
        (Some(folder), _) => PathBuf::from(folder),
        (None, Some(_)) => {
            println!("cargo::rerun-if-changed=page");
            here.join("page")
        }
        (None, None) => build(&here.join("../../web")),
    };
    if !folder.join("index.html").is_file() {
        fail(&format!("the client's folder {} has no index.html", folder.display()));
    }
    println!("cargo::rustc-env=CLIENT_DIST={}", folder.display());
}

/// Cargo shows what was printed, and fails.
fn fail(message: &str) -> ! {
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    exit(0)
}

fn build(web: &Path) -> PathBuf {
    for name in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(name).display());
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("client");
    // Two builds at a time, an editor's and a shell's, share the packages.
    let lock = File::create(web.join(".build.lock")).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.unwrap_or_else(|error| fail(&format!("cannot lock {}: {error}", web.display())));
    let (wanted, stamp) = (web.join("package-lock.json"), web.join("node_modules/.lair-stamp"));
    if fs::read(&wanted).ok() != fs::read(&stamp).ok() {
        npm(web, &["ci", "--no-audit", "--no-fund"], &out);
        if let Err(error) = fs::copy(&wanted, &stamp) {
            fail(&format!("cannot write {}: {error}", stamp.display()));
        }
    }
    npm(web, &["run", "build"], &out);
    out
}

fn npm(web: &Path, args: &[&str], out: &Path) {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let run = Command::new(npm)
        .args(args)
        .current_dir(web)
        .env("CLIENT_OUT_DIR", out)
        .env_remove("NODE_ENV")
        .output();
    match run {
        Err(error) if error.kind() == io::ErrorKind::NotFound => fail(
            "npm was not found: install Node.js 20.19 or later, or set CLIENT_SKIP=1 for a server without the page",
        ),
        Err(error) => fail(&format!("cannot run npm: {error}")),
        Ok(done) if !done.status.success() => {
            let said = [&done.stdout[..], &done.stderr[..]].concat();
            let said = String::from_utf8_lossy(&said);
            fail(&format!("npm {} failed:\n{said}", args.join(" ")));
        }
        Ok(_) => {}
    }
}

//! `lair serve` as an operator runs it: what it prints, how it stops, what it refuses.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{command, lair, scratch};

struct Served {
    child: Child,
    /// Without `http://`.
    address: String,
    out: BufReader<std::process::ChildStdout>,
}

fn served(mut command: Command) -> Served {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("http://").unwrap_or_else(|| panic!("{line:?}")).to_string();
    Served { child, address, out }
}

fn serve(data: &Path, args: &[&str]) -> Served {
    let data = data.to_str().unwrap();
    served(command(&[&["serve", "--listen", "127.0.0.1:0", "--data", data], args].concat()))
}

impl Served {
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Exit code, the rest of standard output, and the log.
    fn stopped_by(mut self, signal: &str) -> (Option<i32>, String, String) {
        common::signal(&self.child, signal);
        let (mut rest, mut log) = (String::new(), String::new());
        self.out.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        (self.child.wait().unwrap().code(), rest, log)
    }
}

#[test]
fn it_prints_its_address_serves_and_stops_on_a_signal() {
    for signal in ["TERM", "INT"] {
        let data = scratch(&format!("serve-{signal}"));
        let server = serve(&data, &[]);
        assert!(server.get("/healthz").ends_with("\r\n\r\nok\n"));
        assert!(server.get("/").contains("<title>Lair"));
        let (code, rest, log) = server.stopped_by(signal);
        assert_eq!((code, rest.as_str()), (Some(0), ""), "{log}");
        assert!(log.contains(data.to_str().unwrap()) && log.contains("stopping"), "{log}");
    }
}

#[test]
fn the_log_can_be_json() {
    let mut server = command(&["serve", "--listen", "127.0.0.1:0", "--log", "json", "--data"]);
    server.arg(scratch("serve-json")).env("RUST_LOG", "debug");
    let server = served(server);
    server.get("/api/me");
    let (code, _, log) = server.stopped_by("TERM");
    assert_eq!(code, Some(0));
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect();
    assert!(lines.iter().any(|line| line["route"] == "/api/me" && line["status"] == 200), "{log}");
}

#[test]
fn a_second_server_on_the_same_folder_is_refused() {
    let data = scratch("serve-twice");
    let first = serve(&data, &[]);
    let again = ["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()];
    lair(&again).fails_with("is in use by another lair: stop it");
    let elsewhere = scratch("serve-port");
    lair(&["serve", "--listen", &first.address, "--data", elsewhere.to_str().unwrap()])
        .fails_with("another program is listening there");
    assert_eq!(first.stopped_by("TERM").0, Some(0));
}

#[test]
fn without_a_command_it_serves_from_the_users_data_folder() {
    // The default port is taken, by this test or by another program, so it must use another.
    let _taken = TcpListener::bind("127.0.0.1:8080");
    let home = scratch("serve-home");
    let mut plain = command(&[]);
    plain.env("XDG_DATA_HOME", &home);
    let server = served(plain);
    assert!(server.address.starts_with("127.0.0.1:80") && server.address != "127.0.0.1:8080");
    assert!(home.join("lair/lair.db").is_file());
    let (code, _, log) = server.stopped_by("TERM");
    assert_eq!(code, Some(0));
    assert!(log.contains("port 8080 is taken"), "{log}");
}

#[test]
fn wrong_usage_is_refused() {
    lair(&["serve", "--listen", "somewhere"]).refused_with("somewhere");
    lair(&["serve", "--origin", "lair.example"]).refused_with("https://lair.example");
    lair(&["serve", "--origin", "https://lair.example/"]).refused_with("without a path");
    lair(&["serve", "--log", "xml"]).refused_with("xml");
    lair(&["serve", "--cards", "no/such.cards"]).fails_with("no/such.cards");
    let mut odd = command(&["serve", "--listen", "127.0.0.1:0", "--data"]);
    odd.arg(scratch("serve-odd")).env("RUST_LOG", "server=loudly");
    let output = odd.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

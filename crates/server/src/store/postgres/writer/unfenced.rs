//! The appends without what keeps a deposed server out: whoever writes last is right. A drill must find that out; only
//! debug builds have it.

use std::sync::LazyLock;

use super::{APPEND, APPEND_ALL};

/// What makes the fence, and what is there without it.
const FENCES: [(&str, &str); 3] = [
    ("SELECT no FROM nodes WHERE no = $1 AND NOT dead FOR SHARE", "SELECT $1::bigint AS no"),
    ("WHERE w.epoch = (SELECT h.epoch FROM held h WHERE h.table_no = w.table_no AND h.node = $1)", ""),
    (
        "ON CONFLICT DO NOTHING",
        "ON CONFLICT (table_no, n) DO UPDATE SET epoch = excluded.epoch, entries = excluded.entries",
    ),
];

static APPENDS: LazyLock<[String; 2]> = LazyLock::new(|| [APPEND, APPEND_ALL].map(unfenced));

pub fn is_wanted() -> bool {
    std::env::var_os("LAIR_TEST_UNFENCED").is_some()
}

pub fn appends() -> [&'static str; 2] {
    APPENDS.each_ref().map(String::as_str)
}

fn unfenced(sql: &str) -> String {
    FENCES.iter().fold(sql.to_string(), |sql, (fence, without)| {
        assert!(sql.contains(fence), "the fence is elsewhere: {fence}");
        sql.replace(fence, without)
    })
}

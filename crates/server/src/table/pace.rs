//! How long a client shows what happened, at normal speed. Time that covers for hidden cards begins to count when it
//! happens, so it passes behind the animation.
//!
//! Invariant: it follows from the kinds of the events alone, which are the same for everyone. The client reads the same
//! table (`web/src/gen/pace.ts`, written by `typescript`).

use std::fmt::Write;
use std::time::Duration;

use engine::{Event, What};

/// The client hurries to show no more than this at once.
pub const LONGEST: Duration = Duration::from_secs(4);

/// Every kind of event, with its time in milliseconds.
macro_rules! times {
    ($($ms:literal: $($kind:ident)+;)+) => {
        fn time(what: &What) -> u64 {
            match what {
                $($(What::$kind { .. } => $ms,)+)+
            }
        }

        const TIMES: &[(&str, u64)] = &[$($((stringify!($kind), $ms),)+)+];
    };
}

times! {
    1300: Rolls;
    1100: Eliminated;
    1000: LevelsUp;
    620: Dies JoinsRoom;
    600: Copies Uses Casts;
    560: Reveals Level;
    520: Wounds;
    500: TurnBegins GameOver Unpaid;
    450: Builds ComesUp;
    460: Claims;
    420: Coins PushedOut SendsMinion MinionActs MinionIdles MinionsReturn GainsTreasure BecomesFirst;
    400: Cancelled Shows LaysDown StackShuffled;
    380: Destroyed;
    360: CoinsOn Carries;
    350: PointsChange KeepsBoss Mulligan Healed TurnedOver Scores;
    320: Triggers Counters Swapped Lured LastRoomGains GetsToken TurnsItem;
    300: Fizzles Sells;
    270: Damaged;
    260: Places ItemArrives;
    250: Random Deactivated Goes Enters;
    240: Arrives;
    220: Chooses ChoosesPlayer Takes ChoosesNumber;
    200: Discards WantsMore;
    170: Draws;
    150: PhaseBegins Resolved;
    130: Stocks;
    // These pass with the next.
    0: PhaseIdles PlayerBegins Reshuffled Shuffled Waits ChoosesClass Looks SetsAside Removed Reactivated DamageChanges
        TreasureChanges StaysInTown StaysOut EntersDungeon Recovers HealthChanges SkipsRooms;
}

/// Events of these kinds that follow each other are shown at once.
macro_rules! together {
    ($($kind:ident)+) => {
        fn is_together(what: &What) -> bool {
            matches!(what, $(What::$kind { .. })|+)
        }

        const TOGETHER: &[&str] = &[$(stringify!($kind)),+];
    };
}

together!(Reveals KeepsBoss Arrives);

/// Where the camera stands is each client's own affair, so this is a little less than what it takes.
pub fn showing(events: &[Event]) -> Duration {
    let mut millis = 0;
    let mut before = None;
    for event in events {
        let kind = std::mem::discriminant(&event.what);
        if !(is_together(&event.what) && before == Some(kind)) {
            millis += time(&event.what);
        }
        before = Some(kind);
    }
    Duration::from_millis(millis).min(LONGEST)
}

/// The same for the client.
pub fn typescript() -> String {
    let mut out = String::from(
        "// Generated from the server's `pace.rs`: UPDATE_EXPECT=1 cargo test -p server\n\
         import type { GameEvent } from \"./wire\";\n\n\
         /** The longest animation at normal speed, in milliseconds. */\n",
    );
    // Writing to a `String` does not fail.
    let _ = writeln!(out, "export const LONGEST = {};\n", LONGEST.as_millis());
    out.push_str("/** How long each kind of event is shown, in milliseconds. */\n");
    out.push_str("export const TIMES: Readonly<Record<GameEvent[\"kind\"], number>> = {\n");
    for (kind, ms) in TIMES {
        let _ = writeln!(out, "  {}: {ms},", snake(kind));
    }
    out.push_str("};\n\n/** Events of these kinds that follow each other are shown at once. */\n");
    let kinds: Vec<String> = TOGETHER.iter().map(|kind| format!("\"{}\"", snake(kind))).collect();
    let list = kinds.join(", ");
    let _ = writeln!(out, "export const TOGETHER: ReadonlySet<GameEvent[\"kind\"]> = new Set([{list}]);");
    out
}

/// As the wire names it.
fn snake(kind: &str) -> String {
    let mut name = String::new();
    for (at, letter) in kind.char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

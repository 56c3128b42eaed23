//! About how long a client shows what happened, at normal speed. Time that covers for hidden cards begins to count when
//! everyone has seen what it is about, so it passes behind the animation where it can.
//!
//! Invariant: it follows from the kinds of the events alone, which are the same for everyone.

use std::time::Duration;

use engine::{Event, What};

/// The client hurries to show no more than this at once.
pub const LONGEST: Duration = Duration::from_secs(4);

/// As the browser client shows it (`web/src/table/stage/animate.ts`); it need not be exact.
pub fn showing(events: &[Event]) -> Duration {
    let mut millis = 0;
    let mut before = None;
    for event in events {
        let together = matches!(event.what, What::Reveals { .. } | What::KeepsBoss | What::Arrives { .. });
        let kind = std::mem::discriminant(&event.what);
        // Several of these are shown at once.
        if !(together && before == Some(kind)) {
            millis += time(&event.what);
        }
        before = Some(kind);
    }
    Duration::from_millis(millis).min(LONGEST)
}

fn time(what: &What) -> u64 {
    use What::*;
    match what {
        LevelsUp => 800,
        Eliminated { .. } => 700,
        Uses { .. } | Casts => 600,
        TurnBegins { .. } | Reveals { .. } | Wounds { .. } | Dies { .. } | GameOver { .. } => 500,
        Builds { .. } | Cancelled | Shows | Destroyed | LaysDown => 400,
        Triggers | Fizzles | Swapped | Lured { .. } | Scores { .. } | KeepsBoss | Mulligan { .. } => 320,
        Places | Damaged { .. } | Enters | Goes | Random | Arrives { .. } => 250,
        Chooses | ChoosesPlayer | Takes | Discards | Draws => 200,
        PhaseBegins { .. } | Resolved => 150,
        _ => 0,
    }
}

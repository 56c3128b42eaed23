//! Games in which the soak once found a fault, played again with every check. They tell something as long as the
//! same number draws the same game.

use std::path::Path;
use std::process::Command;

#[test]
fn games_that_once_failed_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own: &[&str] = &["--cards", "examples/leftover-pixels.cards"];
    let games: [(&str, &str, &[&str]); 7] = [
        // Whether a card in hand could be built showed in who was asked next.
        ("2026", "123602", own),
        ("2026", "38426", own),
        ("2026", "99130", own),
        ("79", "82330", &[]),
        // A sample took a face-down room for a miniboss.
        ("2026", "342812", &[]),
        // A forced gift in one world, no card to give in the other.
        ("2026", "348930", &[]),
        // A card that was revealed as a cost was back in the deck when its damage counted.
        ("2026", "755674", &[]),
    ];
    for (seed, game, cards) in games {
        let run = Command::new(env!("CARGO_BIN_EXE_soak"))
            .args(["--seed", seed, "--only", game])
            .args(cards)
            .current_dir(&root)
            .output()
            .expect("soak starts");
        let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success() && said.contains("1 games"), "seed {seed}, game {game}: {said}");
    }
}

//! The report's pages about cards: one for each kind that the deck has, and within it one for each set if
//! the deck mixes several; then what was never used.

use super::html::{Written, escape, figures, fold, heading, percent, picture, thousands};
use super::plot::{self, Bar, Dots, Row, Spread};
use super::{CardRow, Difference, Report, TableReport};
use crate::study::read::Topic;

/// How a kind of card is spoken of.
struct Page {
    kind: &'static str,
    title: &'static str,
    /// How it comes to be in the game, and what players do with it.
    come: &'static str,
    done: &'static str,
}

/// In the order of the report. A kind that the deck does not have is left out.
const PAGES: [Page; 4] = [
    Page { kind: "room", title: "Rooms", come: "drawn", done: "built" },
    Page { kind: "miniboss", title: "Minibosses", come: "drawn", done: "built" },
    Page { kind: "spell", title: "Spells", come: "drawn", done: "cast" },
    Page { kind: "item", title: "Items", come: "revealed", done: "claimed" },
];

/// Cards shown at either end of a mixed deck's summary.
const ENDS: usize = 10;

pub fn pages(out: &mut String, number: usize, table: &TableReport) -> Written {
    sets(out, table)?;
    for page in &PAGES {
        let cards: Vec<&CardRow> = table.cards.iter().filter(|card| card.kind == page.kind).collect();
        if cards.is_empty() {
            continue;
        }
        if table.sets.is_empty() {
            page.section(out, page.title, &format!("t{number}-{}", page.kind), &cards, table.games)?;
            continue;
        }
        page.ends(out, &format!("t{number}-{}", page.kind), &cards)?;
        for set in &table.sets {
            let of_set: Vec<&CardRow> = cards.iter().filter(|card| card.set == set.set).copied().collect();
            if !of_set.is_empty() {
                let title = escape(&format!("{} of {}", page.title, set.set));
                let id = escape(&format!("t{number}-{}-{}", page.kind, set.set));
                page.section(out, &title, &id, &of_set, table.games)?;
            }
        }
    }
    never_used(out, number, table)
}

/// Links to the pages of a table.
pub fn contents(out: &mut String, report: &Report, number: usize, table: &TableReport) -> Written {
    let mut links = Vec::new();
    if table.alone.is_none() && report.is_about(Topic::Bosses) {
        links.push(link(&format!("t{number}-boss"), "Bosses"));
    }
    for page in PAGES.iter().filter(|_| report.is_about(Topic::Cards)) {
        let sets = table.sets.iter().filter(|set| set.kinds.iter().any(|kind| kind.kind == page.kind));
        if table.cards.iter().any(|card| card.kind == page.kind) {
            let all = link(&format!("t{number}-{}", page.kind), page.title);
            let each = sets.map(|set| link(&format!("t{number}-{}-{}", page.kind, set.set), &set.set));
            let each: Vec<String> = each.collect();
            links.push(if each.is_empty() { all } else { format!("{all} ({})", each.join(", ")) });
        }
    }
    if report.is_about(Topic::Cards) {
        links.push(link(&format!("t{number}-never"), "Never used"));
    }
    out.push_str(&format!("<p class=\"small\">{}</p>\n", links.join(" · ")));
    Ok(())
}

fn link(to: &str, words: &str) -> String {
    format!("<a href=\"#{}\">{}</a>", escape(to), escape(words))
}

/// What becomes of each set's cards in a mixed deck.
fn sets(out: &mut String, table: &TableReport) -> Written {
    if table.sets.is_empty() {
        return Ok(());
    }
    heading(
        out,
        "Sets",
        "What becomes of the cards of each set: copies that come into a game, and those that are built, cast or claimed.",
        "",
    )?;
    let games = table.games.max(1) as f64;
    let mut names = Vec::new();
    let mut rows = Vec::new();
    for set in &table.sets {
        let won = match set.bosses {
            0 => "-".into(),
            many => percent(set.bosses_won as f64 / many as f64),
        };
        for kind in &set.kinds {
            names.push((format!("{}: {}", set.set, kind.kind), kind.drawn, kind.played));
            rows.push(vec![
                escape(&set.set),
                won.clone(),
                kind.kind.into(),
                kind.cards.to_string(),
                thousands(kind.drawn),
                thousands(kind.played),
                percent(kind.played as f64 / kind.drawn.max(1) as f64),
                thousands(kind.used),
                thousands(kind.triggered),
                kind.never_played.to_string(),
            ]);
        }
    }
    let a_game = |copies: u64| copies as f64 / games;
    let bars: Vec<Bar> =
        names.iter().map(|(name, all, part)| Bar { name, all: a_game(*all), part: a_game(*part) }).collect();
    picture(
        out,
        plot::bars(&bars, ["come", "played"], "copies per game"),
        "How many cards of each set and kind come into a game, and how many of them are played",
    )?;
    let head = [
        "set",
        "won by its bosses",
        "kind",
        "cards",
        "come",
        "played",
        "share",
        "abilities used",
        "triggered",
        "never played",
    ];
    fold(out, &figures(&head, rows.into_iter()));
    Ok(())
}

impl Page {
    /// The strongest and the weakest of all sets together.
    fn ends(&self, out: &mut String, id: &str, cards: &[&CardRow]) -> Written {
        let worth = |card: &CardRow| card.when_drawn.or(card.when_played);
        let mut known: Vec<&CardRow> = cards.iter().filter(|card| worth(card).is_some()).copied().collect();
        let value = |card: &CardRow| worth(card).map_or(0.0, |worth| worth.difference);
        known.sort_by(|a, b| value(b).total_cmp(&value(a)).then_with(|| a.name.cmp(&b.name)));
        if known.len() > 2 * ENDS {
            known.drain(ENDS..known.len() - ENDS);
        }
        let plural = self.title.to_lowercase();
        heading(
            out,
            &format!("{}: the strongest and the weakest", self.title),
            &format!("At most {ENDS} {plural} at either end, over all sets."),
            id,
        )?;
        let names: Vec<String> = known.iter().map(|card| format!("{} ({})", card.name, card.set)).collect();
        let rows = names.iter().zip(&known);
        let rows = rows.map(|(name, card)| Row { name, spreads: vec![worth(card).map(Spread::from)] });
        let dots = Dots {
            rows: rows.collect(),
            series: &[""],
            axis: "difference in the chance of winning",
            reference: 0.0,
            reference_name: "",
            signed: true,
        };
        let words = format!("Difference in the chance of winning for the strongest and weakest {plural}");
        picture(out, plot::dots(&dots), &words)
    }

    fn section(&self, out: &mut String, title: &str, id: &str, cards: &[&CardRow], games: u64) -> Written {
        self.values(out, title, id, cards)?;
        self.usage(out, title, cards, games)?;
        fold(out, &self.table(cards));
        Ok(())
    }

    fn values(&self, out: &mut String, title: &str, id: &str, cards: &[&CardRow]) -> Written {
        let Page { kind, done, .. } = self;
        // Nobody draws an item: it comes to town, and whoever claims it has chosen to.
        let drawn = cards.iter().any(|card| card.when_drawn.is_some());
        let text = match drawn || self.come == "drawn" {
            true => format!(
                "How much likelier players are to win who drew (or {done}) the card, compared with the others at the same table. Drawing is mostly luck, so that comes close to the card's value. \
                 A card that was {done} was chosen, and players who do well have more to choose from, so that mixes both."
            ),
            false => format!(
                "How much likelier players are to win who {done} the card, compared with the others at the same table. Players who do well get more of them, so that is not the card's value alone."
            ),
        };
        heading(out, &format!("{title}: value"), &text, id)?;
        let spread = |d: Option<Difference>| d.map(Spread::from);
        let did = format!("{done} it");
        let both = ["drew it", did.as_str()];
        let series = if self.come == "drawn" { &both[..] } else { &both[1..] };
        let rows = cards.iter().map(|card| {
            let all = [spread(card.when_drawn), spread(card.when_played)];
            Row { name: &card.name, spreads: all[2 - series.len()..].to_vec() }
        });
        let dots = Dots {
            rows: rows.collect(),
            series,
            axis: "difference in the chance of winning",
            reference: 0.0,
            reference_name: "no difference",
            signed: true,
        };
        let who = series.iter().map(|did| format!("players who {did}")).collect::<Vec<_>>().join(" and ");
        let words = format!("Difference in the chance of winning for each {kind}, for {who}, with intervals");
        picture(out, plot::dots(&dots), &words)
    }

    fn usage(&self, out: &mut String, title: &str, cards: &[&CardRow], games: u64) -> Written {
        let Page { kind, come, done, .. } = self;
        heading(
            out,
            &format!("{title}: use"),
            &format!(
                "Copies {come} and {done} per game, sorted by the share of those {come} that is {done}."
            ),
            "",
        )?;
        let games = games.max(1) as f64;
        let part = |card: &CardRow| card.played as f64 / card.drawn.max(1) as f64;
        let mut often = cards.to_vec();
        often.sort_by(|a, b| part(b).total_cmp(&part(a)).then_with(|| a.name.cmp(&b.name)));
        let a_game = |copies: u64| copies as f64 / games;
        let bars: Vec<Bar> = often
            .iter()
            .map(|card| Bar { name: &card.name, all: a_game(card.drawn), part: a_game(card.played) })
            .collect();
        picture(
            out,
            plot::bars(&bars, [come, done], "copies per game"),
            &format!("How often each {kind} is {come} and {done} per game"),
        )
    }

    fn table(&self, cards: &[&CardRow]) -> String {
        let figure = |d: Option<Difference>| {
            d.map_or("-".into(), |d| {
                format!("{:+.1} ({:+.1} to {:+.1})", d.difference * 100.0, d.low * 100.0, d.high * 100.0)
            })
        };
        let rows = cards.iter().map(|card| {
            vec![
                escape(&card.name),
                card.copies.to_string(),
                thousands(card.drawn),
                thousands(card.played),
                thousands(card.used),
                thousands(card.triggered),
                if card.kind == "miniboss" { thousands(card.promoted) } else { "-".into() },
                figure(card.when_drawn),
                figure(card.when_played),
            ]
        });
        let did = format!("{} it, %", self.done);
        let head = [
            self.kind,
            "copies",
            self.come,
            self.done,
            "abilities used",
            "triggered",
            "promoted",
            "drew it, %",
            &did,
        ];
        figures(&head, rows)
    }
}

fn never_used(out: &mut String, number: usize, table: &TableReport) -> Written {
    heading(
        out,
        "Never used",
        "Cards in the deck that nobody built, cast or claimed, and those that were played without their abilities ever being used or beginning by themselves.",
        &format!("t{number}-never"),
    )?;
    let lists = [
        ("Never played", &table.never_played),
        ("Ability never used", &table.never_used),
        ("Never triggered", &table.never_triggered),
    ];
    for (what, names) in lists {
        let names = if names.is_empty() { "none".into() } else { escape(&names.join("; ")) };
        out.push_str(&format!("<p><strong>{what}:</strong> {names}.</p>\n"));
    }
    Ok(())
}

impl From<Difference> for Spread {
    fn from(d: Difference) -> Spread {
        Spread { value: d.difference, low: d.low, high: d.high }
    }
}

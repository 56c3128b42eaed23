//! The report as one self-contained page. Every plot has a text alternative, and its figures in a table
//! below it.

use std::fmt::Write as _;

use super::plot::{self, Dots, Drawn, Row, Spread};
use engine::Ruleset;

use super::{BossRow, DrawError, Report, Share, TableReport, alone, card_pages, compare};
use crate::study::read::Topic;

const STYLE: &str = "\
:root{color-scheme:light}body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff;max-width:900px;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.8rem;margin-bottom:.2rem}h2{margin-top:3rem;border-top:3px solid #222;padding-top:.6rem}h3{margin:2rem 0 .2rem}\
p{max-width:46rem;overflow-wrap:anywhere}figure,nav,details{margin:.5rem 0;overflow-x:auto}figure svg{width:100%;min-width:640px;height:auto}\
figcaption,.small{color:#555;font-size:.9rem}table{border-collapse:collapse;font-size:.85rem;margin:.5rem 0;font-variant-numeric:tabular-nums}\
td{white-space:nowrap}nav td:first-child,nav td:nth-last-child(-n+2){white-space:normal}th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #e2e2e2}th:first-child,td:first-child{text-align:left}thead th{border-bottom:2px solid #222}\
summary{cursor:pointer;color:#0072b2}.partial{border-left:4px solid #d55e00;padding:.3rem .8rem;background:#fff5ee}a{color:#0072b2}";

pub type Written = Result<(), DrawError>;

pub fn page(report: &Report) -> Drawn {
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    let title = report.title.as_deref().map_or("Laboratory report".into(), escape);
    write!(out, "<title>Lair: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n")?;
    write!(out, "<h1>{title}</h1>\n<p>{} games. ", thousands(report.games()))?;
    out.push_str(match report.tables.iter().any(|table| !table.bots.is_empty()) {
        true => "Bots that are named together share a table and change seats from game to game. ",
        false => "The same bot plays in every seat. ",
    });
    out.push_str("Whiskers are 95&#160;% confidence intervals.</p>\n");
    if !report.complete {
        writeln!(
            out,
            "<p class=\"partial\"><strong>Stopped early:</strong> {} of {} games were played. The figures are for those.</p>",
            thousands(report.games()),
            thousands(report.asked_games())
        )?;
    }
    out.push_str(&overview(report));
    compare::section(&mut out, report)?;
    alone::section(&mut out, report)?;
    for (i, table) in report.tables.iter().enumerate() {
        section(&mut out, report, i, table)?;
    }
    out.push_str("</body>\n</html>\n");
    Ok(out)
}

pub fn title(table: &TableReport) -> String {
    let players = if table.players == 1 { "alone".into() } else { format!("{} players", table.players) };
    let mut parts = vec![table.deck.clone(), players, table.bot.replace(',', ", ")];
    if table.ruleset != Ruleset::default().name() {
        parts.insert(1, table.ruleset.into());
    }
    parts.extend(table.variants.iter().map(|variant| variant.to_string()));
    parts.extend(Some(table.version.clone()).filter(|version| !version.is_empty()));
    escape(&parts.join(", "))
}

/// One line per table: length, endings, best and weakest boss.
fn overview(report: &Report) -> String {
    let rows = report.tables.iter().enumerate().map(|(i, table)| {
        let share = |name: &str| {
            table.endings.iter().find(|share| share.name == name).map_or(0.0, |share| share.rate)
        };
        let best = table.bosses.first().map_or("-".into(), |boss| escape(&boss.won.name));
        let worst = table.bosses.last().map_or("-".into(), |boss| escape(&boss.won.name));
        vec![
            format!("<a href=\"#t{i}\">{}</a>", title(table)),
            thousands(table.games),
            format!("{:.1}", table.mean_turns),
            percent(share("ten souls")),
            percent(share("last standing")),
            percent(share("all lost")),
            percent(share("no heroes left")),
            percent(table.with_elimination),
            best,
            worst,
        ]
    });
    let head = [
        "table",
        "games",
        "turns",
        "ten souls",
        "last standing",
        "all lost",
        "heroes ran out",
        "with elimination",
        "best boss",
        "weakest boss",
    ];
    format!("<nav>\n{}</nav>\n", figures(&head, rows))
}

fn section(out: &mut String, report: &Report, number: usize, table: &TableReport) -> Written {
    writeln!(out, "<section>\n<h2 id=\"t{number}\">{}</h2>", title(table))?;
    let (games, setup) = (thousands(table.games), escape(&table.setup));
    writeln!(
        out,
        "<p>{games} games, on average {:.1} turns and {:.0} decisions. <span class=\"small\">{setup}</span></p>",
        table.mean_turns, table.mean_decisions
    )?;
    if table.games == 0 {
        out.push_str("<p>No games were played.</p>\n</section>\n");
        return Ok(());
    }
    if table.coins_gained + table.coins_spent > 0.0 {
        writeln!(
            out,
            "<p>A player gained {:.1} coins and spent {:.1} per game.</p>",
            table.coins_gained, table.coins_spent
        )?;
    }
    if table.forfeits > 0 {
        writeln!(
            out,
            "<p class=\"partial\"><strong>Forfeited:</strong> the bot forfeited {} times, and a random bot took over.</p>",
            thousands(table.forfeits)
        )?;
    }
    card_pages::contents(out, report, number, table)?;
    // Alone, nobody is beaten.
    if table.alone.is_none() {
        if report.is_about(Topic::Bosses) {
            bosses(out, number, table)?;
        }
        seats(out, table)?;
    }
    if report.is_about(Topic::Turns) {
        length(out, table)?;
        souls_and_wounds(out, table)?;
    }
    endings(out, table)?;
    if report.is_about(Topic::Cards) {
        card_pages::pages(out, number, table)?;
    }
    out.push_str("</section>\n");
    Ok(())
}

fn bosses(out: &mut String, number: usize, table: &TableReport) -> Written {
    let equal = percent(table.equal_share());
    let text = format!("Games won when in play. The line marks an equal share, {equal}.");
    heading(out, "Bosses", &text, &format!("t{number}-boss"))?;
    let mixed = !table.sets.is_empty();
    let named = |boss: &BossRow| match mixed {
        true => Share { name: format!("{} ({})", boss.won.name, boss.set), ..boss.won.clone() },
        false => boss.won.clone(),
    };
    let rows: Vec<Share> = table.bosses.iter().map(named).collect();
    let best = rows.first().map_or("", |boss| boss.name.as_str());
    let worst = rows.last().map_or("", |boss| boss.name.as_str());
    picture(
        out,
        plot::dots(&shares(&rows, table.equal_share(), "games won")),
        &format!("Share of games won by each boss, with intervals; {best} wins most, {worst} least"),
    )?;
    fold(out, &share_table("boss", &rows));
    Ok(())
}

fn seats(out: &mut String, table: &TableReport) -> Written {
    heading(
        out,
        if table.bots.is_empty() { "Seats" } else { "Bots and seats" },
        match table.bots.is_empty() {
            true => {
                "Games won by place in player order (most XP first) and by seat. Seats are random, so they should differ by chance only."
            }
            false => {
                "Games won by each bot, by place in player order (most XP first) and by seat. Seats are random, so they should differ by chance only."
            }
        },
        "",
    )?;
    let both: Vec<Share> = table.bots.iter().chain(&table.places).chain(&table.seats).cloned().collect();
    picture(
        out,
        plot::dots(&shares(&both, table.equal_share(), "games won")),
        "Share of games won by place in player order and by seat, with intervals",
    )?;
    fold(
        out,
        &share_table(if table.bots.is_empty() { "place or seat" } else { "bot, place or seat" }, &both),
    );
    Ok(())
}

fn length(out: &mut String, table: &TableReport) -> Written {
    heading(out, "Length", &format!("Turns per game; {:.1} on average.", table.mean_turns), "")?;
    picture(out, plot::lengths(&table.lengths, table.games), "Histogram of the number of turns per game")?;
    let lengths = table.lengths.iter().map(|length| vec![length.turns.to_string(), length.games.to_string()]);
    fold(out, &figures(&["turns", "games"], lengths));
    Ok(())
}

fn souls_and_wounds(out: &mut String, table: &TableReport) -> Written {
    heading(
        out,
        "Souls and wounds",
        "Averages at the end of each turn among players still in the game: the eventual winner, and the others. Turns that fewer than 1&#160;% of the games reach are left out.",
        "",
    )?;
    picture(out, plot::turns(&table.turns), "Souls and wounds by turn, for winners and for the others")?;
    let turns = table.turns.iter().map(|row| {
        let means = [row.winner_souls, row.other_souls, row.winner_wounds, row.other_wounds];
        [row.turn.to_string(), row.games.to_string()]
            .into_iter()
            .chain(means.map(|mean| format!("{mean:.2}")))
            .collect()
    });
    let head = ["turn", "games", "winner's souls", "others' souls", "winner's wounds", "others' wounds"];
    fold(out, &figures(&head, turns));
    Ok(())
}

fn endings(out: &mut String, table: &TableReport) -> Written {
    let ran_out = match table.ends_with_heroes {
        true => "By these rules a game ends when no heroes are left.",
        false => "\u{201c}No heroes left\u{201d} is a stall: the heroes ran out before anyone had won.",
    };
    let (with, a_game) = (percent(table.with_elimination), table.eliminated);
    heading(
        out,
        "Endings",
        &format!(
            "Players were eliminated in {with} of the games, {a_game:.2} per game on average. {ran_out}"
        ),
        "",
    )?;
    let endings = shares(&table.endings, 0.0, "games");
    picture(out, plot::dots(&endings), "How games ended, with intervals")?;
    fold(out, &share_table("ending", &table.endings));
    Ok(())
}

fn shares<'a>(shares: &'a [Share], reference: f64, axis: &'a str) -> Dots<'a> {
    let spread = |share: &Share| Some(Spread { value: share.rate, low: share.low, high: share.high });
    let rows = shares.iter().map(|share| Row { name: &share.name, spreads: vec![spread(share)] }).collect();
    Dots { rows, series: &[""], axis, reference, reference_name: "", signed: false }
}

/// Title and text must be HTML already; a heading that is linked to has an id.
pub fn heading(out: &mut String, title: &str, text: &str, id: &str) -> std::fmt::Result {
    let id = if id.is_empty() { String::new() } else { format!(" id=\"{id}\"") };
    write!(out, "<h3{id}>{title}</h3>\n<p class=\"small\">{text}</p>\n")
}

pub fn picture(out: &mut String, drawn: Drawn, words: &str) -> Written {
    let svg = drawn?;
    let words = escape(words);
    let named = svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{words}\" "), 1);
    writeln!(out, "<figure>\n{}</figure>", named.trim_start())?;
    Ok(())
}

pub fn fold(out: &mut String, table: &str) {
    out.push_str("<details><summary>Figures</summary>\n");
    out.push_str(table);
    out.push_str("</details>\n");
}

fn share_table(first: &str, shares: &[Share]) -> String {
    let rows = shares.iter().map(|share| {
        let interval = format!("{} to {}", percent(share.low), percent(share.high));
        vec![escape(&share.name), thousands(share.count), thousands(share.of), percent(share.rate), interval]
    });
    figures(&[first, "games", "of", "share", "95 % interval"], rows)
}

/// The cells must be HTML already.
pub fn figures(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = String::from("<table>\n<thead><tr>");
    head.iter().for_each(|name| out.push_str(&format!("<th scope=\"col\">{name}</th>")));
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        row.iter().for_each(|cell| out.push_str(&format!("<td>{cell}</td>")));
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
    out
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// 1234567 as 1,234,567.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Names may come from anyone's card file.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_readable() {
        assert_eq!([0, 999, 1000, 1234567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(escape("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
    }
}

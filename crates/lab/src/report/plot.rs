//! The plots, as inline SVG: no scripts, no embedded fonts, colour-blind safe (Okabe and Ito).

use std::ops::Range;
use std::{fmt, io};

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use thiserror::Error;

use super::{Length, TurnRow};

/// A line's name, its colour, whether it is solid, and its value.
type Line = (&'static str, RGBColor, bool, fn(&TurnRow) -> f64);

const WIDTH: u32 = 860;
pub(crate) const INK: RGBColor = RGBColor(34, 34, 34);
pub(crate) const FAINT: RGBColor = RGBColor(226, 226, 226);
pub(crate) const GREY: RGBColor = RGBColor(130, 130, 130);
pub(crate) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(crate) const ORANGE: RGBColor = RGBColor(213, 94, 0);
const SKY: RGBColor = RGBColor(160, 205, 235);
/// The font size, in the library's unit: a quarter larger than pixels.
pub(crate) const SIZE: i32 = 17;
const FONT: &str = "system-ui, sans-serif";

/// Drawing failed; in memory it never should.
#[derive(Debug, Error)]
pub enum DrawError {
    #[error(transparent)]
    Picture(#[from] DrawingAreaErrorKind<io::Error>),
    #[error(transparent)]
    Text(#[from] fmt::Error),
}

pub type Drawn = Result<String, DrawError>;

/// A value with its interval.
#[derive(Clone, Copy)]
pub struct Spread {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// A row of dots: its name, and a value for each series that has one.
pub struct Row<'a> {
    pub name: &'a str,
    pub spreads: Vec<Option<Spread>>,
}

/// A dot plot.
pub struct Dots<'a> {
    pub rows: Vec<Row<'a>>,
    /// Names of the series; a single one needs none.
    pub series: &'a [&'a str],
    pub axis: &'a str,
    /// Where the reference line is drawn.
    pub reference: f64,
    pub reference_name: &'a str,
    /// Labels show a sign.
    pub signed: bool,
}

pub(crate) fn ink(size: i32) -> TextStyle<'static> {
    (FONT, size).into_font().color(&INK)
}

pub(crate) fn canvas(
    height: u32,
    draw: impl FnOnce(&DrawingArea<SVGBackend, Shift>) -> Result<(), DrawError>,
) -> Drawn {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        draw(&root)?;
        root.present()?;
    }
    Ok(svg)
}

const LABELS: u32 = 285;

/// The height of a row.
fn row_height(series: usize) -> u32 {
    if series > 1 { 28 } else { 24 }
}

/// Dots with whiskers, one row below the other.
pub fn dots(dots: &Dots) -> Drawn {
    let legend = if dots.series.len() > 1 { 30 } else { 6 };
    let height = legend + dots.rows.len().max(1) as u32 * row_height(dots.series.len()) + 56;
    canvas(height, |root| {
        let n = dots.rows.len().max(1) as f64;
        let range = around(dots);
        let mut chart = ChartBuilder::on(root)
            .margin_top(legend)
            .margin_right(24)
            .set_label_area_size(LabelAreaPosition::Left, LABELS)
            .set_label_area_size(LabelAreaPosition::Bottom, 50)
            .build_cartesian_2d(range.clone(), n..0.0)?;
        // Closely spaced ticks need a decimal.
        let digits = usize::from(range.end - range.start < 0.08);
        let percent = |value: &f64| match value * 100.0 {
            near if near.abs() < 1e-9 => "0 %".into(),
            percent if dots.signed => format!("{percent:+.digits$} %"),
            percent => format!("{percent:.digits$} %"),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(GREY)
            .x_labels(9)
            .x_label_formatter(&percent)
            .label_style(ink(SIZE))
            .axis_desc_style(ink(SIZE))
            .x_desc(dots.axis)
            .draw()?;
        chart.draw_series([PathElement::new(
            [(dots.reference, 0.0), (dots.reference, n)],
            INK.mix(0.6).stroke_width(1),
        )])?;
        let many = dots.series.len().max(1) as f64;
        for (i, row) in dots.rows.iter().enumerate() {
            for (series, spread) in row.spreads.iter().enumerate() {
                let Some(Spread { value, low, high }) = *spread else { continue };
                let y = i as f64 + 0.5 + (series as f64 - (many - 1.0) / 2.0) * 0.3;
                let colour = if series == 0 { BLUE } else { ORANGE };
                let (from, to) = (low.max(range.start), high.min(range.end));
                chart.draw_series([PathElement::new([(from, y), (to, y)], colour.stroke_width(2))])?;
                chart.draw_series([from, to].map(|x| {
                    EmptyElement::at((x, y)) + PathElement::new([(0, -3), (0, 3)], colour.stroke_width(2))
                }))?;
                let style = if series == 0 { colour.filled() } else { WHITE.filled() };
                chart.draw_series([Circle::new((value, y), 4, style)])?;
                chart.draw_series([Circle::new((value, y), 4, colour.stroke_width(2))])?;
            }
        }
        let right = ink(SIZE).pos(Pos::new(HPos::Right, VPos::Center));
        for (i, row) in dots.rows.iter().enumerate() {
            let (_, y) = chart.backend_coord(&(dots.reference, i as f64 + 0.5));
            root.draw(&Text::new(cut(row.name, 33), (LABELS as i32 - 10, y), right.clone()))?;
        }
        if dots.series.len() > 1 {
            key(root, dots.series, &[BLUE, ORANGE], dots.reference_name)?;
        }
        Ok(())
    })
}

/// Scores of games for one: dots with whiskers, from the worst score that shows to the highest possible.
pub fn scores(rows: &[Row]) -> Drawn {
    let n = rows.len().max(1) as f64;
    canvas(6 + rows.len() as u32 * row_height(1) + 56, |root| {
        let spreads =
            || rows.iter().enumerate().flat_map(|(i, row)| row.spreads.iter().flatten().map(move |s| (i, s)));
        let low = spreads().map(|(_, spread)| spread.low).fold(0.0, f64::min);
        let mut chart = ChartBuilder::on(root)
            .margin_top(6)
            .margin_right(24)
            .set_label_area_size(LabelAreaPosition::Left, LABELS)
            .set_label_area_size(LabelAreaPosition::Bottom, 50)
            .build_cartesian_2d(low - 1.0..37.0, n..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(GREY)
            .x_labels(9)
            .x_label_formatter(&|score| format!("{score:.0}"))
            .label_style(ink(SIZE))
            .axis_desc_style(ink(SIZE))
            .x_desc("score: median and middle half of the games")
            .draw()?;
        for (i, Spread { value, low, high }) in spreads() {
            let y = i as f64 + 0.5;
            chart.draw_series([PathElement::new([(*low, y), (*high, y)], BLUE.stroke_width(2))])?;
            chart.draw_series([Circle::new((*value, y), 4, BLUE.filled())])?;
        }
        let right = ink(SIZE).pos(Pos::new(HPos::Right, VPos::Center));
        for (i, row) in rows.iter().enumerate() {
            let (_, y) = chart.backend_coord(&(0.0, i as f64 + 0.5));
            root.draw(&Text::new(cut(row.name, 33), (LABELS as i32 - 10, y), right.clone()))?;
        }
        Ok(())
    })
}

/// The range of the axis: all values, and as much of the whiskers as fits without squeezing them.
fn around(dots: &Dots) -> Range<f64> {
    let spreads = || dots.rows.iter().flat_map(|row| row.spreads.iter().flatten());
    let far = 2.0 * spreads().map(|spread| (spread.value - dots.reference).abs()).fold(0.02, f64::max);
    let low = spreads().map(|spread| spread.low).fold(dots.reference, f64::min).max(dots.reference - far);
    let high = spreads().map(|spread| spread.high).fold(dots.reference, f64::max).min(dots.reference + far);
    let edge = (high - low).max(0.01) * 0.04;
    match dots.signed {
        true => low - edge..high + edge,
        false => (low - edge).max(0.0)..(high + edge).min(1.0),
    }
}

fn key(
    root: &DrawingArea<SVGBackend, Shift>,
    names: &[&str],
    colours: &[RGBColor],
    last: &str,
) -> Result<(), DrawError> {
    let style = ink(SIZE).pos(Pos::new(HPos::Left, VPos::Center));
    let mut x = LABELS as i32;
    for (i, (name, colour)) in names.iter().zip(colours).enumerate() {
        let fill = if i == 0 { colour.filled() } else { WHITE.filled() };
        root.draw(&Circle::new((x, 14), 4, fill))?;
        root.draw(&Circle::new((x, 14), 4, colour.stroke_width(2)))?;
        root.draw(&Text::new(name.to_string(), (x + 12, 14), style.clone()))?;
        x += 44 + name.chars().count() as i32 * 8;
    }
    root.draw(&PathElement::new([(x, 7), (x, 21)], INK.mix(0.6).stroke_width(1)))?;
    root.draw(&Text::new(last.to_string(), (x + 8, 14), style))?;
    Ok(())
}

/// A bar with a darker part.
pub struct Bar<'a> {
    pub name: &'a str,
    pub all: f64,
    pub part: f64,
}

pub fn bars(bars: &[Bar], names: [&str; 2], axis: &str) -> Drawn {
    let n = bars.len().max(1);
    canvas(30 + n as u32 * row_height(1) + 56, |root| {
        let most = bars.iter().map(|bar| bar.all.max(bar.part)).fold(0.01, f64::max) * 1.04;
        let mut chart = ChartBuilder::on(root)
            .margin_top(30)
            .margin_right(24)
            .set_label_area_size(LabelAreaPosition::Left, LABELS)
            .set_label_area_size(LabelAreaPosition::Bottom, 50)
            .build_cartesian_2d(0.0..most, n as f64..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(GREY)
            .x_labels(9)
            .label_style(ink(SIZE))
            .axis_desc_style(ink(SIZE))
            .x_desc(axis)
            .draw()?;
        let right = ink(SIZE).pos(Pos::new(HPos::Right, VPos::Center));
        for (i, bar) in bars.iter().enumerate() {
            let y = i as f64;
            chart.draw_series([Rectangle::new([(0.0, y + 0.14), (bar.all, y + 0.86)], SKY.filled())])?;
            chart.draw_series([Rectangle::new([(0.0, y + 0.3), (bar.part, y + 0.7)], BLUE.filled())])?;
            let (_, y) = chart.backend_coord(&(0.0, y + 0.5));
            root.draw(&Text::new(cut(bar.name, 32), (LABELS as i32 - 10, y), right.clone()))?;
        }
        let style = ink(SIZE).pos(Pos::new(HPos::Left, VPos::Center));
        let mut x = LABELS as i32;
        for (name, colour) in names.into_iter().zip([SKY, BLUE]) {
            root.draw(&Rectangle::new([(x, 8), (x + 14, 20)], colour.filled()))?;
            root.draw(&Text::new(name.to_string(), (x + 20, 14), style.clone()))?;
            x += 50 + name.chars().count() as i32 * 8;
        }
        Ok(())
    })
}

/// A histogram of turns per game.
pub fn lengths(lengths: &[Length], games: u64) -> Drawn {
    canvas(260, |root| {
        let share = |length: &Length| length.games as f64 / games.max(1) as f64;
        let most = lengths.iter().map(share).fold(0.01, f64::max) * 1.06;
        let first = lengths.first().map_or(0, |length| length.turns) as f64 - 0.6;
        let last = lengths.last().map_or(1, |length| length.turns) as f64 + 0.6;
        let mut chart = ChartBuilder::on(root)
            .margin_top(12)
            .margin_right(24)
            .set_label_area_size(LabelAreaPosition::Left, 70)
            .set_label_area_size(LabelAreaPosition::Bottom, 50)
            .build_cartesian_2d(first..last, 0.0..most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(GREY)
            .x_labels(lengths.len().clamp(2, 20))
            .y_labels(5)
            .x_label_formatter(&|turn| if turn.fract() == 0.0 { format!("{turn:.0}") } else { String::new() })
            .y_label_formatter(&|share| format!("{:.0} %", share * 100.0))
            .label_style(ink(SIZE))
            .axis_desc_style(ink(SIZE))
            .x_desc("turns")
            .draw()?;
        chart.draw_series(lengths.iter().map(|length| {
            let turn = length.turns as f64;
            Rectangle::new([(turn - 0.4, 0.0), (turn + 0.4, share(length))], BLUE.filled())
        }))?;
        Ok(())
    })
}

/// Souls and wounds at the end of each turn: winners solid, the others dashed.
pub fn turns(rows: &[TurnRow]) -> Drawn {
    canvas(320, |root| {
        let most = rows
            .iter()
            .flat_map(|row| [row.winner_souls, row.other_souls, row.other_wounds])
            .fold(1.0, f64::max);
        let last = rows.last().map_or(2, |row| row.turn).max(2) as f64;
        let mut chart = ChartBuilder::on(root)
            .margin_top(12)
            .margin_right(160)
            .set_label_area_size(LabelAreaPosition::Left, 70)
            .set_label_area_size(LabelAreaPosition::Bottom, 50)
            .build_cartesian_2d(1.0..last, 0.0..most * 1.06)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(GREY)
            .x_labels(rows.len().clamp(2, 20))
            .y_labels(6)
            .x_label_formatter(&|turn| if turn.fract() == 0.0 { format!("{turn:.0}") } else { String::new() })
            .y_label_formatter(&|mean| format!("{mean:.0}"))
            .label_style(ink(SIZE))
            .axis_desc_style(ink(SIZE))
            .x_desc("turn")
            .draw()?;
        let lines: [Line; 4] = [
            ("souls, winner", BLUE, true, |row| row.winner_souls),
            ("souls, others", BLUE, false, |row| row.other_souls),
            ("wounds, winner", ORANGE, true, |row| row.winner_wounds),
            ("wounds, others", ORANGE, false, |row| row.other_wounds),
        ];
        let mut ends: Vec<(i32, &str, RGBColor)> = Vec::new();
        for (name, colour, solid, value) in lines {
            let points: Vec<(f64, f64)> = rows.iter().map(|row| (row.turn as f64, value(row))).collect();
            let style = colour.stroke_width(2);
            match solid {
                true => chart.draw_series(LineSeries::new(points.iter().copied(), style))?,
                false => chart.draw_series(DashedLineSeries::new(points.iter().copied(), 6, 4, style))?,
            };
            let dots = points
                .iter()
                .map(|at| Circle::new(*at, 3, if solid { colour.filled() } else { WHITE.filled() }));
            chart.draw_series(dots)?;
            chart.draw_series(points.iter().map(|at| Circle::new(*at, 3, style)))?;
            if let Some(end) = points.last() {
                ends.push((chart.backend_coord(end).1, name, colour));
            }
        }
        // Labels at the ends of the lines, moved apart where they would overlap.
        ends.sort_by_key(|(y, ..)| *y);
        let mut free = i32::MIN;
        for (y, name, colour) in ends {
            let y = y.max(free);
            free = y + 18;
            let style = ink(SIZE).color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
            root.draw(&Text::new(name.to_string(), (WIDTH as i32 - 148, y), style))?;
        }
        Ok(())
    })
}

fn cut(text: &str, to: usize) -> String {
    match text.chars().count() > to {
        true => text.chars().take(to - 1).chain(['…']).collect(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Card names cannot break the plot.
    #[test]
    fn names_are_harmless() {
        let spread = Some(Spread { value: 0.1, low: -0.5, high: 0.9 });
        let rows = vec![Row { name: "<b> & \"Fun\" </svg>", spreads: vec![spread, None] }];
        let series = &["one", "two"];
        let svg =
            dots(&Dots { rows, series, axis: "x", reference: 0.0, reference_name: "none", signed: true })
                .unwrap();
        let tree = roxmltree::Document::parse(&svg).unwrap();
        let texts: Vec<&str> = tree.descendants().filter_map(|node| node.text()).map(str::trim).collect();
        assert!(texts.contains(&"<b> & \"Fun\" </svg>"), "{svg}");
    }

    #[test]
    fn empty_plots_can_be_drawn() {
        for svg in [
            dots(&Dots {
                rows: vec![],
                series: &[""],
                axis: "",
                reference: 0.5,
                reference_name: "",
                signed: false,
            }),
            bars(&[], ["", ""], ""),
            lengths(&[], 0),
            turns(&[]),
        ] {
            roxmltree::Document::parse(&svg.unwrap()).unwrap();
        }
    }
}

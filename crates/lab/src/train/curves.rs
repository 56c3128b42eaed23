//! What a training has found out so far, as a picture and for a spreadsheet.

use std::fmt::Write;

use plotters::prelude::*;
use serde::{Deserialize, Serialize};

use super::Verdict;
use crate::report::plot::{BLUE, Drawn, FAINT, GREY, ORANGE, SIZE, canvas, ink};

/// How a network did on the games held out, after an epoch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EpochRow {
    pub round: u64,
    pub epoch: u32,
    pub loss: f64,
    pub correct: f64,
}

/// How a new network did against the old one at one table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GateRow {
    pub table: String,
    pub games: u64,
    /// Games won by the new one; a shared game counts in part.
    pub won: f64,
}

pub fn epochs_csv(rows: &[EpochRow]) -> String {
    let mut out = String::from("round,epoch,loss,correct\n");
    for EpochRow { round, epoch, loss, correct } in rows {
        let _ = writeln!(out, "{round},{epoch},{loss:.5},{correct:.5}");
    }
    out
}

pub fn gates_csv(verdicts: &[Verdict]) -> String {
    let mut out = String::from("round,table,games,won\n");
    for Verdict { round, tables, .. } in verdicts {
        for GateRow { table, games, won } in tables {
            let _ = writeln!(out, "{round},{table},{games},{won:.2}");
        }
    }
    out
}

/// The loss on games held out, epoch by epoch; each round begins with an untrained network.
pub fn learning(rows: &[EpochRow]) -> Drawn {
    canvas(320, |root| {
        let losses = || rows.iter().map(|row| row.loss);
        let (low, high) = (losses().fold(f64::MAX, f64::min), losses().fold(f64::MIN, f64::max));
        let (low, high) = if rows.is_empty() { (0.0, 1.0) } else { (low - 0.01, high + 0.01) };
        let mut chart = ChartBuilder::on(root)
            .margin_top(12)
            .margin_right(24)
            .set_label_area_size(LabelAreaPosition::Left, 70)
            .set_label_area_size(LabelAreaPosition::Bottom, 50)
            .build_cartesian_2d(0.0..rows.len().max(2) as f64, low..high)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(GREY)
            .y_labels(6)
            .y_label_formatter(&|loss| format!("{loss:.2}"))
            .label_style(ink(SIZE))
            .axis_desc_style(ink(SIZE))
            .x_desc("epochs of all rounds")
            .y_desc("loss")
            .draw()?;
        let mut at = 0.0;
        for (number, round) in rows.chunk_by(|a, b| a.round == b.round).enumerate() {
            let colour = if number % 2 == 0 { BLUE } else { ORANGE };
            let points: Vec<(f64, f64)> =
                round.iter().enumerate().map(|(i, row)| (at + i as f64 + 1.0, row.loss)).collect();
            at += round.len() as f64;
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
            chart.draw_series(points.into_iter().map(|at| Circle::new(at, 3, colour.filled())))?;
        }
        Ok(())
    })
}

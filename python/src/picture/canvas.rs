//! A canvas of coloured points, with rectangles and small letters.

use super::font::{HIGH, WIDE, glyph};

pub const GROUND: [u8; 3] = [30, 27, 40];
pub const INK: [u8; 3] = [214, 208, 224];
pub const PAPER: [u8; 3] = [244, 238, 226];
pub const PAST: [u8; 3] = [140, 134, 152];
pub const TITLE: [u8; 3] = [246, 206, 98];
pub const BACK: [u8; 3] = [48, 44, 62];

/// Each point of a letter is a square of this many.
const SIZE: usize = 2;
const STEP: usize = (WIDE + 1) * SIZE;
const LINE: usize = (HIGH + 1) * SIZE;

pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Row by row: red, green, blue.
    pub points: Vec<u8>,
}

pub struct Canvas(Picture);

impl Canvas {
    pub fn new(width: usize, height: usize) -> Canvas {
        let points = GROUND.repeat(width * height);
        Canvas(Picture { width, height, points })
    }

    pub fn done(self) -> Picture {
        self.0
    }

    pub fn width(&self) -> usize {
        self.0.width
    }

    /// What is outside the picture is not drawn.
    pub fn fill(&mut self, x: usize, y: usize, wide: usize, high: usize, colour: [u8; 3]) {
        let Picture { width, height, points } = &mut self.0;
        for y in y..(y + high).min(*height) {
            for x in x..(x + wide).min(*width) {
                let at = (y * *width + x) * 3;
                points[at..at + 3].copy_from_slice(&colour);
            }
        }
    }

    pub fn frame(&mut self, x: usize, y: usize, wide: usize, high: usize, colour: [u8; 3]) {
        for (x, y, wide, high) in
            [(x, y, wide, 2), (x, y + high - 2, wide, 2), (x, y, 2, high), (x + wide - 2, y, 2, high)]
        {
            self.fill(x, y, wide, high, colour);
        }
    }

    pub fn text(&mut self, x: usize, y: usize, text: &str, colour: [u8; 3]) {
        for (n, letter) in text.chars().enumerate() {
            for (row, bits) in glyph(letter).into_iter().enumerate() {
                for column in 0..WIDE {
                    if bits >> (WIDE - 1 - column) & 1 == 1 {
                        let (x, y) = (x + n * STEP + column * SIZE, y + row * SIZE);
                        self.fill(x, y, SIZE, SIZE, colour);
                    }
                }
            }
        }
    }

    /// One line, cut to the width.
    pub fn line_of(&mut self, x: usize, y: usize, wide: usize, text: &str, colour: [u8; 3]) {
        let cut: String = text.chars().take(wide / STEP).collect();
        self.text(x, y, &cut, colour);
    }

    /// Up to three lines.
    pub fn words(&mut self, x: usize, y: usize, wide: usize, text: &str, colour: [u8; 3]) {
        let lines = terminal::term::wrap(text, (wide / STEP).max(1));
        for (n, line) in lines.iter().take(3).enumerate() {
            self.line_of(x, y + n * LINE, wide, line, colour);
        }
    }
}

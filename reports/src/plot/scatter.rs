//! Two strategies against each other: one point a task, both axes logarithmic and alike.
//!
//! A task that one of the two did not solve stands on the line "not solved" of that one, beyond all times.

use crate::csv_text::CsvText;

use super::canvas::{Anchor, Canvas, width};
use super::scale::{Scale, Tick};
use super::style::{FAINT_INK, GRID, INK, Marker, PALETTE};

const SIZE: (u32, u32) = (1500, 1130);
const TOP: i32 = 110;
const LEFT: i32 = 170;
/// Of the square that times are in.
const SIDE: i32 = 860;
/// From the square to the lines of what is not solved.
const RIM: i32 = 50;

/// What became of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Both, or the one that solved it, found that something exists.
    Positive,
    /// Both, or the one that solved it, found that nothing exists.
    Negative,
}

/// A task: seconds by either, `None` where not solved.
#[derive(Clone, Copy, Debug)]
pub struct Dot<'a> {
    /// The task's id.
    pub task: &'a str,
    /// Horizontal.
    pub x: Option<f64>,
    /// Vertical.
    pub y: Option<f64>,
    /// Which marker.
    pub kind: Kind,
}

/// A scatter of two strategies.
#[derive(Clone, Debug)]
pub struct Scatter<'a> {
    /// On the horizontal axis.
    pub x: &'a str,
    /// On the vertical axis.
    pub y: &'a str,
    /// Below the title.
    pub subtitle: &'a str,
    /// Tasks that at least one solved.
    pub dots: &'a [Dot<'a>],
    /// Tasks that neither solved.
    pub neither: usize,
    /// Names of the two kinds of tasks.
    pub kinds: [&'a str; 2],
}

impl Scatter<'_> {
    /// The picture as SVG; `None` when no task was solved by either.
    ///
    /// # Errors
    ///
    /// When the drawing fails: a defect.
    pub fn svg(&self) -> Result<Option<String>, String> {
        let times = self.dots.iter().flat_map(|dot| [dot.x, dot.y]).flatten();
        let Some(x) = Scale::times(times, LEFT, LEFT + SIDE) else { return Ok(None) };
        let bottom = TOP + RIM + SIDE;
        let y = x.on(bottom, TOP + RIM);

        let mut svg = String::new();
        let mut canvas = Canvas::new(&mut svg, SIZE);
        let title = format!("{} against {}", self.y, self.x);
        let size = if width(&title, 28) > 1300 { 20 } else { 28 };
        canvas.bold(&title, (LEFT, 38), size, Anchor::Start, INK);
        canvas.text(self.subtitle, (LEFT, 76), 20, Anchor::Start, FAINT_INK);
        axes(&mut canvas, &x, &y);
        canvas.text(&format!("{}: time", self.x), (LEFT + SIDE / 2, bottom + 72), 22, Anchor::Middle, INK);
        canvas.text(&format!("{}: time", self.y), (36, bottom - SIDE / 2), 22, Anchor::Upward, INK);
        guides(&mut canvas, &x, &y);
        for dot in self.dots {
            let at =
                (dot.x.map_or(LEFT + SIDE + RIM, |time| x.at(time)), dot.y.map_or(TOP, |time| y.at(time)));
            let (marker, colour) = appearance(dot.kind);
            marker.draw(&mut canvas, at, 6, colour);
        }
        self.legend(&mut canvas);
        canvas.finish()?;
        Ok(Some(svg))
    }

    /// What is drawn, as CSV: a row for each task, its cell empty where it was not solved.
    pub fn csv(&self) -> String {
        let head = ["task".to_owned(), format!("{}_s", self.x), format!("{}_s", self.y)];
        let mut text = CsvText::with_header(head);
        let cell = |time: Option<f64>| time.map(|time| time.to_string()).unwrap_or_default();
        for dot in self.dots {
            text.push([dot.task, &cell(dot.x), &cell(dot.y)]);
        }
        text.finish()
    }

    fn legend(&self, canvas: &mut Canvas<'_>) {
        let left = LEFT + SIDE + RIM + 60;
        let mut at = TOP + RIM + 20;
        for (kind, name) in [Kind::Positive, Kind::Negative].into_iter().zip(self.kinds) {
            let count = self.dots.iter().filter(|dot| dot.kind == kind).count();
            let (marker, colour) = appearance(kind);
            marker.draw(canvas, (left, at), 8, colour);
            canvas.text(&format!("{name} ({count})"), (left + 24, at), 20, Anchor::Start, INK);
            at += 34;
        }
        let count = |test: fn(&Dot<'_>) -> bool| self.dots.iter().filter(|dot| test(dot)).count();
        let faster = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| a < b);
        let sections = [
            (
                "solved by both",
                vec![
                    (self.y, self.dots.iter().filter(|dot| faster(dot.y, dot.x)).count(), "faster"),
                    (self.x, self.dots.iter().filter(|dot| faster(dot.x, dot.y)).count(), "faster"),
                ],
            ),
            (
                "solved by one",
                vec![
                    (self.y, count(|dot| dot.x.is_none()), "alone"),
                    (self.x, count(|dot| dot.y.is_none()), "alone"),
                ],
            ),
        ];
        for (title, lines) in sections {
            at += 20;
            canvas.bold(title, (left - 8, at), 20, Anchor::Start, INK);
            at += 32;
            for (name, n, what) in lines {
                canvas.text(name, (left - 8, at), 18, Anchor::Start, INK);
                canvas.text(&format!("{what}: {n}"), (left + 12, at + 26), 18, Anchor::Start, FAINT_INK);
                at += 60;
            }
        }
        at += 20;
        canvas.text(&format!("solved by neither: {}", self.neither), (left - 8, at), 20, Anchor::Start, INK);
    }
}

const fn appearance(kind: Kind) -> (Marker, plotters::style::RGBColor) {
    match kind {
        Kind::Positive => (Marker::Circle, PALETTE[0]),
        Kind::Negative => (Marker::Triangle, PALETTE[3]),
    }
}

/// Grid, frame, ticks and the lines of what is not solved.
fn axes(canvas: &mut Canvas<'_>, x: &Scale, y: &Scale) {
    let (right, top, bottom) = (LEFT + SIDE, TOP + RIM, TOP + RIM + SIDE);
    let ticks = x.ticks();
    // Labels of the horizontal axis stand side by side: with many decades every second one is left out.
    let labelled: Vec<&Tick> = ticks.iter().filter(|tick| !tick.label.is_empty()).collect();
    let every = labelled.len().div_ceil(10);
    for (i, tick) in labelled.into_iter().enumerate() {
        let (across, up) = (x.at(tick.value), y.at(tick.value));
        canvas.line(&[(across, top), (across, bottom)], GRID, 1);
        canvas.line(&[(LEFT, up), (right, up)], GRID, 1);
        canvas.line(&[(across, bottom), (across, bottom + 8)], INK, 2);
        canvas.line(&[(LEFT - 8, up), (LEFT, up)], INK, 2);
        if i % every == 0 {
            // At the corner the label of the other axis ends where the middle of this one would be.
            let (at, anchor) =
                if across < LEFT + 24 { (LEFT - 6, Anchor::Start) } else { (across, Anchor::Middle) };
            canvas.text(&tick.label, (at, bottom + 28), 20, anchor, INK);
        }
        canvas.text(&tick.label, (LEFT - 14, up), 20, Anchor::End, INK);
    }
    canvas.line(&[(LEFT, top), (LEFT, bottom), (right, bottom)], INK, 2);
    canvas.dashed(&[(LEFT, TOP), (right + RIM, TOP)], INK, 2, &[10, 6]);
    canvas.dashed(&[(right + RIM, TOP), (right + RIM, bottom)], INK, 2, &[10, 6]);
    canvas.text("not", (LEFT - 14, TOP - 10), 18, Anchor::End, INK);
    canvas.text("solved", (LEFT - 14, TOP + 12), 18, Anchor::End, INK);
    canvas.text("not solved", (right + RIM, bottom + 52), 18, Anchor::Middle, INK);
}

/// Equal times, and ten times more and less where these lines have some length.
fn guides(canvas: &mut Canvas<'_>, x: &Scale, y: &Scale) {
    let (low, high) = (x.low(), x.high());
    canvas.line(&[(x.at(low), y.at(low)), (x.at(high), y.at(high))], FAINT_INK, 2);
    // A range of little more than a decade has these lines in its corners only, hidden by their own labels.
    if high > 12.0 * low {
        let (a, b) = ((x.at(low), y.at(10.0 * low)), (x.at(high / 10.0), y.at(high)));
        canvas.dashed(&[a, b], FAINT_INK, 1, &[8, 6]);
        canvas.text("10×", (b.0, b.1 - 16), 18, Anchor::Middle, FAINT_INK);
        let (a, b) = ((x.at(10.0 * low), y.at(low)), (x.at(high), y.at(high / 10.0)));
        canvas.dashed(&[a, b], FAINT_INK, 1, &[8, 6]);
        canvas.text("1/10", (b.0 + 25, b.1), 18, Anchor::Middle, FAINT_INK);
    }
}

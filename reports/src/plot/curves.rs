//! Curves over a count: sorted times and cactus plots.
//!
//! The legend stands outside the data, best strategy first, and says how many of how many tasks each curve
//! holds, since a curve that ends early is not a fast one.

use std::collections::BTreeMap;

use crate::attempt::Attempt;
use crate::csv_text::CsvText;

use super::canvas::{Anchor, Canvas, Point, width};
use super::scale::{Scale, Tick};
use super::style::{FAINT_GRID, FAINT_INK, GRID, INK, Look, look};

/// The most curves that can be told apart; those that solve least are left out of the picture.
pub const MOST: usize = 24;

const SIZE: (u32, u32) = (1600, 1000);
const TOP: i32 = 110;
const BOTTOM: i32 = 900;
const LEFT: i32 = 150;
const RIGHT: i32 = 1570;

/// One curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// In the legend.
    pub label: String,
    /// The times of the solved tasks in ascending order; each above 0.
    pub times: Vec<f64>,
    /// How many tasks there were.
    pub tasks: usize,
    /// Which look.
    pub index: usize,
}

/// Curves of the times of answers to whole questions, best first: most solved, then least time in total.
pub(crate) fn curves<'a>(entries: impl IntoIterator<Item = (String, usize, &'a Attempt<'a>)>) -> Vec<Curve> {
    let mut by_label: BTreeMap<(usize, String), Curve> = BTreeMap::new();
    for (label, index, attempt) in entries {
        let curve = by_label.entry((index, label.clone())).or_insert(Curve {
            label,
            times: Vec::new(),
            tasks: 0,
            index,
        });
        curve.tasks += 1;
        curve.times.extend(attempt.full_s());
    }
    let mut curves: Vec<Curve> = by_label.into_values().collect();
    for curve in &mut curves {
        curve.times.sort_by(f64::total_cmp);
    }
    curves.sort_by(|a, b| {
        let sum = |curve: &Curve| curve.times.iter().sum::<f64>();
        b.times.len().cmp(&a.times.len()).then(sum(a).total_cmp(&sum(b)))
    });
    curves
}

/// What is drawn over the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    /// The time of that task, sorted per curve.
    Each,
    /// The time of that task and all faster ones together.
    Together,
}

/// A chart of curves.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// Above all.
    pub title: &'a str,
    /// Below the title: what was left out, and the like.
    pub subtitle: &'a str,
    /// Of the horizontal axis.
    pub x_label: &'a str,
    /// Of the vertical axis.
    pub y_label: &'a str,
    /// What the height of a point is.
    pub height: Height,
    /// A line across, with its label.
    pub limit: Option<(f64, &'a str)>,
    /// Best first.
    pub curves: &'a [Curve],
}

impl Chart<'_> {
    /// The picture as SVG; `None` when there is nothing to draw.
    ///
    /// # Errors
    ///
    /// When the drawing fails: a defect.
    pub fn svg(&self) -> Result<Option<String>, String> {
        let heights: Vec<Vec<f64>> = self.curves.iter().map(|curve| self.heights(&curve.times)).collect();
        let limit = self.limit.map(|(value, _)| value);
        let Some(y) = Scale::times(heights.iter().flatten().copied().chain(limit), BOTTOM, TOP) else {
            return Ok(None);
        };
        if heights.iter().all(Vec::is_empty) {
            return Ok(None);
        }
        let legend = self.curves.iter().map(|curve| width(&legend_text(curve), 20)).max().unwrap_or(0);
        let right = RIGHT - legend - 100;
        let tasks = self.curves.iter().map(|curve| curve.tasks).max().unwrap_or(1);
        let x = Scale::counts(crate::stats::sample::count(tasks), LEFT, right);

        let mut svg = String::new();
        let mut canvas = Canvas::new(&mut svg, SIZE);
        canvas.bold(self.title, (LEFT, 38), 28, Anchor::Start, INK);
        canvas.text(self.subtitle, (LEFT, 76), 20, Anchor::Start, FAINT_INK);
        axes(&mut canvas, &x, &y, right);
        canvas.text(self.x_label, ((LEFT + right) / 2, BOTTOM + 72), 22, Anchor::Middle, INK);
        canvas.text(self.y_label, (36, (TOP + BOTTOM) / 2), 22, Anchor::Upward, INK);
        if let Some((value, label)) = self.limit {
            let at = y.at(value);
            canvas.dashed(&[(LEFT, at), (right, at)], INK, 2, &[10, 6]);
            canvas.text(label, (LEFT + 10, at - 15), 18, Anchor::Start, INK);
        }
        for (order, (curve, heights)) in self.curves.iter().zip(&heights).enumerate().rev() {
            draw(&mut canvas, &x, &y, heights, look(curve.index), order);
        }
        let row = (BOTTOM - TOP) / i32::try_from(self.curves.len()).unwrap_or(1).max(26);
        for (curve, number) in self.curves.iter().zip(0..) {
            let at = TOP + 12 + row * number;
            let look = look(curve.index);
            canvas.dashed(&[(right + 24, at), (right + 80, at)], look.colour, 3, look.dashes);
            look.marker.draw(&mut canvas, (right + 52, at), 7, look.colour);
            canvas.text(&legend_text(curve), (right + 92, at), 20, Anchor::Start, INK);
        }
        canvas.finish()?;
        Ok(Some(svg))
    }

    /// What is drawn, as CSV: for each curve its tasks in the order in which they are drawn, and the height
    /// in seconds.
    pub fn csv(&self) -> String {
        let mut text = CsvText::with_header(["curve", "tasks", "number", "time_s"]);
        for curve in self.curves {
            for (n, height) in (1..).zip(self.heights(&curve.times)) {
                let n: usize = n;
                text.push([&curve.label, &curve.tasks.to_string(), &n.to_string(), &height.to_string()]);
            }
        }
        text.finish()
    }

    fn heights(&self, times: &[f64]) -> Vec<f64> {
        match self.height {
            Height::Each => times.to_vec(),
            Height::Together => times
                .iter()
                .scan(0.0, |sum, time| {
                    *sum += time;
                    Some(*sum)
                })
                .collect(),
        }
    }
}

fn legend_text(curve: &Curve) -> String {
    format!("{} ({}/{})", curve.label, curve.times.len(), curve.tasks)
}

/// Grid, frame, ticks and their labels.
fn axes(canvas: &mut Canvas<'_>, x: &Scale, y: &Scale, right: i32) {
    let ticks = y.ticks();
    let (labelled, between): (Vec<&Tick>, Vec<&Tick>) = ticks.iter().partition(|tick| !tick.label.is_empty());
    for tick in between {
        let at = y.at(tick.value);
        canvas.line(&[(LEFT, at), (right, at)], FAINT_GRID, 1);
    }
    for tick in x.ticks() {
        let at = x.at(tick.value);
        canvas.line(&[(at, TOP), (at, BOTTOM)], FAINT_GRID, 1);
        canvas.line(&[(at, BOTTOM), (at, BOTTOM + 8)], INK, 2);
        canvas.text(&tick.label, (at, BOTTOM + 28), 20, Anchor::Middle, INK);
    }
    for tick in labelled {
        let at = y.at(tick.value);
        canvas.line(&[(LEFT, at), (right, at)], GRID, 1);
        canvas.line(&[(LEFT - 8, at), (LEFT, at)], INK, 2);
        canvas.text(&tick.label, (LEFT - 14, at), 20, Anchor::End, INK);
    }
    canvas.line(&[(LEFT, TOP), (LEFT, BOTTOM), (right, BOTTOM)], INK, 2);
}

/// One curve, with about eight markers that other curves' markers do not fall on.
fn draw(canvas: &mut Canvas<'_>, x: &Scale, y: &Scale, heights: &[f64], look: Look, order: usize) {
    let points: Vec<Point> = (1u32..).zip(heights).map(|(n, &h)| (x.at(f64::from(n)), y.at(h))).collect();
    canvas.dashed(&points, look.colour, 3, look.dashes);
    let every = points.len().div_ceil(8).max(1);
    let start = (order * 3) % every;
    for (i, &point) in points.iter().enumerate() {
        if i % every == start || i + 1 == points.len() {
            look.marker.draw(canvas, point, 7, look.colour);
        }
    }
}

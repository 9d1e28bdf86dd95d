//! Box plots on a logarithmic axis of times: for each group (a strategy) a box for each kind of task, side by
//! side.
//!
//! A box spans the quartiles and has a line at the median; its whiskers end at the 5 % and 95 % quantiles,
//! and what lies beyond them is drawn as points. Only solved tasks have a time, so that each box says below
//! the axis how many of how many it holds.

use crate::csv_text::CsvText;
use crate::stats::sample::quantile;

use super::canvas::{Anchor, Canvas, width};
use super::scale::Scale;
use super::style::{FAINT_GRID, FAINT_INK, GRID, INK, look};

const SIZE: (u32, u32) = (1600, 1000);
const TOP: i32 = 120;
const BOTTOM: i32 = 830;
const LEFT: i32 = 150;
const RIGHT: i32 = 1570;

/// The times of one group on one kind of task.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Which kind, by its number in [`Boxes::kinds`].
    pub kind: usize,
    /// How many tasks there were.
    pub tasks: usize,
    /// The times of those that were solved, in seconds; each above 0.
    pub times: Vec<f64>,
}

/// Boxes side by side.
#[derive(Clone, Debug)]
pub struct Group {
    /// Below the axis.
    pub label: String,
    /// In the order of their kinds.
    pub samples: Vec<Sample>,
}

/// A box plot.
#[derive(Clone, Debug)]
pub struct Boxes<'a> {
    /// Above all.
    pub title: &'a str,
    /// Below the title.
    pub subtitle: &'a str,
    /// Of the vertical axis.
    pub y_label: &'a str,
    /// In the legend: the kinds of tasks, each with a colour.
    pub kinds: &'a [&'a str],
    /// From left to right.
    pub groups: &'a [Group],
}

impl Boxes<'_> {
    /// What is drawn, as CSV: each time, not only its quantiles.
    pub fn csv(&self) -> String {
        let mut text = CsvText::with_header(["group", "kind", "tasks", "time_s"]);
        for group in self.groups {
            for sample in &group.samples {
                let kind = self.kinds.get(sample.kind).copied().unwrap_or_default();
                for time in &sample.times {
                    text.push([&group.label, kind, &sample.tasks.to_string(), &time.to_string()]);
                }
            }
        }
        text.finish()
    }

    /// The picture as SVG; `None` when there is nothing to draw.
    ///
    /// # Errors
    ///
    /// When the drawing fails: a defect.
    pub fn svg(&self) -> Result<Option<String>, String> {
        let samples = || self.groups.iter().flat_map(|group| &group.samples);
        let Some(y) = Scale::times(samples().flat_map(|sample| sample.times.iter().copied()), BOTTOM, TOP)
        else {
            return Ok(None);
        };
        let legend = self.kinds.iter().map(|kind| width(kind, 20)).max().unwrap_or(0);
        let right = RIGHT - legend - 70;

        let mut svg = String::new();
        let mut canvas = Canvas::new(&mut svg, SIZE);
        canvas.bold(self.title, (LEFT, 38), 28, Anchor::Start, INK);
        canvas.text(self.subtitle, (LEFT, 76), 20, Anchor::Start, FAINT_INK);
        for tick in y.ticks() {
            let at = y.at(tick.value);
            canvas.line(&[(LEFT, at), (right, at)], if tick.label.is_empty() { FAINT_GRID } else { GRID }, 1);
            if !tick.label.is_empty() {
                canvas.line(&[(LEFT - 8, at), (LEFT, at)], INK, 2);
                canvas.text(&tick.label, (LEFT - 14, at), 20, Anchor::End, INK);
            }
        }
        canvas.text(self.y_label, (36, (TOP + BOTTOM) / 2), 22, Anchor::Upward, INK);
        let step = (right - LEFT) / i32::try_from(self.groups.len()).unwrap_or(1).max(1);
        let slots = i32::try_from(self.kinds.len()).unwrap_or(1).max(1);
        let slot = step * 4 / 5 / slots;
        // One line lower, every other one, where names do not fit beside each other.
        let crowded = self.groups.iter().any(|group| width(&group.label, 20) > step - 10);
        for (group, number) in self.groups.iter().zip(0..) {
            let start = LEFT + number * step + step / 10;
            for sample in &group.samples {
                let place = i32::try_from(sample.kind).unwrap_or(0);
                let middle = start + place * slot + slot / 2;
                draw(&mut canvas, &y, sample, middle, (slot * 7 / 10).min(90));
                let solved = format!("{}/{}", sample.times.len(), sample.tasks);
                canvas.text(&solved, (middle, BOTTOM + 24), 16, Anchor::Middle, FAINT_INK);
            }
            let lower = if crowded && number % 2 == 1 { 26 } else { 0 };
            let label = (LEFT + number * step + step / 2, BOTTOM + 58 + lower);
            canvas.text(&group.label, label, 20, Anchor::Middle, INK);
        }
        canvas.line(&[(LEFT, TOP), (LEFT, BOTTOM), (right, BOTTOM)], INK, 2);
        let foot = "solved / tasks; box: quartiles and median, whiskers: 5 % and 95 %";
        canvas.text(foot, ((LEFT + right) / 2, BOTTOM + 130), 20, Anchor::Middle, FAINT_INK);
        for ((kind, index), at) in self.kinds.iter().zip(0..).zip((0..).map(|n| TOP + 12 + 34 * n)) {
            canvas.rectangle((right + 24, at - 9), (right + 42, at + 9), look(index).colour);
            canvas.text(kind, (right + 54, at), 20, Anchor::Start, INK);
        }
        canvas.finish()?;
        Ok(Some(svg))
    }
}

/// One box around `middle`, `wide` pixels wide.
fn draw(canvas: &mut Canvas<'_>, y: &Scale, sample: &Sample, middle: i32, wide: i32) {
    let at = |q| quantile(&sample.times, q).map(|value| (value, y.at(value)));
    let [Some((least, low)), Some((_, first)), Some((_, median)), Some((_, third)), Some((most, high))] =
        [0.05, 0.25, 0.5, 0.75, 0.95].map(at)
    else {
        return;
    };
    let colour = look(sample.kind).colour;
    let (left, right) = (middle - wide / 2, middle + wide / 2);
    for (end, quartile) in [(low, first), (high, third)] {
        canvas.line(&[(middle, quartile), (middle, end)], colour, 2);
        canvas.line(&[(middle - wide / 4, end), (middle + wide / 4, end)], colour, 2);
    }
    canvas.line(&[(left, first), (right, first), (right, third), (left, third), (left, first)], colour, 3);
    canvas.line(&[(left, median), (right, median)], colour, 6);
    for &time in sample.times.iter().filter(|&&time| time < least || time > most) {
        canvas.circle((middle, y.at(time)), 4, colour, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(times: Vec<f64>) -> Group {
        Group { label: "lazy".to_owned(), samples: vec![Sample { kind: 0, tasks: 7, times }] }
    }

    #[test]
    fn a_box_lies_where_its_quartiles_are() {
        let groups = [group(vec![1.0, 2.0, 3.0, 4.0, 100.0])];
        let boxes = Boxes { title: "t", subtitle: "s", y_label: "y", kinds: &["yes"], groups: &groups };
        let svg = boxes.svg().unwrap().unwrap();
        assert!(svg.contains("5/7"), "how many of how many are solved");
        let y = Scale::times([1.0, 2.0, 3.0, 4.0, 100.0], BOTTOM, TOP).unwrap();
        for quartile in [2.0, 3.0, 4.0] {
            assert!(svg.contains(&format!(",{} ", y.at(quartile))), "a line at {quartile}");
        }
        assert_eq!(boxes.csv().lines().count(), 6);
    }

    #[test]
    fn nothing_is_no_picture() {
        let groups = [group(Vec::new())];
        let boxes = Boxes { title: "", subtitle: "", y_label: "", kinds: &["yes"], groups: &groups };
        assert_eq!(boxes.svg().unwrap(), None);
    }
}

//! A histogram of counts, the bars of several strategies side by side, in classes that double in width.

use crate::csv_text::CsvText;

use super::canvas::{Anchor, Canvas, width};
use super::scale::Scale;
use super::style::{FAINT_INK, GRID, INK, look};

const SIZE: (u32, u32) = (1600, 900);
const TOP: i32 = 120;
const BOTTOM: i32 = 790;
const LEFT: i32 = 150;
const RIGHT: i32 = 1570;

/// The counts of one strategy.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend.
    pub label: String,
    /// One a task.
    pub counts: Vec<u64>,
    /// Which look.
    pub index: usize,
}

/// A histogram.
#[derive(Clone, Debug)]
pub struct Histogram<'a> {
    /// Above all.
    pub title: &'a str,
    /// Below the title.
    pub subtitle: &'a str,
    /// Of the horizontal axis.
    pub x_label: &'a str,
    /// Of the vertical axis.
    pub y_label: &'a str,
    /// Side by side in each class.
    pub series: &'a [Series],
}

/// The class of a count: 0, 1, 2, 3 to 4, 5 to 8, 9 to 16, …
fn class(count: u64) -> usize {
    match count {
        0 => 0,
        n => usize::try_from(64 - (n - 1).leading_zeros()).unwrap_or(64) + 1,
    }
}

/// The counts of a class, as people write them.
fn name(class: usize) -> String {
    match class {
        0 => "0".to_owned(),
        1 => "1".to_owned(),
        2 => "2".to_owned(),
        _ => {
            let low = (1_u128 << (class - 2)) + 1;
            format!("{low}–{}", 1_u128 << (class - 1))
        }
    }
}

impl Histogram<'_> {
    /// What is drawn, as CSV: the count of each task, not only its class.
    pub fn csv(&self) -> String {
        let mut text = CsvText::with_header(["series", "count"]);
        for series in self.series {
            for count in &series.counts {
                text.push([&series.label, &count.to_string()]);
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
        let classes: Vec<usize> = self.series.iter().flat_map(|s| &s.counts).map(|&n| class(n)).collect();
        let (Some(&first), Some(&last)) = (classes.iter().min(), classes.iter().max()) else {
            return Ok(None);
        };
        let heights = |series: &Series| -> Vec<usize> {
            let mut heights = vec![0; last - first + 1];
            for &count in &series.counts {
                heights[class(count) - first] += 1;
            }
            heights
        };
        let heights: Vec<Vec<usize>> = self.series.iter().map(heights).collect();
        let most = heights.iter().flatten().copied().max().unwrap_or(1);
        let y = Scale::counts(crate::stats::sample::count(most) * 1.05, BOTTOM, TOP);
        let legend = self.series.iter().map(|s| width(&legend_text(s), 20)).max().unwrap_or(0);
        let right = RIGHT - legend - 70;

        let mut svg = String::new();
        let mut canvas = Canvas::new(&mut svg, SIZE);
        canvas.bold(self.title, (LEFT, 38), 28, Anchor::Start, INK);
        canvas.text(self.subtitle, (LEFT, 76), 20, Anchor::Start, FAINT_INK);
        for tick in y.ticks() {
            let at = y.at(tick.value);
            canvas.line(&[(LEFT, at), (right, at)], GRID, 1);
            canvas.line(&[(LEFT - 8, at), (LEFT, at)], INK, 2);
            canvas.text(&tick.label, (LEFT - 14, at), 20, Anchor::End, INK);
        }
        let shown = i32::try_from(last - first + 1).unwrap_or(i32::MAX);
        let step = (right - LEFT) / shown;
        let bar = (step * 4 / 5 / i32::try_from(self.series.len()).unwrap_or(1)).max(1);
        let crowded = (first..=last).any(|class| width(&name(class), 18) > step - 8);
        for (place, slot) in (0..shown).zip(0..) {
            let start = LEFT + place * step + step / 10;
            for ((series, heights), left) in
                self.series.iter().zip(&heights).zip((0..).map(|n| start + n * bar))
            {
                let height: usize = heights[slot];
                if height == 0 {
                    continue;
                }
                let top = y.at(crate::stats::sample::count(height)).min(BOTTOM - 1);
                canvas.rectangle((left, top), (left + bar - 1, BOTTOM), look(series.index).colour);
                let label = height.to_string();
                let (wide, middle) = (width(&label, 16), left + bar / 2);
                // Upright where it would touch its neighbour's.
                if wide <= bar - 4 {
                    canvas.text(&label, (middle, top - 12), 16, Anchor::Middle, INK);
                } else if bar >= 14 {
                    canvas.text(&label, (middle, top - 8 - wide / 2), 16, Anchor::Upward, INK);
                }
            }
            let middle = LEFT + place * step + step / 2;
            // Every other name one line lower where they do not fit beside each other.
            let lower = if crowded && slot % 2 == 1 { 22 } else { 0 };
            canvas.text(&name(first + slot), (middle, BOTTOM + 22 + lower), 18, Anchor::Middle, INK);
        }
        canvas.line(&[(LEFT, TOP), (LEFT, BOTTOM), (right, BOTTOM)], INK, 2);
        canvas.text(self.x_label, ((LEFT + right) / 2, BOTTOM + 78), 22, Anchor::Middle, INK);
        canvas.text(self.y_label, (36, (TOP + BOTTOM) / 2), 22, Anchor::Upward, INK);
        for (series, at) in self.series.iter().zip((0..).map(|n| TOP + 12 + 34 * n)) {
            canvas.rectangle((right + 24, at - 9), (right + 42, at + 9), look(series.index).colour);
            canvas.text(&legend_text(series), (right + 54, at), 20, Anchor::Start, INK);
        }
        canvas.finish()?;
        Ok(Some(svg))
    }
}

fn legend_text(series: &Series) -> String {
    format!("{} ({})", series.label, series.counts.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_double_and_leave_no_gap() {
        let names: Vec<String> = (0..6).map(name).collect();
        assert_eq!(names, ["0", "1", "2", "3–4", "5–8", "9–16"]);
        assert_eq!([0, 1, 2, 3, 4, 5, 8, 9, 16, 17].map(class), [0, 1, 2, 3, 3, 4, 4, 5, 5, 6]);
        assert_eq!(class(u64::MAX), 65);
    }

    #[test]
    fn nothing_is_no_picture() {
        let histogram = Histogram { title: "", subtitle: "", x_label: "", y_label: "", series: &[] };
        assert_eq!(histogram.svg().unwrap(), None);
    }
}

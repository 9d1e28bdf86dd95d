//! Times from run to run: a panel for each strategy, one below the other over the same runs, each with its
//! own scale, so that a step of a tenth shows whether it is of microseconds or of minutes.
//!
//! Dots are runs, a bar is the middle of the runs between two steps, a dashed line is a step with its size.

use plotters::style::RGBColor;

use super::canvas::{Anchor, Canvas, Point, pixel, width};
use super::style::{FAINT_GRID, FAINT_INK, GRID, INK, PALETTE};
use crate::csv_text::CsvText;
use crate::format;
use crate::stats::{median, sample::count};

/// The most panels in one picture.
pub const MOST: usize = 16;

const WIDTH: u32 = 1600;
const LEFT: i32 = 150;
const RIGHT: i32 = 1560;
const TOP: i32 = 110;
/// Of a panel with its title.
const PITCH: i32 = 190;
/// Of a panel's title.
const TITLE: i32 = 46;
/// Below the last panel.
const FOOT: i32 = 90;

/// Behind the dots, and not to be taken for a line of theirs.
const LEVEL: RGBColor = RGBColor(184, 184, 184);
const DOT: RGBColor = PALETTE[0];
const SLOWER: RGBColor = PALETTE[3];
const FASTER: RGBColor = PALETTE[2];

/// A step of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The first run after it, counted in all runs of the picture from 0.
    pub at: usize,
    /// Middle of the runs before it, in seconds.
    pub before: f64,
    /// Middle of the runs after it.
    pub after: f64,
}

/// A strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Beside the title, of less weight.
    pub about: String,
    /// Seconds, one for each run of the picture.
    pub values: Vec<Option<f64>>,
    /// From first to last.
    pub steps: Vec<Mark>,
    /// The first run that steps were looked for from: before it there is no bar.
    pub from: usize,
}

/// A picture of panels.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// Above all.
    pub title: &'a str,
    /// Below the title.
    pub subtitle: &'a str,
    /// Names of the runs, from first to last.
    pub runs: &'a [String],
    /// From top to bottom; those beyond [`MOST`] are not drawn.
    pub panels: &'a [Panel],
}

impl Chart<'_> {
    /// The picture as SVG; `None` when there is nothing to draw.
    ///
    /// # Errors
    ///
    /// When the drawing fails: a defect.
    pub fn svg(&self) -> Result<Option<String>, String> {
        let panels = &self.panels[..self.panels.len().min(MOST)];
        if self.runs.is_empty() || panels.iter().all(|panel| panel.range().is_none()) {
            return Ok(None);
        }
        let rows = i32::try_from(panels.len()).unwrap_or(0);
        let bottom = TOP + rows * PITCH;
        let mut svg = String::new();
        let mut canvas = Canvas::new(&mut svg, (WIDTH, u32::try_from(bottom + FOOT).unwrap_or(u32::MAX)));
        let size = if width(self.title, 28) > 1500 { 20 } else { 28 };
        canvas.bold(self.title, (LEFT, 38), size, Anchor::Start, INK);
        canvas.text(self.subtitle, (LEFT, 76), 20, Anchor::Start, FAINT_INK);
        for (panel, row) in panels.iter().zip(0..) {
            self.panel(&mut canvas, panel, TOP + row * PITCH);
        }
        let widest = self.runs.iter().map(|run| width(run, 18)).max().unwrap_or(0) + 16;
        let room = ((RIGHT - LEFT) / widest.max(1)).max(1);
        let every = self.runs.len().div_ceil(usize::try_from(room).unwrap_or(1));
        for (i, run) in self.runs.iter().enumerate().step_by(every) {
            canvas.text(run, (self.x(count(i)), bottom + 26), 18, Anchor::Middle, INK);
        }
        let label = if every > 1 {
            format!("runs in the order in which they began; one in {every} is named")
        } else {
            "runs in the order in which they began".to_owned()
        };
        canvas.text(&label, ((LEFT + RIGHT) / 2, bottom + 62), 20, Anchor::Middle, INK);
        canvas.finish()?;
        Ok(Some(svg))
    }

    /// Where the run `index` stands, from 0; halves stand between two runs.
    fn x(&self, index: f64) -> i32 {
        let share = (index + 0.5) / count(self.runs.len());
        pixel((f64::from(LEFT) + share * f64::from(RIGHT - LEFT), 0.0)).0
    }

    fn panel(&self, canvas: &mut Canvas<'_>, panel: &Panel, top: i32) {
        canvas.bold(&panel.title, (LEFT, top + 24), 20, Anchor::Start, INK);
        // Bold letters are wider than those that widths are estimated for.
        let beside = LEFT + width(&panel.title, 22) + 24;
        canvas.text(&panel.about, (beside, top + 24), 18, Anchor::Start, FAINT_INK);
        let (top, bottom) = (top + TITLE, top + PITCH - 8);
        let Some((low, high)) = panel.range() else { return };
        let y = |value: f64| {
            let share = (value - low) / (high - low);
            pixel((0.0, f64::from(bottom) - share * f64::from(bottom - top))).1
        };
        for i in 0..self.runs.len() {
            let at = self.x(count(i));
            canvas.line(&[(at, top), (at, bottom)], FAINT_GRID, 1);
        }
        for value in ticks(low, high) {
            let at = y(value);
            canvas.line(&[(LEFT, at), (RIGHT, at)], GRID, 1);
            canvas.text(&format::duration(value), (LEFT - 12, at), 18, Anchor::End, INK);
        }
        canvas.line(&[(LEFT, top), (LEFT, bottom), (RIGHT, bottom)], INK, 2);
        for (from, to, level) in panel.levels() {
            let ends = [(self.x(count(from) - 0.4), y(level)), (self.x(count(to) - 0.6), y(level))];
            canvas.line(&ends, LEVEL, 7);
        }
        let dots: Vec<Point> = panel
            .values
            .iter()
            .enumerate()
            .filter_map(|(i, value)| value.map(|value| (self.x(count(i)), y(value))))
            .collect();
        canvas.line(&dots, DOT, 1);
        for dot in dots {
            canvas.circle(dot, 5, DOT, true);
        }
        for step in &panel.steps {
            let at = self.x(count(step.at) - 0.5);
            let colour = if step.after > step.before { SLOWER } else { FASTER };
            canvas.dashed(&[(at, top - 14), (at, bottom)], colour, 3, &[10, 6]);
            let size = format!("{:+.1} %", (step.after / step.before - 1.0) * 100.0);
            // Near the right edge the text would leave the picture.
            let right = at + 8 + width(&size, 18) > RIGHT;
            let (place, anchor) = if right { (at - 8, Anchor::End) } else { (at + 8, Anchor::Start) };
            canvas.text(&size, (place, top - 10), 18, anchor, colour);
        }
    }

    /// What is drawn, as CSV: for each panel its runs, and the factor at those that a step begins with.
    pub fn csv(&self) -> String {
        let mut text = CsvText::with_header(["series", "run", "time_s", "step"]);
        for panel in self.panels {
            for (i, (run, value)) in self.runs.iter().zip(&panel.values).enumerate() {
                let step = panel.steps.iter().find(|step| step.at == i);
                let time = value.map(|value| value.to_string()).unwrap_or_default();
                let factor = step.map(|step| (step.after / step.before).to_string()).unwrap_or_default();
                text.push([&panel.title, run, &time, &factor]);
            }
        }
        text.finish()
    }
}

impl Panel {
    /// The lowest and the highest value of the axis: room for all values, and for a tenth up and down at
    /// least, lest noise look like an event.
    fn range(&self) -> Option<(f64, f64)> {
        let values: Vec<f64> =
            self.values.iter().flatten().copied().filter(|value| value.is_finite() && *value > 0.0).collect();
        let middle = median(&values)?;
        let low = values.iter().copied().fold(middle * 0.9, f64::min);
        let high = values.iter().copied().fold(middle * 1.1, f64::max);
        let room = (high - low) * 0.05;
        Some(((low - room).max(0.0), high + room))
    }

    /// The bars: first run, the run after the last, and the height.
    fn levels(&self) -> Vec<(usize, usize, f64)> {
        let ends: Vec<usize> = self.steps.iter().map(|step| step.at).chain([self.values.len()]).collect();
        let starts = [self.from].into_iter().chain(ends.iter().copied());
        starts
            .zip(&ends)
            .filter_map(|(from, &to)| {
                let values: Vec<f64> = self.values.get(from..to)?.iter().flatten().copied().collect();
                Some((from, to, median(&values)?))
            })
            .collect()
    }
}

/// Three to six round values between `low` and `high`.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let exact = (high - low) / 4.0;
    let power = 10_f64.powf(exact.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= exact).unwrap_or(exact);
    let mut ticks = Vec::new();
    let mut index = (low / step).ceil();
    while index * step <= high && ticks.len() < 8 {
        ticks.push(index * step);
        index += 1.0;
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(values: &[f64]) -> Panel {
        Panel {
            title: "s".into(),
            about: "3 tasks".into(),
            values: values.iter().map(|value| Some(*value)).collect(),
            steps: vec![],
            from: 0,
        }
    }

    #[test]
    fn bars_stand_where_steps_were_looked_for() {
        let mut one = panel(&[9.0, 1.0, 1.0, 2.0, 2.0]);
        one.from = 1;
        one.steps.push(Mark { at: 3, before: 1.0, after: 2.0 });
        assert_eq!(one.levels(), [(1, 3, 1.0), (3, 5, 2.0)]);
    }

    #[test]
    fn small_differences_are_not_blown_up() {
        let (low, high) = panel(&[1.0, 1.01, 0.99]).range().unwrap();
        assert!(low < 0.9 && high > 1.1);
        assert_eq!(panel(&[]).range(), None);
    }

    #[test]
    fn round_values_on_the_axis() {
        let near = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len(), "{found:?}");
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        };
        near(ticks(0.88, 1.12), &[0.9, 1.0, 1.1]);
        near(ticks(0.0011, 0.0029), &[0.0015, 0.002, 0.0025]);
    }

    #[test]
    fn a_picture_and_its_data() {
        let runs: Vec<String> = (0..4).map(|n| format!("c{n}")).collect();
        let mut one = panel(&[1.0, 1.0, 2.0, 2.0]);
        one.values[1] = None;
        one.steps.push(Mark { at: 2, before: 1.0, after: 2.0 });
        let panels = [one];
        let chart = Chart { title: "t", subtitle: "u", runs: &runs, panels: &panels };
        let svg = chart.svg().unwrap().unwrap();
        assert!(svg.contains("+100.0 %") && svg.contains("c3"), "{svg}");
        assert_eq!(chart.csv(), "series,run,time_s,step\ns,c0,1,\ns,c1,,\ns,c2,2,2\ns,c3,2,\n");
        let none = Chart { panels: &[], ..chart };
        assert_eq!(none.svg(), Ok(None));
    }
}

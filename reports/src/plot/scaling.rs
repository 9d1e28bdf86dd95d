//! Curves over a size on two logarithmic axes, each with the power of the size that fits it best: a straight
//! line of slope 1 is linear growth, one of slope 2 quadratic.

use crate::csv_text::CsvText;

use super::canvas::{Anchor, Canvas, Point, width};
use super::scale::{Scale, Unit};
use super::style::{FAINT_GRID, FAINT_INK, GRID, INK, look};

const SIZE: (u32, u32) = (1600, 1000);
const TOP: i32 = 120;
const BOTTOM: i32 = 880;
const LEFT: i32 = 150;
const RIGHT: i32 = 1570;

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend.
    pub label: String,
    /// Size and value, both above 0, by ascending size.
    pub points: Vec<(f64, f64)>,
    /// Which look.
    pub index: usize,
}

impl Series {
    /// The power of the size that fits the points best, by least squares of the logarithms; `None` for fewer
    /// than two sizes.
    pub fn slope(&self) -> Option<f64> {
        self.fit().map(|(slope, _)| slope)
    }

    /// Slope and offset of the line through the logarithms.
    fn fit(&self) -> Option<(f64, f64)> {
        let logs: Vec<(f64, f64)> = self.points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| {
            crate::stats::mean(&logs.iter().map(of).collect::<Vec<f64>>()).unwrap_or_default()
        };
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let spread: f64 = logs.iter().map(|point| (point.0 - x).powi(2)).sum();
        let both: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        (spread > 1e-12).then(|| (both / spread, y - x * both / spread))
    }

    fn legend(&self) -> String {
        self.slope().map_or_else(|| self.label.clone(), |slope| format!("{} (n^{slope:.2})", self.label))
    }
}

/// A chart of growth.
#[derive(Clone, Debug)]
pub struct Scaling<'a> {
    /// Above all.
    pub title: &'a str,
    /// Below the title.
    pub subtitle: &'a str,
    /// Of the horizontal axis.
    pub x_label: &'a str,
    /// Of the vertical axis.
    pub y_label: &'a str,
    /// Of the values.
    pub unit: Unit,
    /// In the order of the legend.
    pub series: &'a [Series],
}

impl Scaling<'_> {
    /// What is drawn, as CSV.
    pub fn csv(&self) -> String {
        let mut text = CsvText::with_header(["curve", "size", "value"]);
        for series in self.series {
            for (x, y) in &series.points {
                text.push([&series.label, &x.to_string(), &y.to_string()]);
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
        let points = || self.series.iter().flat_map(|series| &series.points);
        let legend = self.series.iter().map(|series| width(&series.legend(), 20)).max().unwrap_or(0);
        let right = RIGHT - legend - 100;
        let x = Scale::ratios(points().map(|point| point.0), Unit::Number, LEFT, right);
        let y = Scale::ratios(points().map(|point| point.1), self.unit, BOTTOM, TOP);
        let (Some(x), Some(y)) = (x, y) else { return Ok(None) };

        let mut svg = String::new();
        let mut canvas = Canvas::new(&mut svg, SIZE);
        canvas.bold(self.title, (LEFT, 38), 28, Anchor::Start, INK);
        canvas.text(self.subtitle, (LEFT, 76), 20, Anchor::Start, FAINT_INK);
        for tick in y.ticks() {
            let at = y.at(tick.value);
            canvas.line(&[(LEFT, at), (right, at)], if tick.label.is_empty() { FAINT_GRID } else { GRID }, 1);
            canvas.text(&tick.label, (LEFT - 14, at), 20, Anchor::End, INK);
        }
        for tick in x.ticks() {
            let at = x.at(tick.value);
            canvas.line(&[(at, TOP), (at, BOTTOM)], if tick.label.is_empty() { FAINT_GRID } else { GRID }, 1);
            canvas.text(&tick.label, (at, BOTTOM + 28), 20, Anchor::Middle, INK);
        }
        canvas.line(&[(LEFT, TOP), (LEFT, BOTTOM), (right, BOTTOM)], INK, 2);
        canvas.text(self.x_label, ((LEFT + right) / 2, BOTTOM + 72), 22, Anchor::Middle, INK);
        canvas.text(self.y_label, (36, (TOP + BOTTOM) / 2), 22, Anchor::Upward, INK);
        for series in self.series.iter().rev() {
            let look = look(series.index);
            if let (Some((slope, offset)), [first, .., last]) = (series.fit(), series.points.as_slice()) {
                let on = |size: f64| (x.at(size), y.at((offset + slope * size.ln()).exp()));
                canvas.dashed(&[on(first.0), on(last.0)], look.colour, 1, &[4, 6]);
            }
            let line: Vec<Point> = series.points.iter().map(|point| (x.at(point.0), y.at(point.1))).collect();
            canvas.dashed(&line, look.colour, 3, look.dashes);
            for &point in &line {
                look.marker.draw(&mut canvas, point, 7, look.colour);
            }
        }
        for (series, at) in self.series.iter().zip((0..).map(|n| TOP + 12 + 34 * n)) {
            let look = look(series.index);
            canvas.dashed(&[(right + 24, at), (right + 80, at)], look.colour, 3, look.dashes);
            look.marker.draw(&mut canvas, (right + 52, at), 7, look.colour);
            canvas.text(&series.legend(), (right + 92, at), 20, Anchor::Start, INK);
        }
        canvas.finish()?;
        Ok(Some(svg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(points: Vec<(f64, f64)>) -> Series {
        Series { label: "lazy".to_owned(), points, index: 0 }
    }

    #[test]
    fn the_slope_is_the_power_of_the_size() {
        let squares = series([10.0, 20.0, 50.0, 400.0].map(|n| (n, 3.0 * n * n)).to_vec());
        assert!((squares.slope().unwrap() - 2.0).abs() < 1e-9);
        let flat = series(vec![(1.0, 5.0), (10.0, 5.0)]);
        assert!(flat.slope().unwrap().abs() < 1e-9);
        assert_eq!(series(vec![(10.0, 1.0)]).slope(), None);
        assert_eq!(series(vec![(10.0, 1.0), (10.0, 2.0)]).slope(), None);
    }

    #[test]
    fn the_legend_says_the_slope_and_nothing_is_no_picture() {
        fn scaling(series: &[Series]) -> Option<String> {
            let chart =
                Scaling { title: "", subtitle: "", x_label: "n", y_label: "", unit: Unit::Number, series };
            chart.svg().unwrap()
        }
        let found = scaling(&[series(vec![(1.0, 1.0), (10.0, 10.0)])]).unwrap();
        assert!(found.contains("lazy (n^1.00)"));
        assert_eq!(scaling(&[series(Vec::new())]), None);
    }
}

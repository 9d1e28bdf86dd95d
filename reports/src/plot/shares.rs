//! Horizontal bars, each divided into parts that add up to a whole: what times are made of.

use crate::csv_text::CsvText;

use super::canvas::{Anchor, Canvas, pixel, width};
use super::style::{FAINT_INK, GRID, INK, look};

const WIDE: u32 = 1600;
const TOP: i32 = 150;
const LEFT: i32 = 150;
const RIGHT: i32 = 1570;
/// From one bar to the next.
const STEP: i32 = 46;

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Beside it.
    pub label: String,
    /// As many as there are names of parts; their sum is the whole.
    pub parts: Vec<f64>,
}

/// Bars below each other.
#[derive(Clone, Debug)]
pub struct Shares<'a> {
    /// Above all.
    pub title: &'a str,
    /// Below the title.
    pub subtitle: &'a str,
    /// Of the vertical axis.
    pub y_label: &'a str,
    /// The names of parts, from left to right.
    pub names: &'a [&'a str],
    /// From above.
    pub bars: &'a [Bar],
}

impl Shares<'_> {
    /// What is drawn, as CSV: each part, not only its share.
    pub fn csv(&self) -> String {
        let mut text = CsvText::with_header(["bar", "part", "value"]);
        for bar in self.bars {
            for (name, value) in self.names.iter().zip(&bar.parts) {
                text.push([bar.label.as_str(), name, &value.to_string()]);
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
        let whole = |bar: &Bar| bar.parts.iter().sum::<f64>();
        let bars: Vec<&Bar> = self.bars.iter().filter(|bar| whole(bar) > 0.0).collect();
        if bars.is_empty() {
            return Ok(None);
        }
        let count = i32::try_from(bars.len()).unwrap_or(i32::MAX / STEP - 10);
        let bottom = TOP + count * STEP;
        let mut svg = String::new();
        let high = u32::try_from(bottom + 110).unwrap_or(u32::MAX);
        let mut canvas = Canvas::new(&mut svg, (WIDE, high));
        canvas.bold(self.title, (LEFT, 38), 28, Anchor::Start, INK);
        canvas.text(self.subtitle, (LEFT, 76), 20, Anchor::Start, FAINT_INK);
        let at = |share: f64| pixel((f64::from(LEFT) + share * f64::from(RIGHT - LEFT), 0.0)).0;
        for tenth in 0..=10 {
            let x = at(f64::from(tenth) / 10.0);
            canvas.line(&[(x, TOP), (x, bottom)], GRID, 1);
            canvas.text(&format!("{} %", tenth * 10), (x, bottom + 24), 18, Anchor::Middle, INK);
        }
        for (bar, top) in bars.iter().zip((0..).map(|place| TOP + place * STEP)) {
            canvas.text(&bar.label, (LEFT - 14, top + STEP / 2), 20, Anchor::End, INK);
            let all = whole(bar);
            let mut before = 0.0;
            for (index, part) in bar.parts.iter().enumerate() {
                let (from, to) = (at(before / all), at((before + part) / all));
                before += part;
                if to > from {
                    canvas.rectangle((from, top + 6), (to, top + STEP - 6), look(index).colour);
                }
            }
        }
        canvas.line(&[(LEFT, TOP), (LEFT, bottom), (RIGHT, bottom)], INK, 2);
        canvas.text("share of the time", ((LEFT + RIGHT) / 2, bottom + 76), 22, Anchor::Middle, INK);
        canvas.text(self.y_label, (36, (TOP + bottom) / 2), 22, Anchor::Upward, INK);
        let mut x = LEFT;
        for (index, name) in self.names.iter().enumerate() {
            canvas.rectangle((x, 106), (x + 18, 124), look(index).colour);
            canvas.text(name, (x + 28, 115), 20, Anchor::Start, INK);
            x += 70 + width(name, 20);
        }
        canvas.finish()?;
        Ok(Some(svg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_parts() {
        let bars = [
            Bar { label: "1".to_owned(), parts: vec![3.0, 1.0] },
            Bar { label: "2".to_owned(), parts: vec![0.0, 0.0] },
        ];
        let shares = Shares { title: "T", subtitle: "s", y_label: "y", names: &["a", "b"], bars: &bars };
        let svg = shares.svg().unwrap().unwrap();
        // Of 1420 pixels, three quarters and one; the second bar has nothing to show.
        let wide = |pixels: i32| svg.contains(&format!("width=\"{pixels}\""));
        assert!(wide(1065) && wide(355), "{svg}");
        assert_eq!(shares.csv().lines().nth(1), Some("1,a,3"));
        assert_eq!(shares.csv().lines().count(), 5);
        let none = Shares { bars: &bars[1..], ..shares };
        assert_eq!(none.svg(), Ok(None));
    }
}

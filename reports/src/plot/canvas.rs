//! A surface of fixed size to draw on, in pixels from the upper left corner, by the SVG backend of plotters.
//!
//! The first error is kept and drawing goes on, so that drawing code need not stop at every line;
//! [`Canvas::finish`] reports it.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

/// The face that pictures are drawn with, and what readers without it fall back to: wide faces first, since
/// the layout leaves room for the first one.
pub const FONTS: &str = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif";

/// A place in pixels.
pub type Point = (i32, i32);

/// How a text stands to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Starts there.
    Start,
    /// Is centred on it.
    Middle,
    /// Ends there.
    End,
    /// Is centred on it and runs upward.
    Upward,
}

/// A surface.
pub struct Canvas<'a> {
    backend: SVGBackend<'a>,
    failed: Option<String>,
}

impl<'a> Canvas<'a> {
    /// A white surface whose SVG text goes into `target`.
    pub fn new(target: &'a mut String, size: (u32, u32)) -> Self {
        let mut canvas = Self { backend: SVGBackend::with_string(target, size), failed: None };
        let corner = (i32::try_from(size.0).unwrap_or(i32::MAX), i32::try_from(size.1).unwrap_or(i32::MAX));
        canvas.rectangle((0, 0), corner, RGBColor(255, 255, 255));
        canvas
    }

    /// Ends the drawing.
    pub fn finish(mut self) -> Result<(), String> {
        let ended = self.backend.present();
        self.keep(ended);
        self.failed.map_or(Ok(()), Err)
    }

    fn keep(&mut self, drawn: Result<(), impl std::error::Error>) {
        if let Err(error) = drawn {
            self.failed.get_or_insert_with(|| error.to_string());
        }
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, from: Point, to: Point, colour: RGBColor) {
        let drawn = self.backend.draw_rect(from, to, &colour.filled(), true);
        self.keep(drawn);
    }

    /// A line through `points`.
    pub fn line(&mut self, points: &[Point], colour: RGBColor, width: u32) {
        let drawn = self.backend.draw_path(points.iter().copied(), &colour.stroke_width(width));
        self.keep(drawn);
    }

    /// A line through `points` that is on and off for the lengths of `pattern` in turn; solid when that is
    /// empty.
    pub fn dashed(&mut self, points: &[Point], colour: RGBColor, width: u32, pattern: &[u32]) {
        for dash in dashes(points, pattern) {
            self.line(&dash, colour, width);
        }
    }

    /// A filled polygon.
    pub fn polygon(&mut self, points: &[Point], colour: RGBColor) {
        let drawn = self.backend.fill_polygon(points.iter().copied(), &colour.filled());
        self.keep(drawn);
    }

    /// A circle, filled or hollow.
    pub fn circle(&mut self, centre: Point, radius: u32, colour: RGBColor, filled: bool) {
        let style = ShapeStyle { color: colour.to_rgba(), filled, stroke_width: 2 };
        let drawn = self.backend.draw_circle(centre, radius, &style, filled);
        self.keep(drawn);
    }

    /// A text of `size` pixels, centred on its place vertically.
    pub fn text(&mut self, text: &str, at: Point, size: u32, anchor: Anchor, colour: RGBColor) {
        self.styled(text, at, size, anchor, colour, FontStyle::Normal);
    }

    /// The same in bold.
    pub fn bold(&mut self, text: &str, at: Point, size: u32, anchor: Anchor, colour: RGBColor) {
        self.styled(text, at, size, anchor, colour, FontStyle::Bold);
    }

    fn styled(
        &mut self,
        text: &str,
        at: Point,
        size: u32,
        anchor: Anchor,
        colour: RGBColor,
        style: FontStyle,
    ) {
        // The backend divides sizes by 1.24 to speak of the height of a line.
        let mut font = (FONTS, f64::from(size) * 1.24).into_font().style(style);
        if anchor == Anchor::Upward {
            font = font.transform(FontTransform::Rotate270);
        }
        let h_pos = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle | Anchor::Upward => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(h_pos, VPos::Center));
        let drawn = self.backend.draw_text(text, &style, at);
        self.keep(drawn);
    }
}

/// The parts of a line that a pattern leaves on.
fn dashes(points: &[Point], pattern: &[u32]) -> Vec<Vec<Point>> {
    if pattern.iter().sum::<u32>() == 0 {
        return vec![points.to_vec()];
    }
    let mut done = Vec::new();
    let mut current: Vec<Point> = points.first().copied().into_iter().collect();
    let mut step = 0;
    let mut left = f64::from(pattern[0]);
    for pair in points.windows(2) {
        let (from, to) = (real(pair[0]), real(pair[1]));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut at = 0.0;
        while length - at >= left {
            at += left;
            let share = at / length;
            let point = pixel((from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share));
            if step % 2 == 0 {
                current.push(point);
                done.push(std::mem::take(&mut current));
            } else {
                current = vec![point];
            }
            step += 1;
            left = f64::from(pattern[step % pattern.len()].max(1));
        }
        left -= length - at;
        if step % 2 == 0 && left > 0.0 && current.last() != Some(&pair[1]) {
            current.push(pair[1]);
        }
    }
    if step % 2 == 0 && current.len() > 1 {
        done.push(current);
    }
    done
}

fn real(point: Point) -> (f64, f64) {
    (f64::from(point.0), f64::from(point.1))
}

/// The nearest pixel.
pub fn pixel((x, y): (f64, f64)) -> Point {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast of a double saturates, and pictures are small"
    )]
    let nearest = |v: f64| v.round() as i32;
    (nearest(x), nearest(y))
}

/// About how wide a text is: the mean width of letters of the first face, a little rounded up.
pub fn width(text: &str, size: u32) -> i32 {
    let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    pixel((0.6 * f64::from(letters) * f64::from(size), 0.0)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_what_the_pattern_says() {
        let found = dashes(&[(0, 0), (10, 0), (10, 10)], &[4, 2]);
        assert_eq!(
            found,
            [vec![(0, 0), (4, 0)], vec![(6, 0), (10, 0)], vec![(10, 2), (10, 6)], vec![(10, 8), (10, 10)]]
        );
        assert_eq!(dashes(&[(0, 0), (5, 5)], &[]), [vec![(0, 0), (5, 5)]]);
        assert_eq!(dashes(&[], &[4, 2]), Vec::<Vec<Point>>::new());
    }
}

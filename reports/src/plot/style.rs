//! Colours, dashes and markers: each curve differs from the others in at least two of them, so that none is
//! told by its colour alone.

use plotters::style::RGBColor;

use super::canvas::{Canvas, Point};

/// Text and axes.
pub const INK: RGBColor = RGBColor(38, 38, 38);
/// Text of less weight.
pub const FAINT_INK: RGBColor = RGBColor(96, 96, 96);
/// Lines at ticks.
pub const GRID: RGBColor = RGBColor(216, 216, 216);
/// Lines between ticks.
pub const FAINT_GRID: RGBColor = RGBColor(240, 240, 240);

/// Okabe and Ito, Color universal design, 2008, without their yellow, which is lost on white; then the dark
/// ones of Tol's muted scheme, 2021, which differ from those in lightness. Twelve strategies have a colour
/// each.
pub const PALETTE: [RGBColor; 12] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(136, 34, 85),
    RGBColor(153, 153, 51),
    RGBColor(51, 34, 136),
    RGBColor(150, 150, 150),
    RGBColor(17, 119, 51),
];

/// Lengths of on and off; the first is solid.
const DASHES: [&[u32]; 5] = [&[], &[16, 8], &[4, 6], &[18, 6, 4, 6], &[30, 8, 10, 8]];

/// The shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A filled circle.
    Circle,
    /// A filled triangle, point up.
    Triangle,
    /// A filled square.
    Square,
    /// A filled square on its corner.
    Diamond,
    /// Two strokes.
    Cross,
    /// A hollow circle.
    Ring,
    /// A filled triangle, point down.
    Nabla,
    /// Upright strokes.
    Plus,
}

const MARKERS: [Marker; 8] = [
    Marker::Circle,
    Marker::Triangle,
    Marker::Square,
    Marker::Diamond,
    Marker::Cross,
    Marker::Ring,
    Marker::Nabla,
    Marker::Plus,
];

impl Marker {
    /// Draws it at `at`, `size` pixels from its centre to its edge.
    pub fn draw(self, canvas: &mut Canvas<'_>, (x, y): Point, size: i32, colour: RGBColor) {
        let radius = size.unsigned_abs();
        match self {
            Self::Circle => canvas.circle((x, y), radius, colour, true),
            Self::Ring => canvas.circle((x, y), radius, colour, false),
            Self::Square => {
                canvas.rectangle((x - size + 1, y - size + 1), (x + size - 1, y + size - 1), colour);
            }
            Self::Triangle => {
                canvas.polygon(&[(x, y - size), (x + size, y + size - 1), (x - size, y + size - 1)], colour);
            }
            Self::Nabla => {
                canvas.polygon(&[(x, y + size), (x + size, y - size + 1), (x - size, y - size + 1)], colour);
            }
            Self::Diamond => {
                canvas.polygon(&[(x, y - size), (x + size, y), (x, y + size), (x - size, y)], colour);
            }
            Self::Cross => {
                canvas.line(&[(x - size, y - size), (x + size, y + size)], colour, 3);
                canvas.line(&[(x - size, y + size), (x + size, y - size)], colour, 3);
            }
            Self::Plus => {
                canvas.line(&[(x - size, y), (x + size, y)], colour, 3);
                canvas.line(&[(x, y - size), (x, y + size)], colour, 3);
            }
        }
    }
}

/// How a curve looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Of line and markers.
    pub colour: RGBColor,
    /// Of the line.
    pub dashes: &'static [u32],
    /// On the line.
    pub marker: Marker,
}

/// The look of the curve number `index`: the same strategy has the same look in every plot of a run. Two
/// curves up to number 40 have at most one of colour, dashes and marker in common.
pub const fn look(index: usize) -> Look {
    // Colours and markers are in step again after 24 curves: then the markers move on by one.
    Look {
        colour: PALETTE[index % PALETTE.len()],
        dashes: DASHES[index / MARKERS.len() % DASHES.len()],
        marker: MARKERS[(index + index / 24) % MARKERS.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_differ() {
        for i in 0..40 {
            for j in 0..i {
                let (a, b) = (look(i), look(j));
                let same = [a.colour == b.colour, a.dashes == b.dashes, a.marker == b.marker];
                assert!(same.iter().filter(|same| **same).count() <= 1, "{i} {j}: {a:?} {b:?}");
            }
        }
    }
}

//! The same picture as PNG: the SVG drawn by resvg with a face that is part of the program, so that it has
//! the same pixels on every machine, whatever fonts are installed there.
//!
//! The face is DejaVu Sans 2.37, which the crate `dejavu` carries with its licence (that of Bitstream Vera:
//! free to use, embed and pass on).

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// The name of the face.
const FACE: &str = "DejaVu Sans";

/// Draws pictures as PNG.
pub struct Raster {
    fonts: Arc<fontdb::Database>,
}

impl Default for Raster {
    /// Reads the faces.
    fn default() -> Self {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(dejavu::sans::regular().to_vec());
        fonts.load_font_data(dejavu::sans::bold().to_vec());
        // Pictures that others made may name no more than a kind of face.
        fonts.set_sans_serif_family(FACE);
        fonts.set_serif_family(FACE);
        fonts.set_monospace_family(FACE);
        Self { fonts: Arc::new(fonts) }
    }
}

impl Raster {
    /// The PNG of `svg`, one pixel a unit.
    ///
    /// # Errors
    ///
    /// When `svg` cannot be drawn.
    pub fn png(&self, svg: &str) -> Result<Vec<u8>, String> {
        let options =
            Options { fontdb: Arc::clone(&self.fonts), font_family: FACE.to_owned(), ..Options::default() };
        let tree = Tree::from_str(svg, &options).map_err(|e| e.to_string())?;
        let size = tree.size().to_int_size();
        let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("a picture without pixels")?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels.encode_png().map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_drawn_without_system_fonts() {
        let svg = |text: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"99\" height=\"30\"><text x=\"5\" y=\"20\" \
                 font-family=\"{}\" font-size=\"16\">{text}</text></svg>",
                super::super::canvas::FONTS
            )
        };
        let raster = Raster::default();
        let empty = raster.png(&svg("")).unwrap();
        let micro = raster.png(&svg("10 µs")).unwrap();
        assert_ne!(empty, micro);
        assert_eq!(micro, raster.png(&svg("10 µs")).unwrap());
        assert!(raster.png("not a picture").is_err());
        for kind in ["sans-serif", "monospace"] {
            let of = |text: &str| raster.png(&svg(text).replace(super::super::canvas::FONTS, kind)).unwrap();
            assert_ne!(of("s0"), of(""), "{kind}");
        }
    }
}

//! Changes of a text: pieces of it replaced.

use std::ops::Range;

/// What stands in the place of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// This text.
    Text(String),
    /// Another piece of the same text, as it was: no change has a copy of it.
    Of(Range<usize>),
}

impl By {
    fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Of(range) => range.len(),
        }
    }
}

impl From<&str> for By {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for By {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Range<usize>> for By {
    fn from(range: Range<usize>) -> Self {
        Self::Of(range)
    }
}

/// Pieces of a text and what stands in their place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// Byte ranges that do not overlap, in any order.
    cuts: Vec<(Range<usize>, By)>,
}

impl Edit {
    /// One piece replaced.
    pub fn replace(range: Range<usize>, by: impl Into<By>) -> Self {
        Self { cuts: vec![(range, by.into())] }
    }

    /// One piece removed.
    pub fn cut(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }

    /// Pieces removed.
    pub fn remove(ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        Self { cuts: ranges.into_iter().map(|range| (range, By::Text(String::new()))).collect() }
    }

    /// The same, and another piece replaced.
    #[must_use]
    pub fn and(mut self, range: Range<usize>, by: impl Into<By>) -> Self {
        self.cuts.push((range, by.into()));
        self
    }

    /// About how many bytes shorter a text becomes; 0 where it becomes longer.
    pub fn saves(&self) -> usize {
        let gone: usize = self.cuts.iter().map(|(range, _)| range.len()).sum();
        gone.saturating_sub(self.cuts.iter().map(|(_, by)| by.len()).sum())
    }

    /// The changed text. `None` where the pieces overlap or are none of the text, as those of a list that was
    /// made for another text.
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut cuts: Vec<&(Range<usize>, By)> = self.cuts.iter().collect();
        cuts.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for (range, by) in cuts {
            out.push_str(text.get(from..range.start)?);
            out.push_str(match by {
                By::Text(by) => by,
                By::Of(range) => text.get(range.clone())?,
            });
            from = range.end;
        }
        out.push_str(text.get(from..)?);
        Some(out)
    }
}

/// Sizes of pieces for a list of `count`: half of it, a quarter and so on to single ones.
pub fn halves(count: usize) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut size = count;
    while size > 1 {
        size = size.div_ceil(2);
        sizes.push(size);
    }
    if count == 1 {
        sizes.push(1);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_replaced_in_any_order() {
        let edit = Edit::replace(4..5, "XY").and(0..1, "").and(5..5, "!");
        assert_eq!(edit.apply("abcdefg").unwrap(), "bcdXY!fg");
        assert_eq!(Edit::replace(0..3, 4..6).and(4..5, 0..1).apply("abcdefg").unwrap(), "efdafg");
        assert_eq!(Edit::replace(0..3, 4..6).saves(), 1);
        assert_eq!(Edit::replace(0..3, 4..9).apply("abcdefg"), None);
        assert_eq!(Edit::remove([1..3, 4..6]).apply("abcdefg").unwrap(), "adg");
        assert_eq!(Edit::replace(0..3, "").and(1..2, "").apply("abcd"), None);
        assert_eq!(Edit::replace(0..9, "").apply("abcd"), None);
        assert_eq!(Edit::replace(1..2, "").apply("ä"), None);
    }

    #[test]
    fn lists_are_halved_down_to_single_ones() {
        assert_eq!(halves(9), [5, 3, 2, 1]);
        assert_eq!(halves(2), [1]);
        assert_eq!(halves(1), [1]);
        assert_eq!(halves(0), [0; 0]);
    }
}

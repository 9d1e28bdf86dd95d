//! CSV as RFC 4180 says, with line feeds: a field is quoted when it must be.

use csv::{Terminator, Writer, WriterBuilder};

/// CSV text that grows by records.
pub(crate) struct CsvText(Writer<Vec<u8>>);

impl CsvText {
    /// A text with this header.
    pub(crate) fn with_header(names: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        let writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
        let mut text = Self(writer);
        text.push(names);
        text
    }

    /// Adds a record, which has as many fields as the header.
    #[expect(clippy::expect_used, reason = "memory takes every record, and every caller knows its header")]
    pub(crate) fn push(&mut self, fields: impl IntoIterator<Item = impl AsRef<[u8]>>) {
        self.0.write_record(fields).expect("a record has as many fields as the header");
    }

    /// The whole text.
    #[expect(clippy::expect_used, reason = "all fields are text, and memory takes every byte")]
    pub(crate) fn finish(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes every byte");
        String::from_utf8(bytes).expect("fields are text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_when_they_must_be() {
        let mut text = CsvText::with_header(["1", "2", "3", "4", "5"]);
        text.push(["a", "b,c", "say \"x\"", "two\nlines", ""]);
        assert_eq!(text.finish(), "1,2,3,4,5\na,\"b,c\",\"say \"\"x\"\"\",\"two\nlines\",\n");
    }
}

//! Reading of the figures that papers published, which tables show beside measured ones. They are never
//! measured here and never compared as equals: machine, language, limits and decade differ.
//!
//! Each figure is a CSV file in `corpora/published/` that names its origin in comment lines at the top. The
//! files are part of the program, so that a report needs no other file. What the columns of a file mean is
//! known to the [layout](crate::layout) that shows them.

use csv::{ReaderBuilder, StringRecord, Trim};

/// A file of published figures that cannot be read: a defect of the corpus.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("corpora/published/{file}:{line}: {what}")]
pub struct PublishedError {
    /// Name of the file.
    pub file: &'static str,
    /// From 1.
    pub line: u64,
    /// What is wrong there.
    pub what: String,
}

/// A file with `#` comments and a header row.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// Name of the file.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The [`Published`] file of that name in `corpora/published/`.
macro_rules! published {
    ($file:literal) => {
        $crate::published::Published {
            file: $file,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../corpora/published/", $file)),
        }
    };
}
pub(crate) use published;

impl Published {
    /// Every row, read by `read`; the header must name `columns` in this order.
    ///
    /// # Errors
    ///
    /// When the header differs or a row cannot be read.
    pub fn rows<T>(
        &self,
        columns: &[&str],
        read: impl Fn(&Row) -> Result<T, String>,
    ) -> Result<Vec<T>, PublishedError> {
        let error = |line: u64, what: String| PublishedError { file: self.file, line, what };
        let mut reader =
            ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(self.text.as_bytes());
        let line_of = |e: &csv::Error| e.position().map_or(1, csv::Position::line);
        let header = reader.headers().map_err(|e| error(line_of(&e), e.to_string()))?;
        if header.iter().ne(columns.iter().copied()) {
            let comments = self.text.lines().take_while(|line| line.starts_with('#'));
            let found: Vec<&str> = header.iter().collect();
            return Err(error(
                comments.count() as u64 + 1,
                format!("expected the columns {}, found {}", columns.join(","), found.join(",")),
            ));
        }
        reader
            .records()
            .map(|record| {
                let record = record.map_err(|e| error(line_of(&e), e.to_string()))?;
                let line = record.position().map_or(1, csv::Position::line);
                read(&Row(record)).map_err(|what| error(line, what))
            })
            .collect()
    }
}

/// One row of a file; the reader has checked that it has as many fields as the header.
#[derive(Clone, Debug)]
pub struct Row(StringRecord);

impl Row {
    /// The field in `column`, from 0.
    pub fn text(&self, column: usize) -> &str {
        self.0.get(column).unwrap_or_default()
    }

    /// The number in `column`.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn number<N: std::str::FromStr>(&self, column: usize) -> Result<N, String> {
        self.text(column).parse().map_err(|_| format!("expected a number, found '{}'", self.text(column)))
    }

    /// The number in `column`; `None` when the field is empty.
    ///
    /// # Errors
    ///
    /// When it is neither.
    pub fn number_or_none<N: std::str::FromStr>(&self, column: usize) -> Result<Option<N>, String> {
        if self.text(column).is_empty() { Ok(None) } else { self.number(column).map(Some) }
    }

    /// The value in `column`, by its name in `names`.
    ///
    /// # Errors
    ///
    /// When it is none of them.
    pub fn one_of<T: Copy>(&self, column: usize, names: &[(&str, T)]) -> Result<T, String> {
        let found = self.text(column);
        names.iter().find(|(name, _)| *name == found).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            format!("expected {}, found '{found}'", known.join(" or "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where_what_was_expected_and_what_was_found() {
        let file = Published { file: "x.csv", text: "# origin\na,b\n1,two\n" };
        let error = file.rows(&["a"], |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "corpora/published/x.csv:2: expected the columns a, found a,b");
        let error = file.rows(&["a", "b"], |row| row.number::<u64>(1)).unwrap_err();
        assert_eq!(error.to_string(), "corpora/published/x.csv:3: expected a number, found 'two'");
        let error = file.rows(&["a", "b"], |row| row.one_of(1, &[("one", 1), ("none", 0)])).unwrap_err();
        assert_eq!(error.to_string(), "corpora/published/x.csv:3: expected one or none, found 'two'");
    }
}

//! Comma-separated values, as RFC 4180 says, with line feeds. `records.csv` has the bytes of `results.csv`.

use std::fs::File;
use std::io::BufWriter;

use csv::{Terminator, WriterBuilder};
use reports::{Dataset, results};

use crate::ExportError;
use crate::output::Output;
use crate::table::{self, Cells, Table};

pub(crate) fn write(dataset: &Dataset, output: &mut Output) -> Result<Vec<String>, ExportError> {
    output.file("records.csv", |path| {
        File::create(path)
            .and_then(|file| results::write_results(dataset, BufWriter::new(file)))
            .map_err(|source| ExportError::Write { path: path.to_owned(), source })
    })?;
    for table in [table::tasks(dataset), table::strategies(dataset)] {
        output.file(&format!("{}.csv", table.name), |path| {
            rows(&table, path)
                .map_err(|source| ExportError::Write { path: path.to_owned(), source: source.into() })
        })?;
    }
    Ok(Vec::new())
}

fn rows(table: &Table, path: &std::path::Path) -> Result<(), csv::Error> {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_path(path)?;
    writer.write_record(table.columns.iter().map(|column| &column.name))?;
    for row in 0..table.rows() {
        writer.write_record(table.columns.iter().map(|column| cell(&column.cells, row)))?;
    }
    writer.flush()?;
    Ok(())
}

fn cell(cells: &Cells, row: usize) -> String {
    match cells {
        Cells::Text(cells) => cells[row].clone(),
        Cells::Count(cells) => cells[row].map(|count| count.to_string()),
        Cells::Seconds(cells) => cells[row].map(|seconds| format!("{seconds:.9}")),
    }
    .unwrap_or_default()
}

//! Apache Parquet: text is UTF-8, seconds are doubles, counts unsigned integers of 64 bits; every column may
//! be null.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use reports::Dataset;

use crate::ExportError;
use crate::output::Output;
use crate::table::{self, Cells, Table};

/// Rows that are encoded at a time.
const GROUP: usize = 100_000;

pub(crate) fn write(dataset: &Dataset, output: &mut Output) -> Result<Vec<String>, ExportError> {
    for table in table::all(dataset) {
        output.file(&format!("{}.parquet", table.name), |path| fill(&table, path))?;
    }
    Ok(Vec::new())
}

fn fill(table: &Table, path: &Path) -> Result<(), ExportError> {
    let file = File::create(path).map_err(|source| ExportError::Write { path: path.to_owned(), source })?;
    encode(table, file).map_err(|error| match error {
        ParquetError::External(reason) => match reason.downcast::<std::io::Error>() {
            Ok(source) => ExportError::Write { path: path.to_owned(), source: *source },
            Err(reason) => ExportError::Encode { path: path.to_owned(), reason: reason.to_string() },
        },
        error => ExportError::Encode { path: path.to_owned(), reason: error.to_string() },
    })
}

fn encode(table: &Table, file: File) -> Result<(), ParquetError> {
    let columns = table.columns.iter().map(|column| schema(&column.name, &column.cells));
    let root =
        Type::group_type_builder(table.name).with_fields(columns.collect::<Result<_, _>>()?).build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("harness {}", env!("CARGO_PKG_VERSION")))
        .build();
    let mut writer = SerializedFileWriter::new(file, Arc::new(root), Arc::new(properties))?;
    let mut start = 0;
    loop {
        let end = table.rows().min(start + GROUP);
        let mut group = writer.next_row_group()?;
        for column in &table.columns {
            column_of(&mut group, &column.cells, start..end)?;
        }
        group.close()?;
        start = end;
        if start == table.rows() {
            break;
        }
    }
    writer.close()?;
    Ok(())
}

fn schema(name: &str, cells: &Cells) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match cells {
        Cells::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Cells::Count(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Cells::Seconds(_) => (Physical::DOUBLE, None),
    };
    let column = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    column.build().map(Arc::new)
}

/// Whether each cell is there, and those that are.
fn split<T, V>(cells: &[Option<T>], value: impl Fn(&T) -> V) -> (Vec<i16>, Vec<V>) {
    let levels = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    (levels, cells.iter().flatten().map(value).collect())
}

fn column_of(
    group: &mut SerializedRowGroupWriter<'_, File>,
    cells: &Cells,
    rows: std::ops::Range<usize>,
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has fewer columns than the table".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    match cells {
        Cells::Text(cells) => {
            let (levels, values) = split(&cells[rows], |text| ByteArray::from(text.as_str()));
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
        Cells::Count(cells) => {
            // The bits of an unsigned number: the logical type says so.
            let (levels, values) = split(&cells[rows], |count| count.cast_signed());
            column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        Cells::Seconds(cells) => {
            let (levels, values) = split(&cells[rows], |seconds| *seconds);
            column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    column.close()
}

//! A table of figures, written alike as CSV for spreadsheets and as Parquet for data frames.
//!
//! Invariant: equal rows give equal bytes, and memory holds one row group at a time.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::WriteError;

/// Rows that are written together.
const GROUP: usize = 1 << 15;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Text,
    Whole,
    Real,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Whole(i64),
    Real(f64),
    /// There is none.
    Nothing,
}

/// Writes the same rows to two places.
pub struct Sheet<W: Write + Send> {
    columns: Vec<(String, Column)>,
    csv: csv::Writer<W>,
    parquet: SerializedFileWriter<W>,
    rows: Vec<Vec<Value>>,
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Real(number)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Whole(number as i64)
    }
}

impl<W: Write + Send> Sheet<W> {
    pub fn new(columns: Vec<(String, Column)>, csv: W, parquet: W) -> Result<Sheet<W>, WriteError> {
        let mut csv = csv::Writer::from_writer(csv);
        csv.write_record(columns.iter().map(|(name, _)| name))?;
        let fields = columns.iter().map(|(name, column)| field(name, *column).map(Arc::new));
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("lair").with_fields(fields).build()?;
        let about = WriterProperties::builder().set_created_by("lair".into()).build();
        let parquet = SerializedFileWriter::new(parquet, Arc::new(schema), Arc::new(about))?;
        Ok(Sheet { columns, csv, parquet, rows: Vec::new() })
    }

    /// As many values as there are columns, each of its column's type.
    pub fn row(&mut self, row: Vec<Value>) -> Result<(), WriteError> {
        self.csv.write_record(row.iter().map(|value| match value {
            Value::Text(text) => text.clone(),
            Value::Whole(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Nothing => String::new(),
        }))?;
        self.rows.push(row);
        if self.rows.len() == GROUP { self.end_group() } else { Ok(()) }
    }

    pub fn finish(mut self) -> Result<[W; 2], WriteError> {
        if !self.rows.is_empty() {
            self.end_group()?;
        }
        let csv = self.csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
        Ok([csv, self.parquet.into_inner()?])
    }

    fn end_group(&mut self) -> Result<(), WriteError> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.parquet.next_row_group()?;
        for (at, (_, column)) in self.columns.iter().enumerate() {
            let Some(mut writer) = group.next_column()? else { break };
            write(&mut writer, *column, rows.iter().filter_map(|row| row.get(at)))?;
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

fn field(name: &str, column: Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column {
        Column::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Column::Whole => (Physical::INT64, None),
        Column::Real => (Physical::DOUBLE, None),
    };
    let builder = Type::primitive_type_builder(name, physical);
    builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()
}

/// One column of a row group.
fn write<'v>(
    writer: &mut SerializedColumnWriter,
    column: Column,
    values: impl Iterator<Item = &'v Value> + Clone,
) -> Result<(), ParquetError> {
    let there: Vec<i16> = values.clone().map(|value| i16::from(*value != Value::Nothing)).collect();
    match column {
        Column::Text => {
            let text = |value: &Value| match value {
                Value::Text(text) => Some(ByteArray::from(text.as_str())),
                _ => None,
            };
            let texts: Vec<ByteArray> = values.filter_map(text).collect();
            writer.typed::<ByteArrayType>().write_batch(&texts, Some(&there), None)?;
        }
        Column::Whole => {
            let whole = |value: &Value| match value {
                Value::Whole(number) => Some(*number),
                _ => None,
            };
            let numbers: Vec<i64> = values.filter_map(whole).collect();
            writer.typed::<Int64Type>().write_batch(&numbers, Some(&there), None)?;
        }
        Column::Real => {
            let real = |value: &Value| match value {
                Value::Real(number) => Some(*number),
                _ => None,
            };
            let numbers: Vec<f64> = values.filter_map(real).collect();
            writer.typed::<DoubleType>().write_batch(&numbers, Some(&there), None)?;
        }
    }
    Ok(())
}

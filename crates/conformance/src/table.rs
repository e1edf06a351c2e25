//! Tables with a header line and tabs between columns.

use crate::{Data, Error};

/// A table; each row has as many cells as the header.
#[derive(Debug)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a file.
    ///
    /// # Errors
    /// The file is missing or empty.
    pub fn read(data: &Data, name: &str) -> Result<Table, Error> {
        let text = data.text(name)?;
        let split = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines().filter(|l| !l.is_empty());
        let columns = split(lines.next().ok_or("the table is empty")?);
        Ok(Table { columns, rows: lines.map(split).collect() })
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { columns: &self.columns, cells })
    }
}

/// A row of a [`Table`].
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    columns: &'a [String],
    cells: &'a [String],
}

impl<'a> Row<'a> {
    /// The text of a column; a missing cell is empty.
    pub fn get(&self, column: &str) -> &'a str {
        let at = self.columns.iter().position(|c| c == column);
        at.and_then(|c| self.cells.get(c)).map_or("", String::as_str)
    }
}

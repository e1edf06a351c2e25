//! Tables with a header line and tabs between columns.

use std::error::Error;
use std::path::Path;

/// A table; each row has as many cells as the header.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Table, Box<dyn Error>> {
        let text = std::fs::read_to_string(path)?;
        let split = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines().filter(|l| !l.is_empty());
        let columns = split(lines.next().ok_or("the table is empty")?);
        Ok(Table { columns, rows: lines.map(split).collect() })
    }

    /// The rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { columns: &self.columns, cells })
    }
}

/// A row of a [`Table`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    columns: &'a [String],
    cells: &'a [String],
}

impl<'a> Row<'a> {
    /// The text of a column; a missing cell is empty.
    pub(crate) fn get(&self, column: &str) -> &'a str {
        let at = self.columns.iter().position(|c| c == column);
        at.and_then(|c| self.cells.get(c)).map_or("", String::as_str)
    }
}

//! Mnemonics, and their candidate rows.

use super::source_text::Piece;
use crate::Pica200;
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_rows::{Form, Isa, nearest};

/// A row.
pub(super) type Row = &'static Form<Pica200>;

/// A mnemonic in lower case as a number, so that comparisons are cheap; `None` if it is too long for one.
const fn key(name: &str) -> Option<u64> {
    let (bytes, mut key, mut i) = (name.as_bytes(), 0, 0);
    if bytes.len() > 8 {
        return None;
    }
    while i < bytes.len() {
        key = key << 8 | bytes[i].to_ascii_lowercase() as u64;
        i += 1;
    }
    Some(key)
}

/// A mnemonic with its candidate rows.
#[derive(Clone, Copy)]
pub(super) struct Mnemonic {
    key: u64,
    pub(super) row: Row,
    /// The row that reaches the constants with a later source.
    pub(super) inverted: Option<Row>,
}

/// All mnemonics. Rows that differ only in which source reaches the constants have both names.
pub(super) struct Mnemonics(Vec<Mnemonic>);

impl Mnemonics {
    pub(super) fn new() -> Mnemonics {
        let keyed = |row: Row| Some(Mnemonic { key: key(row.name)?, row, inverted: None });
        let mut all: Vec<Mnemonic> = Pica200::table().forms().iter().filter_map(keyed).collect();
        for i in 0..all.len() {
            let inverted = all[i];
            let straight =
                inverted.row.attr.twin.and_then(|twin| all.iter().position(|m| m.row.name == twin));
            if let Some(straight) = straight {
                all[straight].inverted = Some(inverted.row);
                all[i] = Mnemonic { key: inverted.key, ..all[straight] };
            }
        }
        Mnemonics(all)
    }

    pub(super) fn find(&self, name: &str) -> Option<Mnemonic> {
        let key = key(name)?;
        self.0.iter().find(|m| m.key == key).copied()
    }
}

/// The error for a name that is not a mnemonic.
pub(super) fn unknown(name: Piece<'_>) -> Diagnostic {
    let d = name.error("pica-unknown-instruction", "unknown instruction");
    match nearest(name.text, Pica200::table().forms().iter().map(|f| f.name)) {
        _ if name.is("jmp") => d.help("there is no unconditional jump; jmpu jumps by a boolean uniform"),
        _ if name.is("loop") => d.help("loops are opened with for and closed with .end"),
        _ if name.is("sub") => d.help("add a source with a minus sign"),
        Some(near) => d.did_you_mean(near),
        None => d,
    }
}

//! Parts of a file, and their bytes.

use crate::container::{Layout, Shbin};
use core::ops::Range;

/// A part of a file. Numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// All words or descriptors.
    Pool,
    /// The kind of a program.
    Stage,
    /// The word that a program begins with, as in its header.
    Entry,
    /// The end of the main procedure, as in the header.
    End,
    /// The mask of inputs.
    Inputs,
    /// The mask of outputs.
    OutputMask,
    /// The geometry mode and its numbers.
    GeometryMode,
    /// An entry of the table of constants.
    Constant(u32),
    /// An entry of the table of labels.
    Label(u32),
    /// An entry of the table of outputs.
    Output(u32),
    /// An entry of the table of uniforms, which also names inputs.
    Uniform(u32),
    /// A word.
    Word(u32),
}

/// The offsets of a file's parts.
pub(super) struct Places<'a> {
    file: &'a Shbin,
    layout: Layout,
}

impl<'a> Places<'a> {
    pub(super) fn of(file: &'a Shbin) -> Places<'a> {
        Places { file, layout: file.layout.clone().unwrap_or_else(|| Layout::of(file)) }
    }

    /// The bytes of a part of a program.
    pub(super) fn bytes(&self, program: Option<usize>, subject: Subject) -> Option<Range<usize>> {
        let pool = 8 + 4 * self.file.programs.len();
        let run = |start: usize, len: usize| Some(start..start + len);
        match subject {
            Subject::Word(n) => return run(pool + self.layout.pool[0] as usize + 4 * n as usize, 4),
            // The counts of words and of descriptors.
            Subject::Pool => return run(pool + 8, 16),
            _ => {}
        }
        let place = self.layout.programs.get(program?)?;
        let header = place.at as usize;
        let entry = |table: usize, bytes: usize, n: u32| {
            run(header + place.tables[table] as usize + bytes * n as usize, bytes)
        };
        match subject {
            Subject::Stage => run(header + 6, 1),
            Subject::Entry => run(header + 8, 4),
            Subject::End => run(header + 12, 4),
            Subject::Inputs => run(header + 16, 2),
            Subject::OutputMask => run(header + 18, 2),
            Subject::GeometryMode => run(header + 20, 4),
            Subject::Constant(n) => entry(0, 20, n),
            Subject::Label(n) => entry(1, 16, n),
            Subject::Output(n) => entry(2, 8, n),
            Subject::Uniform(n) => entry(3, 8, n),
            Subject::Pool | Subject::Word(_) => None,
        }
    }
}

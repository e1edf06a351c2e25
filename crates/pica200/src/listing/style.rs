//! How literally each part of a file is written.

use crate::container::{Dvle, Shbin};
use alloc::vec::Vec;

/// How an instruction is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Saying {
    /// As in handwritten source.
    #[default]
    Plain,
    /// With the number of its descriptor.
    Numbered,
    /// As a word.
    Word,
}

/// How registers that the assembler allocates are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Given {
    /// Declared; the assembler chooses.
    #[default]
    Declared,
    /// Declared with their registers.
    Placed,
    /// As entries of their table.
    Entries,
}

impl Given {
    fn more(&mut self) -> bool {
        let before = *self;
        *self = match *self {
            Given::Declared => Given::Placed,
            _ => Given::Entries,
        };
        *self != before
    }
}

/// The part that a line represents, which is written differently if the assembler refuses the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A word.
    Word(usize),
    /// Blocks and procedures.
    Shape,
    /// The number of words.
    Length,
    /// The line that begins a program, and its mode.
    Head(usize),
    /// The entry of a program.
    Entry(usize),
    /// Its constants.
    Constants(usize),
    /// Its outputs.
    Outputs(usize),
    /// Its inputs and uniforms.
    Uniforms(usize),
}

/// How a program is written; `true` is literally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProgramStyle {
    pub(super) head: bool,
    pub(super) entry: bool,
    pub(super) masks: bool,
    pub(super) constants: Given,
    pub(super) outputs: bool,
    pub(super) uniforms: Given,
    pub(super) symbols: bool,
    /// No names for entries of tables; nothing uses them.
    pub(super) nameless: bool,
}

/// How a file is written; `true` is literally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) pool: bool,
    pub(super) descriptors: bool,
    /// No NOPs are inserted.
    pub(super) unpadded: bool,
    pub(super) names: bool,
    /// Blocks and labels are word numbers.
    pub(super) flat: bool,
    pub(super) words: Vec<Saying>,
    pub(super) programs: Vec<ProgramStyle>,
}

impl Style {
    /// As in handwritten source.
    pub(super) fn plain(file: &Shbin) -> Style {
        Style {
            pool: file.version != 0 || file.programs.is_empty(),
            // picasso gives every descriptor these flags, and never the highest bit.
            descriptors: file.descriptors.iter().any(|d| d.flags != 0 || d.bits >> 31 != 0),
            unpadded: false,
            names: false,
            flat: false,
            words: alloc::vec![Saying::Plain; file.code.len()],
            programs: alloc::vec![ProgramStyle::default(); file.programs.len()],
        }
    }

    /// Everything literally.
    pub(super) fn literal(file: &Shbin) -> Style {
        let program = ProgramStyle {
            head: true,
            entry: true,
            masks: true,
            constants: Given::Entries,
            outputs: true,
            uniforms: Given::Entries,
            symbols: true,
            nameless: true,
        };
        Style {
            pool: true,
            descriptors: true,
            unpadded: true,
            names: true,
            flat: true,
            words: alloc::vec![Saying::Word; file.code.len()],
            programs: alloc::vec![program; file.programs.len()],
        }
    }

    /// Writes more literally what the assembler refused; returns whether that is possible. Names and shapes come
    /// first: if they are wrong, the words that use them are, too.
    pub(super) fn refused(&mut self, owners: &[Owner]) -> bool {
        let word = |o: &&Owner| matches!(o, Owner::Word(_));
        let around = owners.iter().filter(|o| !word(o)).fold(false, |changed, o| self.say(*o) | changed);
        around || owners.iter().filter(word).fold(false, |changed, o| self.say(*o) | changed)
    }

    fn say(&mut self, owner: Owner) -> bool {
        match owner {
            Owner::Word(n) => self.words.get_mut(n).is_some_and(|w| {
                let before = *w;
                *w = Saying::Word;
                before != Saying::Word
            }),
            Owner::Length => set(&mut self.pool),
            Owner::Shape => set(&mut self.flat),
            Owner::Head(p) => self.of(p, |s| set(&mut s.head)),
            Owner::Entry(p) => self.of(p, |s| set(&mut s.entry)),
            Owner::Constants(p) => self.of(p, |s| s.constants.more()),
            Owner::Outputs(p) => self.of(p, |s| set(&mut s.outputs)),
            Owner::Uniforms(p) => self.of(p, |s| s.uniforms.more()),
        }
    }

    fn of(&mut self, program: usize, change: impl FnOnce(&mut ProgramStyle) -> bool) -> bool {
        self.programs.get_mut(program).is_some_and(change)
    }

    /// Writes more literally what differs after assembling; returns whether anything changed.
    pub(super) fn differs(&mut self, file: &Shbin, back: &Shbin) -> bool {
        if back.programs.len() != file.programs.len() {
            return false;
        }
        let mut changed = file.version != back.version && set(&mut self.pool);
        changed |= (&file.names, &file.lines) != (&back.names, &back.lines) && set(&mut self.names);
        for ((style, old), new) in self.programs.iter_mut().zip(&file.programs).zip(&back.programs) {
            changed |= style.differs(old, new);
        }
        // Words name registers and state the lengths of blocks; they are compared once the rest is right.
        changed
            || file.code.len() != back.code.len() && set(&mut self.unpadded)
            || file.descriptors != back.descriptors && set(&mut self.descriptors)
            || self.words_differ(file, back)
            || file.code != back.code && set(&mut self.flat)
    }

    fn words_differ(&mut self, file: &Shbin, back: &Shbin) -> bool {
        let mut changed = false;
        for ((saying, old), new) in self.words.iter_mut().zip(&file.code).zip(&back.code) {
            let number = (old ^ new) & !crate::word::number_bits(*old) == 0;
            let next = match old == new {
                true => continue,
                false if number && *saying == Saying::Plain => Saying::Numbered,
                false => Saying::Word,
            };
            changed |= *saying < next;
            *saying = next.max(*saying);
        }
        // Numbers are fixed only if the descriptors are stated.
        changed |= self.words.contains(&Saying::Numbered) && set(&mut self.descriptors);
        changed
    }
}

impl ProgramStyle {
    /// Parts that others depend on come first.
    fn differs(&mut self, old: &Dvle, new: &Dvle) -> bool {
        let head = |d: &Dvle| (d.version, d.kind, d.flags, d.geometry);
        let runs = |d: &Dvle| -> Vec<_> { d.uniforms.iter().map(|u| (u.first, u.last)).collect() };
        let names = |d: &Dvle| {
            let uniforms = d.uniforms.iter().map(|u| u.name);
            (uniforms.chain(d.labels.iter().map(|l| l.name)).collect::<Vec<_>>(), d.symbols.clone())
        };
        if head(old) != head(new) && set(&mut self.head)
            || runs(old) != runs(new) && self.uniforms.more()
            || names(old) != names(new) && (self.uniforms.more() || set(&mut self.symbols))
        {
            return true;
        }
        let mut changed = old.constants != new.constants && self.constants.more();
        changed |= old.outputs != new.outputs && set(&mut self.outputs);
        changed |= (old.entry, old.end) != (new.entry, new.end) && set(&mut self.entry);
        let masks = |d: &Dvle| (d.inputs, d.output_mask);
        changed || masks(old) != masks(new) && set(&mut self.masks)
    }
}

fn set(flag: &mut bool) -> bool {
    !core::mem::replace(flag, true)
}

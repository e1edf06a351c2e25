//! The programs that executions have shown.

use super::value::{Origin, Text};
use shisa_ir::Stage;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// The programs that executions have shown, and what they did with strings.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    /// Programs that an assembler or the player received.
    pub(crate) programs: Vec<Shown>,
    index: HashMap<(u64, Option<Stage>), usize>,
    /// A vertex and a fragment program that were uploaded together.
    pub(crate) pairs: BTreeSet<(usize, usize)>,
    /// Strings that were built and stored.
    texts: HashMap<u64, Rc<Text>>,
    /// Strings that were made longer.
    extended: HashSet<u64>,
    /// Constants that were made longer.
    pub(crate) joined: HashSet<Origin>,
}

/// A program that an assembler or the player received.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) content: Shape,
    pub(crate) stage: Option<Stage>,
    pub(crate) version: Option<u32>,
}

/// The form of a program.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Source(Rc<Text>),
    Program(Vec<u8>),
}

/// Most strings that are stored.
const MAX_TEXTS: usize = 1 << 14;

fn hash(of: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

impl Catalogue {
    /// Records a source that was passed to an assembler; returns its number.
    pub(crate) fn source(&mut self, text: &Rc<Text>, stage: Option<Stage>, version: Option<u32>) -> usize {
        let shape = Shape::Source(Rc::clone(text));
        self.add(hash(text.text.as_str()), Shown { content: shape, stage, version })
    }

    /// Records a program that was uploaded.
    pub(crate) fn program(&mut self, bytes: &[u8], stage: Stage, version: u32) -> usize {
        let shape = Shape::Program(bytes.to_vec());
        self.add(hash(bytes), Shown { content: shape, stage: Some(stage), version: Some(version) })
    }

    fn add(&mut self, hash: u64, shown: Shown) -> usize {
        let next = self.programs.len();
        let number = *self.index.entry((hash, shown.stage)).or_insert(next);
        if number == next {
            self.programs.push(shown);
        }
        number
    }

    /// Whether a source was passed to an assembler.
    pub(crate) fn has(&self, text: &str) -> bool {
        let hash = hash(text);
        [None, Some(Stage::Vertex), Some(Stage::Fragment)]
            .iter()
            .any(|s| self.index.contains_key(&(hash, *s)))
    }

    /// Records a string that was stored in a variable, or returned.
    pub(crate) fn kept(&mut self, text: &Rc<Text>) {
        if text.parts > 1 && self.texts.len() < MAX_TEXTS {
            self.texts.entry(hash(text.text.as_str())).or_insert_with(|| Rc::clone(text));
        }
    }

    /// Records that a string was made longer.
    pub(crate) fn extended(&mut self, text: &Text) {
        match text.first {
            Some(origin) if text.parts <= 1 => {
                self.joined.insert(origin);
            }
            _ if self.extended.len() < MAX_TEXTS => {
                self.extended.insert(hash(text.text.as_str()));
            }
            _ => {}
        }
    }

    /// The strings that were stored and never made longer.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &Rc<Text>> {
        self.texts.iter().filter(|(hash, _)| !self.extended.contains(hash)).map(|(_, text)| text)
    }
}

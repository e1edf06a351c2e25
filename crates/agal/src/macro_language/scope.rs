//! The meaning of names: registers, aliases, parameters, constants.

use super::expression::Register;
use alloc::{collections::BTreeMap, format, string::String};
use shisa_diag::Span;

/// A register with components, as it is written to the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Operand {
    /// `ft0`, `vc[va0.x+4]`.
    pub(super) register: String,
    /// Component letters; none means all four.
    pub(super) components: String,
    pub(super) span: Span,
}

impl Operand {
    /// Its text.
    pub(super) fn text(&self) -> String {
        match self.components.as_str() {
            "" => self.register.clone(),
            letters => format!("{}.{letters}", self.register),
        }
    }

    /// The components that a write to it changes, one bit each.
    pub(super) fn mask(&self) -> u8 {
        match self.components.bytes().fold(0, |m, c| m | position(c).map_or(0, |i| 1 << i)) {
            0 => 15,
            mask => mask,
        }
    }

    /// Whether it is a temporary, which can be read back.
    pub(super) fn is_temporary(&self) -> bool {
        temporary(&self.register).is_some()
    }

    /// The register, swizzled such that each component of `mask` reads itself and the other components repeat those.
    pub(super) fn read_back(&self, mask: u8) -> Operand {
        let mut letters = String::new();
        let mut last = (0..4).find(|i| mask >> i & 1 != 0).unwrap_or(0);
        for i in 0..4 {
            if mask >> i & 1 != 0 {
                last = i;
            }
            letters.push(LETTERS[last]);
        }
        let end = letters.trim_end_matches(LETTERS[last]).len() + 1;
        letters.truncate(end);
        let components = if mask & 15 == 15 { String::new() } else { letters };
        Operand { components, ..self.clone() }
    }

    /// The first component that a write to it changes and that reads another component if the same text is a source,
    /// and that other component.
    pub(super) fn other_read(&self) -> Option<(char, char)> {
        let last = self.components.len().checked_sub(1)?;
        let read = |i: usize| self.components.chars().nth(i.min(last));
        let written = (0..4).filter(|i| self.mask() >> i & 1 != 0);
        written.filter_map(|i| Some((LETTERS[i], read(i)?))).find(|(own, read)| own != read)
    }

    /// Selects `components` from this operand's own components.
    fn pick(mut self, components: &str) -> Operand {
        if components.is_empty() {
            return self;
        }
        let own = self.components.as_bytes();
        let letter = |c: u8| {
            let at = position(c)?.min(own.len().checked_sub(1)?);
            own.get(at).map(|b| char::from(*b))
        };
        let picked: Option<String> = components.bytes().map(letter).collect();
        self.components = picked.unwrap_or_else(|| components.into());
        self
    }
}

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The index of a component letter.
fn position(letter: u8) -> Option<usize> {
    b"xyzw".iter().position(|l| *l == letter)
}

/// The letters of a mask; empty for all four.
pub(super) fn letters(mask: u8) -> String {
    if mask & 15 == 15 {
        return String::new();
    }
    (0..4).filter(|i| mask >> i & 1 != 0).map(|i| LETTERS[i]).collect()
}

/// The number of a temporary, from its name.
pub(super) fn temporary(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("vt").or(name.strip_prefix("ft"))?;
    if digits.is_empty() { Some(0) } else { digits.parse().ok() }
}

/// Names that are valid in a part of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'s> {
    /// Parameters of the macro whose body is being written.
    pub(super) parameters: BTreeMap<&'s str, Operand>,
    /// The meaning of `out` there.
    pub(super) out: Option<Operand>,
}

/// Aliases and constants, which are valid in the whole program.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'s> {
    pub(super) aliases: BTreeMap<&'s str, Operand>,
    /// Whether components of a name that has components already are ignored, as Adobe's tool does.
    whole: bool,
    /// The bits of numbers, with the component that holds them.
    constants: BTreeMap<u64, Operand>,
}

/// The bits of a number, equal for both zeros.
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

impl Names<'_> {
    /// No names; `whole` is the field.
    pub(super) fn new(whole: bool) -> Self {
        Names { whole, ..Names::default() }
    }

    /// Records that a component holds a number. The first such component is used.
    pub(super) fn declare(&mut self, value: f64, component: Operand) {
        self.constants.entry(bits(value)).or_insert(component);
    }

    /// The meaning of a register as written.
    pub(super) fn resolve(&self, scope: &Scope<'_>, register: &Register<'_>) -> Operand {
        let named = match register.name {
            "out" => scope.out.as_ref(),
            name => scope.parameters.get(name).or(self.aliases.get(name)),
        };
        let span = register.span;
        let mut base = match named {
            Some(operand) => Operand { span, ..operand.clone() },
            None => Operand { register: register.name.into(), components: String::new(), span },
        };
        if let Some((index, offset)) = register.index {
            let (name, components) = index.split_once('.').unwrap_or((index, ""));
            let index = self.resolve(scope, &Register { name, components, index: None, span });
            let plus = if offset.is_empty() { "" } else { "+" };
            base.register = format!("{}[{}{plus}{offset}]", base.register, index.text());
        }
        if self.whole && !base.components.is_empty() { base } else { base.pick(register.components) }
    }

    /// The component that holds a number.
    pub(super) fn constant(&self, value: f64, span: Span) -> Option<Operand> {
        let found = self.constants.get(&bits(value))?;
        Some(Operand { span, ..found.clone() })
    }
}

//! Values of attributes as JSON.

use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use serde_json::Value;
use shisa_ir::Scalar;
use shisa_maxwell::{ATTRIBUTE_BYTES, Attribute};
use std::collections::BTreeMap;

/// A value: words in hexadecimal, a number for each component, a single number, or a truth value.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Given {
    Words(String),
    Numbers(Vec<f64>),
    Number(f64),
    Truth(bool),
}

/// Values of attributes by name.
pub(super) type Named = BTreeMap<String, Given>;

impl Given {
    /// The bits of the components: a number is converted to the attribute's kind.
    fn bits(&self, name: &str, attribute: &Attribute) -> Result<Vec<u32>> {
        let number = |n: &f64| match attribute.scalar {
            Scalar::F32 => (*n as f32).to_bits(),
            _ => *n as i64 as u32,
        };
        let bits: Vec<u32> = match self {
            Given::Words(text) => {
                let words = text.split_ascii_whitespace().map(|word| u32::from_str_radix(word, 16));
                let words: std::result::Result<_, _> = words.collect();
                words.map_err(|_| wrong(format!("{name}: the words are not hexadecimal")))?
            }
            Given::Numbers(all) => all.iter().map(number).collect(),
            Given::Number(n) => vec![number(n)],
            Given::Truth(held) => vec![u32::from(*held)],
        };
        if bits.len() > usize::from(attribute.count) {
            let text = format!("{name} has {} components, {} given", attribute.count, bits.len());
            return Err(wrong(text));
        }
        Ok(bits)
    }
}

/// The attributes of a vertex or pixel, or those of a patch, by name.
pub(super) struct Names(Vec<Attribute>);

impl Names {
    pub(super) fn vertex() -> Names {
        Names(Attribute::all())
    }

    pub(super) fn patch() -> Names {
        Names(Attribute::of_patch())
    }

    /// The components that a value sets, with their bits.
    ///
    /// # Errors
    /// `run-input` for a name that does not exist, and for too many components.
    pub(super) fn components(&self, name: &str, given: &Given) -> Result<Vec<(u16, u32)>> {
        let attribute = self.0.iter().find(|attribute| attribute.name == name).ok_or_else(|| {
            let found = shisa_diag::escape(name);
            wrong(format!("there is no attribute \"{found}\"; names are such as position and generic0"))
        })?;
        Ok((attribute.first..).zip(given.bits(name, attribute)?).collect())
    }

    /// All components that values set, by number.
    ///
    /// # Errors
    /// Those of [`Names::components`].
    pub(super) fn all(&self, given: &Named) -> Result<BTreeMap<u16, u32>> {
        let each = given.iter().map(|(name, given)| self.components(name, given));
        Ok(each.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The attributes that have some of these components, as words in hexadecimal. Components after the last one that
    /// is there are left out; others are zero.
    pub(super) fn text(&self, components: &BTreeMap<u16, u32>) -> Value {
        let text = |attribute: &Attribute| {
            let end = attribute.first + u16::from(attribute.count);
            let last = components.range(attribute.first..end).next_back()?.0;
            let word = |n| format!("{:08x}", components.get(&n).copied().unwrap_or(0));
            let words: Vec<String> = (attribute.first..=*last).map(word).collect();
            Some((attribute.name.to_string(), Value::from(words.join(" "))))
        };
        Value::Object(self.0.iter().filter_map(text).collect())
    }

    /// The components of all attributes.
    pub(super) fn numbers() -> std::ops::Range<u16> {
        0..ATTRIBUTE_BYTES / 4
    }
}

//! Numbers in the buffers of glTF.

use super::document::{Document, wrong};
use shisa_diag::{Diagnostic, Limit, Limits};

type Read<T> = Result<T, Diagnostic>;

/// The buffers of a file.
pub(super) struct Data<'d> {
    pub(super) document: &'d Document,
    pub(super) buffers: &'d [Vec<u8>],
    pub(super) limits: &'d Limits,
}

/// The kind of a number.
#[derive(Clone, Copy)]
enum Kind {
    Byte,
    UnsignedByte,
    Short,
    UnsignedShort,
    UnsignedInt,
    Float,
}

impl Kind {
    fn of(number: u32) -> Option<Kind> {
        Some(match number {
            5120 => Kind::Byte,
            5121 => Kind::UnsignedByte,
            5122 => Kind::Short,
            5123 => Kind::UnsignedShort,
            5125 => Kind::UnsignedInt,
            5126 => Kind::Float,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Kind::Byte | Kind::UnsignedByte => 1,
            Kind::Short | Kind::UnsignedShort => 2,
            Kind::UnsignedInt | Kind::Float => 4,
        }
    }

    /// A number from its bytes, from -1 or 0 to 1 if it is normalised.
    fn number(self, bytes: &[u8], normalized: bool) -> f64 {
        let bits = bytes.iter().rev().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        let (value, most) = match self {
            Kind::Byte => (f64::from(bits as u8 as i8), f64::from(i8::MAX)),
            Kind::UnsignedByte => (f64::from(bits as u8), f64::from(u8::MAX)),
            Kind::Short => (f64::from(bits as u16 as i16), f64::from(i16::MAX)),
            Kind::UnsignedShort => (f64::from(bits as u16), f64::from(u16::MAX)),
            Kind::UnsignedInt => (f64::from(bits), f64::from(u32::MAX)),
            Kind::Float => return f32::from_bits(bits).into(),
        };
        if normalized { (value / most).max(-1.0) } else { value }
    }
}

/// How many components a type has.
fn components(name: &str) -> Option<usize> {
    ["SCALAR", "VEC2", "VEC3", "VEC4"].iter().position(|own| *own == name).map(|n| n + 1)
}

impl Data<'_> {
    /// The elements of an accessor, each with its components.
    ///
    /// # Errors
    /// `mesh-gltf` for an accessor that does not exist, is sparse or ends past its buffer; `limit-exceeded`.
    pub(super) fn elements(&self, number: usize) -> Read<Vec<Vec<f64>>> {
        let fault = |what: String| wrong(format!("accessor {number} {what}"));
        let found = self.document.accessors.get(number);
        let accessor = found.ok_or_else(|| fault("does not exist".into()))?;
        if accessor.sparse.is_some() {
            return Err(fault("is sparse, which is not supported".into()));
        }
        let kind = Kind::of(accessor.component_type);
        let kind = kind.ok_or_else(|| fault(format!("has numbers of kind {}", accessor.component_type)))?;
        let name = shisa_diag::escape(&accessor.kind).to_string();
        let count =
            components(&accessor.kind).ok_or_else(|| fault(format!("has elements of type {name}")))?;
        let view = accessor.buffer_view.and_then(|view| self.document.buffer_views.get(view));
        let view = view.ok_or_else(|| fault("has no buffer view".into()))?;
        let size = count * kind.bytes();
        let bytes =
            accessor.count.saturating_mul(count).saturating_mul(size_of::<f64>() + size_of::<Vec<f64>>());
        self.limits.check(Limit::Memory, "bytes of an accessor", bytes)?;
        let stride = view.byte_stride.unwrap_or(size).max(1);
        let buffer = self.buffers.get(view.buffer).map(Vec::as_slice);
        let range = view.byte_offset.checked_add(view.byte_length).map(|end| view.byte_offset..end);
        let range = buffer.zip(range).and_then(|(buffer, range)| buffer.get(range));
        let range = range.ok_or_else(|| fault("has a view past the end of its buffer".into()))?;
        let element = |n: usize| {
            let start = n.checked_mul(stride).and_then(|at| at.checked_add(accessor.byte_offset));
            let bytes = start.and_then(|start| range.get(start..start.checked_add(size)?));
            let bytes = bytes.ok_or_else(|| fault(format!("has element {n} past the end of its view")))?;
            Ok(bytes.chunks(kind.bytes()).map(|bytes| kind.number(bytes, accessor.normalized)).collect())
        };
        (0..accessor.count).map(element).collect()
    }
}

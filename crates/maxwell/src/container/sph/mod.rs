//! Shader Program Headers: 80 bytes before graphics code (after NVIDIA's open documentation).
//!
//! Five common words are followed by the maps of attributes that the program reads and writes, which differ between
//! pixel programs and the others. One table ([`FIELDS`]) states every field; printing, parsing, checking and
//! explaining go through it.

mod attribute;
mod check;
mod field;
mod table;
mod text;

pub use attribute::{Interpolation, Mapped};
pub use field::{Field, Kind, Maps};
pub use table::FIELDS;
pub(crate) use table::{common, pixel};
pub use text::DIRECTIVE;

use crate::ShaderStage;

/// Bytes of a header.
pub const SPH_BYTES: usize = 0x50;

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sph(pub [u8; SPH_BYTES]);

impl Sph {
    /// The header at an offset; `None` if there are not enough bytes.
    pub fn at(bytes: &[u8], offset: usize) -> Option<Sph> {
        bytes.get(offset..)?.first_chunk().map(|b| Sph(*b))
    }

    /// A header of a stage in which everything is zero except the versions that compilers write.
    ///
    /// Compute programs have none.
    pub fn new(stage: ShaderStage) -> Option<Sph> {
        let number = STAGES.iter().find(|(_, s)| *s == stage)?.0;
        let kind = if stage == ShaderStage::Fragment { 2 } else { 1 };
        let mut sph = Sph([0; SPH_BYTES]);
        for (field, value) in
            [(SPH_TYPE, kind), (VERSION, 3), (SHADER_TYPE, number), (const { common("SassVersion") }, 3)]
        {
            field.set(&mut sph, 0, value);
        }
        Some(sph)
    }

    /// Whether the first word is that of a header: a known type with a stage of that type, and version 3.
    pub fn sniff(&self) -> bool {
        let kind = match self.stage() {
            Some(ShaderStage::Fragment) => 2,
            Some(_) => 1,
            None => return false,
        };
        self.value(SPH_TYPE) == kind && self.value(VERSION) == 3
    }

    /// The stage, if its number is known.
    pub fn stage(&self) -> Option<ShaderStage> {
        let number = self.value(SHADER_TYPE);
        STAGES.iter().find(|(n, _)| *n == number).map(|(_, stage)| *stage)
    }

    /// The maps that the header has, by its type.
    pub fn maps(&self) -> Maps {
        match bits(&self.0, 0, 5) {
            1 => Maps::Vtg,
            2 => Maps::Pixel,
            _ => Maps::Unknown,
        }
    }

    /// The fields that the header has, in the order of their bits.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let maps = self.maps();
        FIELDS.iter().filter(move |f| f.maps.is_none_or(|m| m == maps))
    }

    /// The value of a field that every header has.
    pub(crate) fn value(&self, field: &Field) -> u32 {
        field.get(self, 0)
    }

    /// The value of a field by its name, the first element if it has several; `None` if the header has no such field.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.element(name, 0)
    }

    /// An element of a field by the field's name; `None` if the header has none of that name or number.
    pub fn element(&self, name: &str, number: u16) -> Option<u32> {
        let field = self.fields().find(|f| f.name == name)?;
        (number < field.count).then(|| field.get(self, number))
    }
}

/// Bytes of local memory at low and at high addresses.
pub(crate) const LOCAL_SIZES: [&Field; 2] =
    [common("ShaderLocalMemoryLowSize"), common("ShaderLocalMemoryHighSize")];

const SPH_TYPE: &Field = common("SphType");
const VERSION: &Field = common("Version");
const SHADER_TYPE: &Field = common("ShaderType");

/// The numbers of [`Sph::stage`].
const STAGES: &[(u32, ShaderStage)] = &[
    (1, ShaderStage::Vertex),
    (2, ShaderStage::TessellationControl),
    (3, ShaderStage::TessellationEvaluation),
    (4, ShaderStage::Geometry),
    (5, ShaderStage::Fragment),
];

/// A run of at most 32 bits of a header.
fn bits(bytes: &[u8; SPH_BYTES], at: u16, width: u16) -> u32 {
    let first = usize::from(at / 8);
    let run = bytes.get(first..(first + 5).min(SPH_BYTES)).unwrap_or_default();
    let all = run.iter().rev().fold(0u64, |all, b| all << 8 | u64::from(*b));
    (all >> (at % 8) & ((1 << width) - 1)) as u32
}

//! Instructions as data, for consumers of listings.

use serde::Serialize;
use serde_json::{Map, Value};

/// An instruction of a program.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Instruction {
    /// The offset of its first byte, in the same count as the identity's offset of the program.
    pub offset: usize,
    /// Its bytes, or its instruction word, in hexadecimal.
    pub bytes: String,
    /// Its text; `None` for bytes that are not an instruction, if the syntax has no text for them.
    pub text: Option<String>,
    /// The registers that it reads.
    pub reads: Vec<String>,
    /// The registers that it writes.
    pub writes: Vec<String>,
    /// Fields that only this instruction set has, with the names of `docs/schema/listing.schema.json`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A register of four components, such as `vt0.xy`; `vc[]` for a register whose index is computed at run time.
pub(crate) fn vector(name: &str, access: &shisa_rows::Access) -> String {
    let components: String =
        access.components.iter().map(|i| char::from(b"xyzw"[usize::from(i & 3)])).collect();
    if access.indexed {
        format!("{name}[].{components}")
    } else {
        format!("{name}{}.{components}", access.reg.unit / 4)
    }
}

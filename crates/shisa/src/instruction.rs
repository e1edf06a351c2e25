//! Instructions for programs that read listings.

use serde::Serialize;
use serde_json::{Map, Value};

/// An instruction of a program.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Instruction {
    /// The offset of its first byte, counted as the identity counts the program's.
    pub offset: usize,
    /// Its bytes or its word, in hexadecimal.
    pub bytes: String,
    /// Its text; `None` for bytes that are no instruction, where those have no text.
    pub text: Option<String>,
    /// The registers that it reads.
    pub reads: Vec<String>,
    /// The registers that it writes.
    pub writes: Vec<String>,
    /// What only instructions of this instruction set have, by the names in `docs/schema/listing.schema.json`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A register of four components, such as `vt0.xy`; `vc[]` for one that is chosen while the program runs.
pub(crate) fn vector(name: &str, access: &shisa_rows::Access) -> String {
    let components: String =
        access.components.iter().map(|i| char::from(b"xyzw"[usize::from(i & 3)])).collect();
    if access.indexed {
        format!("{name}[].{components}")
    } else {
        format!("{name}{}.{components}", access.reg.unit / 4)
    }
}

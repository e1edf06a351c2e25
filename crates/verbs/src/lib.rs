//! What the `shisa` command and the JavaScript interface share: the options of verbs, and the parts of verbs that need
//! neither files nor an output.
//!
//! Each set of options is one structure. The command line reads it (feature `clap`), and so does JSON, in which the names
//! are in camel case: `--emulate-int64` is `emulateInt64`. Values have the same text in both.

mod assembling;
mod check;
mod chips;
mod choices;
mod diagnostics;
mod gallery;
mod listing;
mod pictures;
mod reading;
mod rendering;
mod results;
mod running;
mod source_text;
mod translating;

pub use assembling::{SyntaxName as SourceSyntax, language};
pub use check::{Found, check};
pub use chips::{ChipName, RevisionName};
pub use choices::{set_choice, set_limit};
pub use diagnostics::as_json;
pub use gallery::{EXAMPLES, Example};
pub use listing::{Listed, SyntaxName as ListingSyntax};
pub use pictures::{NamedCorners, NamedNumbers, component, set_defaults, set_values};
pub use reading::{IsaName, Reading, StageName};
pub use rendering::{Blending, NamedAttribute, Order, Rendering, rendered};
pub use results::{Identified, explained};
pub use running::{Engine, Precision, Running};
pub use source_text::text_of;
pub use translating::{
    LanguageName, OutputsName, PatchDivision, Primitive, ProductsName, Samples, TextureShape, Tile,
    Translating, Workgroup, source_map,
};

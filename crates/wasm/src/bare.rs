//! Code without a container, as emulators have it.

use crate::convert;
use crate::failure::Failure;
use crate::glue::BareCode;
use shisa::Isa;
use shisa::data::{Code, Stage};
use shisa_verbs::IsaName;

/// What bare code is, besides its bytes.
pub(crate) struct Bare {
    isa: Isa,
    stage: Option<Stage>,
    entry: u32,
    descriptors: Vec<u32>,
}

impl Bare {
    /// Reads all members of an object but the code.
    ///
    /// # Errors
    /// `usage` for a missing instruction set, for names that do not exist, and for an entry that is no index.
    pub(crate) fn new(object: &BareCode) -> Result<Bare, Failure> {
        let isa: Option<IsaName> = convert::name(&object.isa())?;
        let IsaName(isa) = isa.ok_or_else(|| Failure::usage("bare code needs `isa`"))?;
        let named = |name: String| {
            let found = Stage::ALL.into_iter().find(|stage| stage.name() == name);
            found.ok_or_else(|| Failure::usage(format!("`{name}` is no stage")))
        };
        let stage = object.stage().map(named).transpose()?;
        let entry = object.entry();
        if entry.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&entry) {
            return Err(Failure::usage(format!(
                "`entry` is {entry}: it is the index of an instruction, from 0 on"
            )));
        }
        Ok(Bare { isa, stage, entry: entry as u32, descriptors: object.descriptors() })
    }

    /// The code for the library.
    pub(crate) fn code(&self, bytes: &[u8]) -> Code<'_> {
        let mut code = Code::bytes(self.isa, bytes).descriptors(&self.descriptors).entry(self.entry);
        code.stage = self.stage;
        code
    }
}

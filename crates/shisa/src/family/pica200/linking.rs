//! Links several sources to one shader binary.

use crate::{Result, Settings};
use shisa_pica200::picasso::{Assembly, Finding, Source, assemble, listing};

/// The result of assembling several sources.
#[derive(Clone, Debug)]
pub struct Linked {
    assembly: Assembly,
}

/// Assembles sources in picasso's language into one shader binary, a program for each.
///
/// Every fault is in [`Linked::findings`], with the number of its source. Breaches of hardware rules are warnings,
/// because the meaning of the text is still clear; [`crate::Settings::unchecked`] leaves them out.
pub fn link(sources: &[Source<'_>], settings: &Settings) -> Linked {
    // If a source is a listing, nobody wrote it by hand.
    let listed = sources.iter().any(|s| s.text.starts_with(shisa_pica200::LISTING));
    let rules = match settings.unchecked || listed {
        true => shisa_pica200::picasso::Rules::Skip,
        false => shisa_pica200::picasso::Rules::Warn,
    };
    let options = shisa_pica200::picasso::Options { rules, ..settings.pica200.assembling };
    Linked { assembly: assemble(sources, &options, &settings.limits) }
}

impl Linked {
    /// The shader binary; `None` if there is an error.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.assembly.bytes.as_deref()
    }

    /// Its words and its operand descriptors without a container; `None` if there is an error.
    pub fn raw(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        Some(self.assembly.shbin.as_ref()?.raw())
    }

    /// All findings, source by source.
    pub fn findings(&self) -> &[Finding] {
        &self.assembly.findings
    }

    /// A C header with the registers of the uniforms that vertex programs share.
    pub fn header(&self) -> &str {
        &self.assembly.header
    }

    /// The sources with the words of each line.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn listing(&self, sources: &[Source<'_>], settings: &Settings) -> Result<String> {
        Ok(listing(sources, &self.assembly, &settings.limits)?)
    }
}

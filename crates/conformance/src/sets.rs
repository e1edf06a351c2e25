//! The sets of the data.

use crate::{Data, Error, Tally};

/// A set of conformance data.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// Its family and name: `agal/run`.
    pub name: &'static str,
    /// Whether the corpus has it.
    pub in_corpus: bool,
    judge: fn(&Data, &mut Tally) -> Result<(), Error>,
}

impl Set {
    /// The family that the set belongs to.
    pub fn family(&self) -> &'static str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// Judges every row.
    ///
    /// # Errors
    /// The data is missing or not in its format.
    pub fn judge(&self, data: &Data) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        (self.judge)(data, &mut tally)?;
        Ok(tally)
    }
}

const fn set(name: &'static str, judge: fn(&Data, &mut Tally) -> Result<(), Error>) -> Set {
    Set { name, in_corpus: true, judge }
}

/// All sets of the families that are built.
pub const SETS: &[Set] = &[
    #[cfg(feature = "agal")]
    set("agal/asm", crate::agal::text::asm),
    #[cfg(feature = "agal")]
    set("agal/dis", crate::agal::text::dis),
    #[cfg(feature = "agal")]
    set("agal/run", crate::agal::run::judge),
    #[cfg(feature = "agal")]
    set("agal/errors", crate::agal::errors::judge),
    #[cfg(feature = "agal")]
    set("agal/linkage", crate::agal::errors::linkage),
    #[cfg(feature = "agal")]
    set("agal/text-errors", crate::agal::text::errors),
    #[cfg(feature = "pica200")]
    set("pica200/asm", crate::pica200::picasso::asm),
    #[cfg(feature = "pica200")]
    set("pica200/dis", crate::pica200::shbin::dis),
    #[cfg(feature = "pica200")]
    set("pica200/run", crate::pica200::run::judge),
    #[cfg(feature = "pica200")]
    set("pica200/errors", crate::pica200::picasso::errors),
    #[cfg(feature = "pica200")]
    set("pica200/errors-bin", crate::pica200::binaries::judge),
    // Its cases come from programs that others wrote.
    #[cfg(feature = "pica200")]
    Set { in_corpus: false, ..set("pica200/hw", crate::pica200::hw::judge) },
    #[cfg(feature = "maxwell")]
    set("maxwell/words", crate::maxwell::words::judge),
    #[cfg(feature = "maxwell")]
    set("maxwell/sched", crate::maxwell::sched::judge),
    #[cfg(feature = "maxwell")]
    set("maxwell/ptx", crate::maxwell::ptx::judge),
    #[cfg(feature = "maxwell")]
    set("maxwell/glsl", crate::maxwell::glsl::judge),
    #[cfg(feature = "maxwell")]
    set("maxwell/cuda", crate::maxwell::cuda::judge),
    #[cfg(feature = "maxwell")]
    set("maxwell/glsl-run", crate::maxwell::glsl_run::judge),
    #[cfg(feature = "maxwell")]
    set("maxwell/findings", crate::maxwell::findings::judge),
    #[cfg(feature = "agx")]
    set("agx/mesa", crate::agx::words::mesa),
    #[cfg(feature = "agx")]
    set("agx/applegpu", crate::agx::words::applegpu),
    #[cfg(feature = "agx")]
    set("agx/words", crate::agx::words::words),
    #[cfg(feature = "agx")]
    set("agx/exec", crate::agx::exec::judge),
    #[cfg(feature = "agx")]
    set("agx/links", crate::agx::links::judge),
];

/// Runs a set of the corpus.
///
/// # Panics
/// A row fails, the data is missing, or the corpus does not have exactly `rows` rows.
pub fn passes(name: &str, rows: usize) {
    let set = SETS.iter().find(|s| s.name == name).unwrap_or_else(|| panic!("there is no set {name}"));
    let judged = Data::corpus(set.family()).and_then(|data| set.judge(&data));
    let tally = judged.unwrap_or_else(|e| panic!("{name}: {e}"));
    let (passed, total) = (tally.passed(), tally.total());
    assert!(passed == total, "{name}: {passed} of {total} rows pass\n{}", tally.failures().join("\n"));
    assert_eq!(total, rows, "{name} has another number of rows");
}

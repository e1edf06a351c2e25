//! The instruction sets of this build.

use super::interface::Family;
use super::list::families;
use super::names::Isa;
use crate::{Result, Settings};
use shisa_diag::Choice;

/// Declares [`FAMILIES`].
macro_rules! registry {
    ($($(#[$doc:meta])* $feature:literal $module:ident $name:ident $language:ident $about:literal;)*) => {
        /// The instruction sets of this build; those with the most reliably identified containers come first.
        pub(crate) const FAMILIES: &[&dyn Family] = &[$(#[cfg(feature = $feature)] &super::$module::family::$name,)*];
    };
}

families!(registry);

impl Settings {
    /// Makes a choice that nothing published settles, such as `ifg` and `gt`; `false` if there is no such choice or
    /// value.
    pub fn set(&mut self, key: &str, value: &str) -> bool {
        FAMILIES.iter().any(|family| family.set(self, key, value))
    }

    /// All choices that [`Settings::set`] knows.
    pub fn choices() -> impl Iterator<Item = &'static Choice> {
        FAMILIES.iter().flat_map(|family| family.choices())
    }
}

impl Isa {
    /// The family of the instruction set.
    ///
    /// # Errors
    /// `not-built` if this build lacks it.
    pub(crate) fn family(self) -> Result<&'static dyn Family> {
        let found = FAMILIES.iter().find(|f| f.isa() == self);
        found.copied().ok_or_else(|| crate::error::not_built(&format!("{} in this build", self.name())))
    }
}

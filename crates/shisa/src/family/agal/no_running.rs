//! Without the feature `eval` nothing runs.

impl crate::family::Runs for super::file::AgalFile<'_> {}

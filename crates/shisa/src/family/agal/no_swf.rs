//! Without the feature `swf` no file is a SWF.

use crate::family::{Opened, Sniffed};
use crate::identity::Container;
use crate::{Result, Settings};

pub(super) fn sniff(_: &[u8], _: &Settings) -> Option<Sniffed<'static>> {
    None
}

pub(super) const fn container(_: &[u8]) -> Option<Container> {
    None
}

pub(super) fn open(_: &[u8], _: &Settings) -> Result<Box<dyn Opened>> {
    Err(crate::error::not_built("reading SWF files"))
}

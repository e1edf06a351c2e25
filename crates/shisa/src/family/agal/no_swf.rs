//! Without the feature `swf` no file is a SWF.

use crate::family::{Opened, Sniffed};
use crate::identity::Container;
use crate::{Result, Settings};
use std::borrow::Cow;

pub(super) fn sniff<'b>(_: &'b [u8], _: &Settings) -> Option<Sniffed<'b>> {
    None
}

pub(super) const fn container(_: &[u8]) -> Option<Container> {
    None
}

pub(super) fn open<'b>(_: Cow<'b, [u8]>, _: &Settings) -> Result<Box<dyn Opened + 'b>> {
    Err(crate::error::not_built("reading SWF files"))
}

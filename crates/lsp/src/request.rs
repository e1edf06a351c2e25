//! A request about a document.

use crate::document::Document;
use crate::options::Options;
use serde_json::Value;

/// A request about a document.
pub(crate) struct Request<'r> {
    pub(crate) uri: &'r str,
    pub(crate) document: &'r Document,
    pub(crate) options: Options,
    pub(crate) params: &'r Value,
}

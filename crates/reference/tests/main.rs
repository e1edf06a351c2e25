//! The data of the reference, its book, and a decoder that needs nothing else.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod book;
mod data;
mod decoder;
mod examples;
mod expected;

use std::sync::LazyLock;

/// All tests read the same data.
static ISA: LazyLock<shisa_reference::Isa> = LazyLock::new(|| shisa_reference::isa().unwrap());

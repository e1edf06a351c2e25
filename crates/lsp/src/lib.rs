//! A language server for the assembly text of four instruction sets.
//!
//! A [`Server`] takes messages of the Language Server Protocol and returns those for the client. It knows no instruction set:
//! `shisa::rows::editing` reads the text that is being typed, and the verbs of `shisa` check, assemble and explain it.
//!
//! Requests at a position are answered at once, from the [outline](shisa::rows::editing::Outline) of a document, which every text
//! has. A change reads again only the lines that it changes. Requests about a whole document wait until [`Server::proceed`], and
//! lapse if the document changes. Findings and hints need a program: they are a [`Task`], which another thread can do.

mod actions;
mod capabilities;
mod code;
mod completion;
mod document;
mod feature;
mod findings;
mod folding;
mod format;
mod hints;
mod hover;
mod message;
mod names;
mod options;
mod position;
mod reference;
mod registers;
mod request;
mod semantic;
mod server;
mod signature;
mod symbols;
mod waiting;
mod work;

pub use message::{message, message_bytes};
pub use server::Server;
pub use work::{Done, Task};

//! The debugger as an application for terminals.
//!
//! An [`App`] is a session of [`shisa_debug`] with what a person looks at: panes, a selected instruction, a command line.
//! [`App::update`] changes it by an event, and [`App::draw`] draws it; both work without a terminal. [`run`] connects it
//! to the terminal of the process until the session ends.
//!
//! Whatever changes the session is a command of [`shisa_debug::Commands`]: a key, a click and the command line do the
//! same.

mod app;
mod command_line;
mod document;
mod draw;
mod keys;
mod layout;
mod mouse;
mod pane;
mod screen;
mod snapshot;
mod style;
mod texels;
mod update;

pub use app::{App, Save};
pub use document::Document;
pub use screen::run;
pub use style::Colors;
pub use update::Flow;

#[cfg(test)]
mod tests;

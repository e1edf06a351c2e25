//! The command's manners: outputs, inputs, exit statuses.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod command;
mod damage;
mod inputs;
mod messages;
#[cfg(target_os = "linux")]
mod names;
mod outputs;
mod runs;
mod sessions;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(target_os = "linux")]
mod window;

//! Conversations with the server, without a process.

mod client;
mod examples;
mod features;
mod hostile;
mod names;
mod order;
mod outlines;
mod speed;

//! AGX through the public interface. One binary has all of its tests: each one more would link the workspace again.

mod corpus;
mod rows;

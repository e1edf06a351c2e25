//! The representation through its public interface. One binary has all of its tests: each one more would link the
//! workspace again.

mod emulate;
mod float24;
mod lanes;
mod narrow;
mod random_functions;
mod registers_to_values;

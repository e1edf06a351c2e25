//! A debugger for shader programs: recorded runs that can be looked at in both directions.
//!
//! # Concepts
//!
//! A [`Run`] is a run of the evaluator that can be repeated, with the same result each time. A [`Recording`] runs it once
//! and stores states meanwhile. The state before any step is then made again from the stored state before it, in a time
//! that does not depend on the length of the run. Nothing is undone: to go back means to repeat fewer steps.
//!
//! A *time* is a number of steps, counted over all waves in the order in which they ran. A *portion* is a wave from its start
//! or a barrier up to the next barrier or its end, so a run is a sequence of portions. The host between two portions (its
//! loops, its inputs) never runs again, because the start of each portion is stored.
//!
//! Stored states fit a limit of bytes. If they do not, every second state is dropped, and if that is not enough, the starts of
//! the oldest portions; these are made again from a repetition of the whole run when they are needed.
//!
//! [`Recorded`] is what front ends see of a recording; it knows neither instruction set nor environment.

mod breakpoint;
mod captured;
mod cause;
mod codes;
mod commands;
mod cursor;
pub mod dap;
mod dispatch;
mod event;
mod execution;
pub mod expression;
mod floats;
pub mod framing;
mod history;
mod hits;
mod interrupt;
mod log;
mod maker;
mod names;
mod recorder;
mod recording;
mod run;
mod saved;
mod search;
mod session;
mod sources;
mod stepping;
#[cfg(test)]
mod testing;
mod text;
mod thing;
mod unwritten;
mod view;
mod watched;

pub use breakpoint::{Access, Breakpoint, Hit, On};
pub use captured::Captured;
pub use cause::{Cause, Condition, Extent, Origin, cause, conditions};
pub use codes::CODES;
pub use commands::{Answer, COMMANDS, Command, Commands, Completion, Point, Reply, State, Word, WordKind};
pub use dispatch::DispatchRun;
pub use event::{Event, MemoryAccess};
pub use execution::{Code, captured};
pub use floats::{Floats, Special};
pub use history::Time;
pub use hits::Hits;
pub use interrupt::Interrupt;
pub use log::{Log, MOST_LOGGED, Part};
pub use names::{NameOf, Named, Names};
pub use recording::{RECORDING_BYTES, Recorded, Recording, Watcher};
pub use run::{BatchRun, Run, Start, of_stacks};
pub use saved::{
    FORMAT, MOST_CONSTANTS, MOST_FILES, MOST_INPUTS, MOST_LANES, MOST_POINTS, MOST_TEXTURES, Saved,
    SavedConstant, SavedFile, SavedInput, SavedPicture, SavedTexture, VERSION,
};
pub use search::{Direction, Target, latest, search};
pub use session::{Reason, Session, Situation, Stop};
pub use stepping::Reach;
pub use text::{Line, ProgramText};
pub use thing::Thing;
pub use view::View;

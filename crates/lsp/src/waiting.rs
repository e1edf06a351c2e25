//! Requests that wait until the server has time, or until work on their document is done.

use crate::feature::Feature;
use crate::message::{Wrong, response};
use serde_json::Value;
use std::collections::VecDeque;

/// The largest number of requests that wait.
const MOST_WAITING: usize = 256;

/// A request that waits.
pub(crate) struct Waiting {
    pub(crate) id: Value,
    pub(crate) uri: String,
    pub(crate) feature: Feature,
    pub(crate) params: Value,
}

/// The requests that wait, in the order in which they came.
#[derive(Default)]
pub(crate) struct Queue(VecDeque<Waiting>);

impl Queue {
    /// Adds a request.
    ///
    /// # Errors
    /// As many requests wait as may.
    pub(crate) fn add(&mut self, request: Waiting) -> Result<(), Wrong> {
        if self.0.len() >= MOST_WAITING {
            return Err(Wrong::failed(format!("{MOST_WAITING} requests wait; no more may")));
        }
        self.0.push_back(request);
        Ok(())
    }

    /// Whether a request is ready.
    pub(crate) fn has(&self, is_ready: impl Fn(&Waiting) -> bool) -> bool {
        self.0.iter().any(is_ready)
    }

    /// Takes the first request that is ready.
    pub(crate) fn take(&mut self, is_ready: impl Fn(&Waiting) -> bool) -> Option<Waiting> {
        self.0.remove(self.0.iter().position(is_ready)?)
    }

    /// Removes the requests about a document, because its text changes. Returns the responses to them.
    pub(crate) fn outdated(&mut self, uri: &str) -> Vec<Value> {
        self.removed(|waiting| waiting.uri == uri, Wrong::outdated)
    }

    /// Removes a request that the client cancels. Returns the response to it, unless the request does not wait.
    pub(crate) fn cancelled(&mut self, id: &Value) -> Vec<Value> {
        self.removed(|waiting| waiting.id == *id, Wrong::cancelled)
    }

    /// Removes all requests. Returns the responses to them.
    pub(crate) fn close(&mut self) -> Vec<Value> {
        self.removed(|_| true, Wrong::cancelled)
    }

    fn removed(&mut self, lapses: impl Fn(&Waiting) -> bool, why: fn() -> Wrong) -> Vec<Value> {
        let (old, others): (VecDeque<_>, _) = std::mem::take(&mut self.0).into_iter().partition(lapses);
        self.0 = others;
        old.iter().map(|waiting| response(&waiting.id, Err(why()))).collect()
    }
}

//! How many inputs a part of a leg accepts and refuses, and which shares it must.

use core::ops::AddAssign;

/// Numbers of inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Inputs that were accepted.
    pub accepted: u64,
    /// Inputs that were refused with a reason.
    pub refused: u64,
}

impl From<bool> for Outcome {
    /// One input, accepted or refused.
    fn from(accepted: bool) -> Outcome {
        Outcome { accepted: accepted.into(), refused: (!accepted).into() }
    }
}

impl AddAssign for Outcome {
    fn add_assign(&mut self, other: Outcome) {
        self.accepted += other.accepted;
        self.refused += other.refused;
    }
}

/// The smallest shares of its inputs, in percent, that a part must accept and refuse: a part that accepts nothing, or
/// refuses nothing that it should, tests nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// The share that it must accept.
    pub accepted: u64,
    /// The share that it must refuse.
    pub refused: u64,
}

impl Shares {
    /// At least these shares, in percent.
    pub const fn new(accepted: u64, refused: u64) -> Shares {
        Shares { accepted, refused }
    }

    /// Why an outcome does not have these shares; `None` if it has.
    pub fn fault(&self, outcome: &Outcome) -> Option<String> {
        let all = outcome.accepted + outcome.refused;
        let fault = |what: &str, count: u64, least: u64| {
            let lacks = all == 0 || count * 100 < least * all;
            lacks.then(|| format!("must {what} {least} %, {what}s {count} of {all}"))
        };
        fault("accept", outcome.accepted, self.accepted)
            .or_else(|| fault("refuse", outcome.refused, self.refused))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_inputs() {
        let of = |accepted, refused| Shares::new(40, 10).fault(&Outcome { accepted, refused });
        assert_eq!(of(40, 60), None);
        assert_eq!(of(90, 10), None);
        assert_eq!(of(39, 61).as_deref(), Some("must accept 40 %, accepts 39 of 100"));
        assert_eq!(of(91, 9).as_deref(), Some("must refuse 10 %, refuses 9 of 100"));
        assert!(of(0, 0).is_some(), "a part without inputs tests nothing");
    }
}

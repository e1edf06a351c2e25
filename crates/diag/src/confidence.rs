//! The confidence of an identified format.

/// How certain it is that bytes have a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// The magic numbers are present, but the rest is not valid.
    Possible,
    /// The header is valid, but not every token is.
    Likely,
    /// Everything is valid.
    Certain,
}

impl Confidence {
    /// `possible`, `likely` or `certain`.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::Possible => "possible",
            Confidence::Likely => "likely",
            Confidence::Certain => "certain",
        }
    }
}

//! How certainly a format was identified.

/// How certain it is that bytes have a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// The marks are present, but the rest does not fit.
    Possible,
    /// The header is sound, but not every token is.
    Likely,
    /// Everything is sound.
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

/// How sure it is that bytes are what they are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// The marks are there; the rest speaks against it.
    Possible,
    /// The header is sound; not every token is.
    Likely,
    /// Everything reads as what it is said to be.
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

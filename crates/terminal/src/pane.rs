//! The panes of the application.

/// A part of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pane {
    Listing,
    Registers,
    Lanes,
    Stacks,
    Memory,
    Textures,
    Text,
    Output,
}

impl Pane {
    /// All panes, in the order of their numbers from 1.
    pub(crate) const ALL: [Pane; 8] = [
        Pane::Listing,
        Pane::Registers,
        Pane::Lanes,
        Pane::Stacks,
        Pane::Memory,
        Pane::Textures,
        Pane::Text,
        Pane::Output,
    ];

    /// Its name; that of [`Pane::Text`] is the title of the document in it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Pane::Listing => "Listing",
            Pane::Registers => "Registers",
            Pane::Lanes => "Lanes",
            Pane::Stacks => "Stacks",
            Pane::Memory => "Memory",
            Pane::Textures => "Textures",
            Pane::Text => "Text",
            Pane::Output => "Output",
        }
    }

    /// Its number, from 1.
    pub(crate) fn number(self) -> usize {
        self as usize + 1
    }

    /// The pane after or before it.
    pub(crate) fn neighbour(self, forwards: bool) -> Pane {
        let count = Pane::ALL.len();
        let step = if forwards { 1 } else { count - 1 };
        Pane::ALL[(self as usize + step) % count]
    }

    /// Whether a small window shows one of these panes at a time.
    pub(crate) fn is_tab(self) -> bool {
        !matches!(self, Pane::Listing | Pane::Output)
    }
}

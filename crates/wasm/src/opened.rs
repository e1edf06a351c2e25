//! An opened file that owns its bytes.

use crate::bare::Bare;
use crate::failure::Failure;
use self_cell::self_cell;
use shisa::maxwell::{NvnControl, open_pair};
use shisa::{File, Program, Settings};

self_cell!(
    struct Cell {
        owner: Vec<u8>,
        #[covariant]
        dependent: File,
    }
);

/// A file, opened once; all programs of it share it.
pub(crate) struct Opened {
    cell: Cell,
    settings: Settings,
    origin: Origin,
}

/// What bytes are before they are opened.
pub(crate) enum Origin {
    /// A file.
    File,
    /// A code file of NVN, with its control file.
    Pair(NvnControl),
    /// Code without a container.
    Code(Bare),
}

impl Origin {
    /// Opens the bytes.
    fn open<'b>(&self, bytes: &'b [u8], settings: &Settings) -> shisa::Result<File<'b>> {
        match self {
            Origin::File => File::open(bytes, settings),
            Origin::Pair(control) => open_pair(bytes, *control, settings),
            Origin::Code(bare) => File::from_code(&bare.code(bytes), settings),
        }
    }
}

impl Opened {
    /// Opens bytes.
    ///
    /// # Errors
    /// Those of [`File::open`], [`open_pair`] and [`File::from_code`].
    pub(crate) fn new(bytes: Vec<u8>, origin: Origin, settings: Settings) -> Result<Opened, Failure> {
        let fail = |e, bytes: &[u8]| Failure::about(e, name(&settings), bytes);
        let cell = Cell::try_new_or_recover(bytes, |bytes| origin.open(bytes, &settings));
        match cell {
            Ok(cell) => Ok(Opened { cell, settings, origin }),
            Err((bytes, e)) => Err(fail(e, &bytes)),
        }
    }

    /// The name of the file; empty if it has none.
    pub(crate) fn name(&self) -> &str {
        name(&self.settings)
    }

    /// The settings.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.cell.borrow_owner()
    }

    /// The file as text, if it is text.
    pub(crate) fn source(&self) -> Option<&str> {
        std::str::from_utf8(self.bytes()).ok()
    }

    /// The opened file.
    pub(crate) fn file(&self) -> &File<'_> {
        self.cell.borrow_dependent()
    }

    /// Makes a failure of an error about this file.
    pub(crate) fn failed(&self, error: shisa::Error) -> Failure {
        Failure::about(error, self.name(), self.bytes())
    }

    /// Calls `then` with the file, opened again if `adjust` changes the settings.
    ///
    /// # Errors
    /// Those of [`Opened::new`] and `then`.
    pub(crate) fn adjusted<T>(
        &self,
        adjust: impl FnOnce(&mut Settings),
        then: impl FnOnce(&File<'_>) -> shisa::Result<T>,
    ) -> Result<T, Failure> {
        let mut settings = self.settings.clone();
        adjust(&mut settings);
        let done = match settings == self.settings {
            true => then(self.file()),
            false => self.origin.open(self.bytes(), &settings).and_then(|file| then(&file)),
        };
        done.map_err(|e| self.failed(e))
    }

    /// One of the programs, by its number from 1.
    ///
    /// # Errors
    /// `no-program` if there is none.
    pub(crate) fn program(&self, number: usize) -> Result<Program<'_>, Failure> {
        self.file().program(number).map_err(|e| self.failed(e))
    }
}

/// The name in settings; empty if there is none.
fn name(settings: &Settings) -> &str {
    settings.name.as_deref().unwrap_or_default()
}

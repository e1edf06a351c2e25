//! A digest of many outputs.

use std::fmt::Display;
use std::path::PathBuf;

/// Takes outputs, and has a digest of all of them.
pub(super) struct Sink {
    /// FNV-1a over names, labels and texts, of which it takes eight bytes at once: these tests are not optimised.
    digest: u64,
    /// The number of outputs and of refusals.
    counts: [usize; 2],
    bytes: usize,
    /// The name of the program, for the files.
    program: String,
    /// Where to write the outputs as files.
    folder: Option<PathBuf>,
}

impl Default for Sink {
    fn default() -> Sink {
        Sink { digest: 0xcbf2_9ce4_8422_2325, counts: [0; 2], bytes: 0, program: String::new(), folder: None }
    }
}

impl Sink {
    /// One that also writes each output to a file of its own.
    pub(super) fn into_folder(folder: PathBuf) -> Sink {
        std::fs::create_dir_all(&folder).unwrap();
        Sink { folder: Some(folder), ..Sink::default() }
    }

    /// Begins the outputs of a program. The name may occur before.
    pub(super) fn program(&mut self, name: &str) {
        self.program = format!("{}.{name}", self.counts[0] + self.counts[1]);
        self.add(name.as_bytes());
    }

    /// An output, or why there is none.
    pub(super) fn output(&mut self, label: &str, text: shisa::Result<impl Display>) {
        let (text, refused) = match text {
            Ok(text) => (text.to_string(), false),
            Err(e) => (format!("{:#?}\n", e.diagnostics), true),
        };
        self.counts[usize::from(refused)] += 1;
        self.bytes += text.len();
        self.add(label.as_bytes());
        self.add(text.as_bytes());
        if let Some(folder) = &self.folder {
            std::fs::write(folder.join(format!("{}.{label}", self.program)), text).unwrap();
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        // The length separates what follows.
        for word in [bytes.len().to_le_bytes(), last].iter().chain(words) {
            self.digest =
                (self.digest ^ u64::from_le_bytes(*word)).wrapping_mul(0x100_0000_01b3).rotate_left(23);
        }
    }

    /// The numbers of outputs and refusals, the number of bytes and the digest.
    pub(super) fn line(&self) -> String {
        let [outputs, refused] = self.counts;
        format!("outputs {outputs} refused {refused} bytes {} digest {:016x}", self.bytes, self.digest)
    }
}

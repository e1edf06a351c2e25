//! Pictures on terminals that show them.

use super::png;
use super::sixel;
use crate::stop::Stop;
use shisa::data::pictures::Image;
use std::io::{IsTerminal, Write};

/// How a terminal takes pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Kitty's graphics protocol.
    Kitty,
    /// iTerm2's inline images.
    Iterm2,
    /// Sixel graphics.
    Sixel,
}

/// Characters of base64 in a chunk of Kitty's protocol.
const CHUNK: usize = 4096;

impl Protocol {
    /// The protocol of the terminal that standard output is; `None` if it is none, or does not show pictures.
    pub(crate) fn of_output() -> Option<Protocol> {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let is_kitty = std::env::var_os("KITTY_WINDOW_ID").is_some();
        let found = Protocol::of(&variable("TERM"), &variable("TERM_PROGRAM"), is_kitty);
        found.filter(|_| std::io::stdout().is_terminal())
    }

    /// The protocol of a terminal by what it states in the environment.
    fn of(term: &str, program: &str, is_kitty: bool) -> Option<Protocol> {
        match (term, program) {
            _ if is_kitty || term.contains("kitty") || program == "ghostty" => Some(Protocol::Kitty),
            (_, "iTerm.app" | "WezTerm") => Some(Protocol::Iterm2),
            ("foot" | "foot-extra" | "mlterm" | "yaft-256color", _) => Some(Protocol::Sixel),
            _ if term.contains("sixel") => Some(Protocol::Sixel),
            _ => None,
        }
    }

    /// The bytes that show an image.
    ///
    /// # Errors
    /// Images that are too large for PNG.
    fn bytes(self, image: &Image) -> Result<Vec<u8>, Stop> {
        let base64 =
            || Ok::<_, Stop>(shisa_run::to_base64(&png::written(std::slice::from_ref(image), None)?));
        Ok(match self {
            Protocol::Kitty => {
                let base64 = base64()?;
                let chunks: Vec<&[u8]> = base64.as_bytes().chunks(CHUNK).collect();
                let mut bytes = Vec::new();
                for (n, chunk) in chunks.iter().enumerate() {
                    let first = if n == 0 { "f=100,a=T," } else { "" };
                    let more = u8::from(n + 1 < chunks.len());
                    bytes.extend_from_slice(format!("\x1b_G{first}m={more};").as_bytes());
                    bytes.extend_from_slice(chunk);
                    bytes.extend_from_slice(b"\x1b\\");
                }
                bytes
            }
            Protocol::Iterm2 => format!("\x1b]1337;File=inline=1:{}\x07", base64()?).into_bytes(),
            Protocol::Sixel => sixel::written(image),
        })
    }

    /// Shows an image, and a line end after it.
    ///
    /// # Errors
    /// Images that are too large for PNG, and a terminal that cannot be written to.
    pub(crate) fn show(self, image: &Image) -> Result<(), Stop> {
        let mut bytes = self.bytes(image)?;
        bytes.push(b'\n');
        let mut out = std::io::stdout().lock();
        Ok(out.write_all(&bytes).and_then(|()| out.flush())?)
    }
}

#[cfg(test)]
mod tests {
    use super::Protocol;
    use shisa::data::pictures::Image;

    #[test]
    fn terminals_have_their_protocols() {
        for (term, program, is_kitty, expected) in [
            ("xterm-kitty", "", false, Some(Protocol::Kitty)),
            ("screen", "tmux", true, Some(Protocol::Kitty)),
            ("xterm-256color", "iTerm.app", false, Some(Protocol::Iterm2)),
            ("xterm-256color", "WezTerm", false, Some(Protocol::Iterm2)),
            ("foot", "", false, Some(Protocol::Sixel)),
            ("xterm-sixel", "", false, Some(Protocol::Sixel)),
            ("xterm-256color", "Apple_Terminal", false, None),
            ("", "", false, None),
        ] {
            assert_eq!(Protocol::of(term, program, is_kitty), expected, "{term} {program}");
        }
    }

    #[test]
    fn pictures_are_sequences_of_escapes() {
        let image = Image::coordinates();
        let text = |protocol: Protocol| String::from_utf8(protocol.bytes(&image).unwrap()).unwrap();
        let kitty = text(Protocol::Kitty);
        assert!(kitty.starts_with("\x1b_Gf=100,a=T,m=") && kitty.ends_with("\x1b\\"), "{kitty:?}");
        assert_eq!(kitty.matches("m=0;").count(), 1);
        let iterm2 = text(Protocol::Iterm2);
        assert!(
            iterm2.starts_with("\x1b]1337;File=inline=1:iVBOR") && iterm2.ends_with('\x07'),
            "{iterm2:?}"
        );
        let sixel = text(Protocol::Sixel);
        assert!(sixel.starts_with("\x1bPq") && sixel.ends_with("\x1b\\"), "{sixel:?}");
    }
}

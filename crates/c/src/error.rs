//! Errors, as codes and texts.

use shisa::diag::Diagnostic;

/// What a function returns.
pub type Status = i32;
/// All went well.
pub const OK: Status = 0;
/// An argument is wrong.
pub const ARGUMENT: Status = 1;
/// The program is refused.
pub const PROGRAM: Status = 2;
/// A limit is exceeded.
pub const LIMIT: Status = 3;
/// A fault of the library.
pub const INTERNAL: Status = 4;

/// Describes an error. Both texts end with a zero byte.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Error {
    /// The status that the function returned.
    pub status: Status,
    /// The code of the diagnostic.
    pub code: [u8; 48],
    /// The messages of all findings, a line each.
    pub message: [u8; 460],
}

impl Error {
    /// The error of findings: the first one has its code.
    pub(crate) fn of(error: &shisa::Error) -> Error {
        let code = match error.diagnostics.first() {
            Some(first) => first.code,
            None => "internal-error",
        };
        let status = match code {
            "c-argument" | "exec-attribute" | "no-program" => ARGUMENT,
            "limit-exceeded" => LIMIT,
            _ if code.starts_with("internal-") => INTERNAL,
            _ => PROGRAM,
        };
        let mut of = Error { status, code: [0; 48], message: [0; 460] };
        write(&mut of.code, code);
        write(&mut of.message, &error.to_string());
        of
    }
}

/// Writes as much of a text as there is room for before a zero byte. Characters are whole.
fn write(to: &mut [u8], text: &str) {
    let room = to.len().saturating_sub(1);
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let length = ends.take_while(|end| *end <= room).fold(0, |_, end| end);
    to.iter_mut().zip(text.bytes().take(length)).for_each(|(to, from)| *to = from);
}

/// The error for an argument.
pub(crate) fn argument(what: impl Into<String>) -> shisa::Error {
    Diagnostic::error("c-argument", what).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_findings_decide_the_status() {
        for (code, status) in [
            ("c-argument", ARGUMENT),
            ("no-program", ARGUMENT),
            ("limit-exceeded", LIMIT),
            ("internal-order", INTERNAL),
            ("eval-buffer", PROGRAM),
        ] {
            let error = Error::of(&Diagnostic::error(code, "text").into());
            assert_eq!((error.status, &error.code[..code.len()]), (status, code.as_bytes()));
        }
    }

    #[test]
    fn texts_are_cut_between_characters() {
        let mut room = [0xff; 5];
        room[4] = 0;
        write(&mut room, "aéé");
        assert_eq!(room, [b'a', 0xc3, 0xa9, 0xff, 0], "the second é has no room");
        let of = Error::of(&argument("x".repeat(1000)));
        assert_eq!((of.status, of.message[458], of.message[459]), (ARGUMENT, b'x', 0));
        assert!(of.code.starts_with(b"c-argument\0"));
    }
}

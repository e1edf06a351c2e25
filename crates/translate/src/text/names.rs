//! Names of values, as the program's function gives them.

/// A name, perhaps with a number behind. Names are made for most values, so nothing is allocated before one is
/// printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    text: &'a str,
    number: Option<u32>,
}

impl<'a> Name<'a> {
    /// A text with a number behind.
    pub(super) const fn numbered(text: &'a str, number: u32) -> Name<'a> {
        Name { text, number: Some(number) }
    }

    /// What stands behind it in a text that begins with it.
    pub(super) fn strip(self, from: &str) -> Option<&str> {
        let rest = from.strip_prefix(self.text)?;
        let Some(n) = self.number else { return Some(rest) };
        let (digits, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
        (digits.parse() == Ok(n)).then_some(rest)
    }

    /// Appends it.
    pub(super) fn write(self, out: &mut String) {
        out.push_str(self.text);
        if let Some(n) = self.number {
            decimal(out, n);
        }
    }
}

impl From<Name<'_>> for String {
    fn from(name: Name<'_>) -> String {
        let mut text = String::with_capacity(name.text.len() + MOST_DIGITS);
        name.write(&mut text);
        text
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(text: &'a str) -> Name<'a> {
        Name { text, number: None }
    }
}

/// Digits of the largest number behind a name.
const MOST_DIGITS: usize = u32::MAX.ilog10() as usize + 1;

/// Appends a number. A formatter takes several times as long, and most names end in a number.
pub(super) fn decimal(out: &mut String, n: u32) {
    if n >= 10 {
        decimal(out, n / 10);
    }
    out.push(char::from(b'0' + (n % 10) as u8));
}

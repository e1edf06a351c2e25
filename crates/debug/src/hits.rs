//! Conditions on the number of times that a breakpoint is reached.

use shisa_diag::Diagnostic;
use std::fmt;

/// How the number of a hit is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Less,
    AtMost,
    More,
    AtLeast,
    Multiple,
}

/// The comparisons as text. One that begins with another one is before it.
const COMPARISONS: [(&str, Comparison); 7] = [
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<=", Comparison::AtMost),
    ("<", Comparison::Less),
    (">=", Comparison::AtLeast),
    (">", Comparison::More),
    ("%", Comparison::Multiple),
];

/// The hits of a breakpoint that count, by their numbers. Hits are numbered from 1 in the order of the recorded run, in
/// whichever direction a move goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hits {
    comparison: Comparison,
    number: u64,
}

impl Hits {
    /// A condition from its text: a number, or a comparison with one, such as `>= 5`; `% 3` is every third hit.
    ///
    /// # Errors
    /// `debug-hits` if the text is no condition, or no hit can meet it.
    pub fn parse(text: &str) -> Result<Hits, Diagnostic> {
        let wrong = |why: String| {
            Diagnostic::error("debug-hits", why)
                .help("a hit condition is a number such as `5`, or ==, <, <=, >, >= or % before one, such as `>= 5`")
        };
        let trimmed = text.trim();
        let stripped =
            |(sign, comparison): &(&str, Comparison)| Some((*comparison, trimmed.strip_prefix(sign)?));
        let (comparison, digits) =
            COMPARISONS.iter().find_map(stripped).unwrap_or((Comparison::Equal, trimmed));
        let digits = digits.trim_start();
        let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !decimal {
            return Err(wrong(format!("\"{}\" is not a hit condition", shisa_diag::escape(text))));
        }
        let number = digits
            .parse()
            .map_err(|_| wrong(format!("the number of the hit condition is larger than {}", u64::MAX)))?;
        let hits = Hits { comparison, number };
        match (comparison, number) {
            (Comparison::Equal | Comparison::AtMost | Comparison::Multiple, 0)
            | (Comparison::Less, 0 | 1) => {
                Err(wrong(format!("no hit meets the hit condition `{hits}`: hits are counted from 1")))
            }
            _ => Ok(hits),
        }
    }

    /// Whether a hit counts, by its number from 1.
    pub(crate) fn holds(self, hit: u64) -> bool {
        match self.comparison {
            Comparison::Equal => hit == self.number,
            Comparison::Less => hit < self.number,
            Comparison::AtMost => hit <= self.number,
            Comparison::More => hit > self.number,
            Comparison::AtLeast => hit >= self.number,
            Comparison::Multiple => hit.is_multiple_of(self.number),
        }
    }
}

impl fmt::Display for Hits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = COMPARISONS.iter().find(|(_, comparison)| *comparison == self.comparison);
        match sign {
            Some((sign, _)) if self.comparison != Comparison::Equal => write!(f, "{sign} {}", self.number),
            _ => write!(f, "{}", self.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hits from 1 to 7 that count.
    fn of(text: &str) -> Vec<u64> {
        let hits = Hits::parse(text).unwrap();
        (1..8).filter(|hit| hits.holds(*hit)).collect()
    }

    #[test]
    fn conditions_select_hits() {
        for (text, want) in [
            ("5", &[5][..]),
            (" == 5 ", &[5]),
            ("=5", &[5]),
            ("<3", &[1, 2]),
            ("<= 3", &[1, 2, 3]),
            ("> 5", &[6, 7]),
            (">=5", &[5, 6, 7]),
            ("%3", &[3, 6]),
            (">0", &[1, 2, 3, 4, 5, 6, 7]),
            ("18446744073709551615", &[]),
        ] {
            assert_eq!(of(text), want, "{text}");
        }
    }

    #[test]
    fn a_condition_is_printed_as_it_is_parsed() {
        for text in ["5", "< 3", "<= 3", "> 5", ">= 5", "% 3"] {
            assert_eq!(Hits::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Hits::parse("==4").unwrap().to_string(), "4");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            " ",
            "x",
            "-1",
            "+1",
            "5x",
            "> ",
            ">>5",
            "5 6",
            "0x5",
            "1.5",
            "=>5",
            "٣",
            "% -3",
            "\u{1b}[2J",
        ] {
            let d = Hits::parse(text).unwrap_err();
            assert!(d.code == "debug-hits" && d.message.ends_with("is not a hit condition"), "{text}: {d}");
            assert!(!d.message.contains('\u{1b}'));
        }
        for text in ["0", "==0", "%0", "<0", "<1", "<= 0"] {
            let d = Hits::parse(text).unwrap_err();
            assert!(d.message.contains("hits are counted from 1"), "{text}: {d}");
        }
        let d = Hits::parse("18446744073709551616").unwrap_err();
        assert_eq!(d.message, "the number of the hit condition is larger than 18446744073709551615");
        let d = Hits::parse(&"9".repeat(100_000)).unwrap_err();
        assert!(d.message.len() < 1000, "{}", d.message.len());
    }
}

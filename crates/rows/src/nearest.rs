//! Suggestions for misspelt words.

use alloc::{string::String, vec::Vec};

/// The candidate with the smallest edit distance from `word` (letters inserted, removed, changed or swapped), for a
/// hint; `None` if no candidate is close. Case is ignored. The first of several equals wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are unlikely to be typing errors, and the limit bounds the table below.
    const LONGEST: usize = 32;
    let close = |c: &&str| c.len() <= LONGEST && word.len() <= LONGEST;
    let allowed = (word.len() / 3).max(1);
    let scored = candidates.into_iter().filter(close).map(|c| (distance(word, c), c));
    scored.filter(|s| s.0 <= allowed).min_by_key(|s| s.0).map(|s| s.1)
}

/// The words with the smallest edit distances from `word`, best first: at most four, none too different.
pub fn several_nearest(word: &str, words: Vec<String>) -> Vec<String> {
    let limit = 1 + word.chars().count() / 4;
    // A word far longer than any existing word is near none of them.
    if limit > 16 {
        return Vec::new();
    }
    let mut near: Vec<(usize, String)> = words
        .into_iter()
        .map(|w| (distance(word, &w), w))
        .filter(|(d, w)| *d <= limit && *d < w.chars().count())
        .collect();
    near.sort();
    near.into_iter().take(4).map(|(_, w)| w).collect()
}

/// The number of letters that must be inserted, removed, changed or swapped with a neighbour to make the two words
/// equal; case is ignored.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|text| text.to_ascii_lowercase().into_bytes());
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for (i, x) in a.iter().enumerate() {
        let mut row = alloc::vec![i + 1; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            let swapped = i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y;
            let swap = if swapped { before[j - 1] + 1 } else { usize::MAX };
            row[j + 1] = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1).min(swap);
        }
        before = core::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::ToOwned;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "SAME"), 0);
        assert_eq!(distance("mvo", "mov"), 1);
    }

    #[test]
    fn the_nearest_is_near() {
        assert_eq!(nearest("fadd", ["IADD", "FADD"]), Some("FADD"));
        assert_eq!(nearest("FADDD", ["IADD", "FADD"]), Some("FADD"));
        assert_eq!(nearest("qqqq", ["IADD", "FADD"]), None);
    }

    #[test]
    fn several_nearest_words_come_best_first() {
        let words =
            || ["fog", "mul", "mov", "move", "movs", "mova", "mvo", "remove"].map(String::from).to_vec();
        assert_eq!(several_nearest("mov", words()), ["mov", "mova", "move", "movs"]);
        assert_eq!(several_nearest("remov", words()), ["remove", "mov"]);
        assert_eq!(several_nearest(&"mov".repeat(21), words()), [""; 0]);
        // No letter of a word may be other than all of those that are typed.
        assert_eq!(several_nearest("x", ["y".to_owned(), "xy".to_owned()].to_vec()), ["xy"]);
    }
}

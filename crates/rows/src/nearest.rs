//! Suggestions for misspelt words.

use alloc::vec::Vec;

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

/// The number of letters that must be inserted, removed, changed or swapped with a neighbour to make the two words
/// equal; case is ignored.
pub fn distance(a: &str, b: &str) -> usize {
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
}

//! Words that are nearly the one asked for.

/// The nearest words, the best first: at most four, none too far away.
pub(super) fn nearest(word: &str, words: Vec<String>) -> Vec<String> {
    let limit = 1 + word.chars().count() / 4;
    // A word far longer than any that exists is near none.
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

/// Insertions, deletions and replacements that lead from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(&b) {
            let best = (corner + usize::from(x != *y)).min(left + 1).min(*cell + 1);
            corner = std::mem::replace(cell, best);
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}

//! Words that are nearly the one asked for.

use shisa_rows::distance;

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

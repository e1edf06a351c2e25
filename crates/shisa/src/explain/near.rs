//! Words that are similar to the requested one.

use shisa_rows::distance;

/// The nearest words, best first: at most four, none too different.
pub(crate) fn nearest(word: &str, words: Vec<String>) -> Vec<String> {
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

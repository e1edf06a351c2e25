//! Memory that is used again.

/// An empty list with the memory of another one, whose elements may have another lifetime.
pub(crate) fn emptied<T, U>(mut list: Vec<T>) -> Vec<U> {
    list.clear();
    // The standard library collects into the memory of the list if the layouts of the elements are equal.
    list.into_iter().filter_map(|_| None).collect()
}

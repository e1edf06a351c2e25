//! Registers in lists, where a range stands for several.

/// Whether an entry of a list of registers, such as `ft0.xy`, `R4-R7` or `r4..r6`, names a register.
pub(crate) fn names(listed: &str, register: &str) -> bool {
    let range = listed.split_once("..").or_else(|| listed.split_once('-'));
    match range {
        Some((first, last)) => {
            let numbers = (split(first), split(last), split(register));
            let ((stem, Some(first)), (end, Some(last)), (own, Some(number))) = numbers else { return false };
            stem == end && stem == own && (first..=last).contains(&number)
        }
        None => listed.split('.').next() == Some(register),
    }
}

/// The letters of a register and its number.
fn split(register: &str) -> (&str, Option<u32>) {
    let stem = register.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, register.get(stem.len()..).and_then(|number| number.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn entries_name_one_register_or_a_range() {
        for (listed, register) in
            [("ft0.xy", "ft0"), ("R4-R7", "R5"), ("r4..r6", "r6"), ("RZ", "RZ"), ("r1l", "r1l")]
        {
            assert!(names(listed, register), "{listed} {register}");
        }
        for (listed, register) in
            [("ft0.xy", "ft1"), ("R4-R7", "R8"), ("R4-R7", "P5"), ("r4..r6", "r"), ("", "R1")]
        {
            assert!(!names(listed, register), "{listed} {register}");
        }
    }
}

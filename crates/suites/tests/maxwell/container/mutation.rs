//! What must hold for files that are nearly right.

use shisa_diag::Diagnostic;

/// Reads every file that differs from `bytes` in its length or in one byte. `read` gives what is wrong with a
/// file, or nothing.
pub(crate) fn every(bytes: &[u8], read: impl Fn(&[u8]) -> Result<(), Vec<Diagnostic>>) {
    let holds = |file: &[u8]| {
        let Err(found) = read(file) else { return true };
        assert!(!found.is_empty(), "a refusal says why");
        for d in &found {
            let inside = |l: &shisa_diag::Label| l.span.start <= l.span.end && l.span.end <= file.len();
            assert!(d.labels.iter().all(inside), "{d:?} in {} bytes", file.len());
        }
        false
    };
    assert!(holds(bytes));
    let cut = (0..bytes.len()).filter(|len| holds(&bytes[..*len])).count();
    assert!(cut < bytes.len(), "no cut is noticed");
    let mut file = bytes.to_vec();
    let mut refused = 0;
    for at in 0..bytes.len() {
        let old = bytes[at];
        let values = [0, 0xff, old.wrapping_add(1), old.wrapping_sub(1)];
        for new in values.into_iter().chain((0..8).map(|bit| old ^ 1 << bit)) {
            file[at] = new;
            refused += u32::from(!holds(&file));
        }
        file[at] = old;
    }
    assert!(refused > 0, "no mutation is noticed");
}

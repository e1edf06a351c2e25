//! Sources that are larger than a limit are refused with the limit's diagnostic, and have no other.

use shisa_agal::{AsmOptions, assemble, assemble_macros};
use shisa_diag::Limits;

#[test]
fn sources_are_as_large_as_the_limit() {
    let source = "// agal 1 vertex\nmov op, va0\n";
    for assembled in [assemble, assemble_macros] {
        let of = |file| assembled(source, &AsmOptions::default(), &Limits { file, ..Limits::default() });
        let fits = of(source.len());
        assert_eq!(fits.diagnostics, []);
        assert!(fits.bytes().is_some());
        let refused = of(source.len() - 1);
        let codes: Vec<_> = refused.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["limit-exceeded"]);
        assert!(refused.bytes().is_none());
    }
}

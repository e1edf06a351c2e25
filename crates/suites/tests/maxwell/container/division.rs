//! How the word of a tessellation evaluation program states the division of patches.

use shisa_ir::{Division, DivisionOutput, Domain, Spacing};
use shisa_maxwell::container::Own;

#[test]
fn divisions_are_those_of_the_word() {
    let domains = [Some(Domain::Isolines), Some(Domain::Triangles), Some(Domain::Quads), None];
    let spacings = [Some(Spacing::Equal), Some(Spacing::FractionalOdd), Some(Spacing::FractionalEven), None];
    let outputs = [
        DivisionOutput::Points,
        DivisionOutput::Lines,
        DivisionOutput::Counterclockwise,
        DivisionOutput::Clockwise,
    ];
    for (d, domain) in (0..).zip(domains) {
        for (s, spacing) in (0..).zip(spacings) {
            for (o, output) in (0..).zip(outputs) {
                let want = domain.zip(spacing).map(|(domain, spacing)| Division { domain, spacing, output });
                let mode = d | s << 4 | o << 8;
                assert_eq!(Own::TessellationEvaluation { mode }.division(), want, "{mode:#x}");
            }
        }
    }
}

//! Graphs of programs: what is live.

use shisa::{File, Language, Settings};

/// A procedure that is called twice is in the graph twice. A register that is read only after one of the calls is live in
/// the procedure.
#[test]
fn what_any_caller_reads_is_live_in_a_procedure() {
    let source = ".out o position\n.proc main\ncall f\nmov r1, r0\ncall f\nadd o, r0, r1\nend\n.end\n\
                  .proc f\nmov r0, v1\nadd r0, r0, r0\n.end\n";
    let bytes = shisa::assemble(source, Language::Picasso, &Settings::new()).unwrap().bytes;
    let file = File::open(&bytes, &Settings::new()).unwrap();
    let program = file.program(1).unwrap();
    let graph = program.cfg().unwrap();
    let texts = program.instructions(&shisa::Listing::new()).unwrap();
    let (index, _) = texts
        .iter()
        .enumerate()
        .find(|(_, i)| i.text.as_deref().is_some_and(|t| t.starts_with("mov r0")))
        .unwrap();
    let live = graph.live();
    assert_eq!(live[index].as_deref(), Some(&["r0.xyzw".to_owned(), "r1.xyzw".to_owned()][..]));
}

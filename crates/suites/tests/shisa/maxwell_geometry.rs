//! Geometry programs of Maxwell: each test is one statement of the hardware's public description of OUT, run or checked.
use serde_json::{Value, json};
use shisa::data::engines::Engine;
use shisa::{File, Isa, Language, RunOptions, Settings};
use std::collections::BTreeMap;

const POINTS: &str = "OutputTopology POINTLIST";
const LINES: &str = "OutputTopology LINESTRIP";
const TRIANGLES: &str = "OutputTopology TRIANGLESTRIP";
/// The state of emission before the first vertex.
const START: &str = "MOV R0, RZ\n";
const ALL: [(&str, &str); 2] = [("StreamOutMask", "0xf"), ("MaxOutputVertexCount", "32")];

/// Stores an attribute of the current vertex.
fn set(value: u32) -> String {
    format!("MOV32I R5, {value:#x}\nAST a[0x90], R5, R0\n")
}

/// Stores an attribute and emits the vertex.
fn emit(value: u32, stream: u32) -> String {
    format!("{}OUT.EMIT R0, R0, {stream:#x}\n", set(value))
}

/// Vertices with the values 1 to `count` for stream 0.
fn several(count: u32) -> String {
    (1..=count).map(|value| emit(value, 0)).collect()
}

/// Code with the header of a geometry program; the fields of [`ALL`] apply unless `fields` has others.
fn code(fields: &[&str], source: &str, settings: &Settings) -> Vec<u8> {
    let has = |name: &str| fields.iter().any(|field| field.split(' ').next() == Some(name));
    let common = ["SphType VTG", "Version 3", "ShaderType GEOMETRY", "ThreadsPerInputPrimitive 1"];
    let common = common.into_iter().map(str::to_owned);
    let more = ["ImapGenericVector[0] x", "OmapGenericVector[1] x"].into_iter().map(str::to_owned);
    let rest = ALL.iter().filter(|(name, _)| !has(name)).map(|(name, value)| format!("{name} {value}"));
    let fields = common.chain(fields.iter().map(|field| (*field).to_owned())).chain(more).chain(rest);
    let header: String = fields.map(|field| format!(".sph {field}\n")).collect();
    let line = |line: &str| match line.ends_with(':') {
        true => format!("{line}\n"),
        false => format!("{line} ; {{3f:-:-:-:f}}\n"),
    };
    let lines: String = source.lines().chain(["EXIT"]).map(line).collect();
    let text = format!("// maxwell\n.chip sm_53\n{header}.code \"main\"\n{lines}");
    let mut settings = settings.clone();
    settings.unchecked = true;
    shisa::assemble(&text, Language::Maxwell, &settings).unwrap_or_else(|e| panic!("{e}\n{text}")).bytes
}

/// What a program outputs: the values and the primitives of each stream, and whether the state at its end is damaged.
#[derive(Debug, PartialEq)]
struct Output {
    streams: BTreeMap<u32, (Vec<u32>, Vec<Vec<u64>>)>,
    damaged: bool,
}

impl Output {
    fn values(&self, stream: u32) -> &[u32] {
        self.streams.get(&stream).map_or(&[], |s| &s.0)
    }

    fn primitives(&self, stream: u32) -> &[Vec<u64>] {
        self.streams.get(&stream).map_or(&[], |s| &s.1)
    }
}

/// The result of the evaluator, which all engines have.
fn result(fields: &[&str], source: &str, settings: &Settings) -> shisa::Result<Output> {
    let code = code(fields, source, settings);
    let [result, others @ ..] = Engine::ALL.map(|engine| {
        let mut settings = settings.clone();
        settings.engine = engine;
        on(&code, source, &settings)
    });
    for other in others {
        match (&result, &other) {
            (Ok(one), Ok(other)) => assert_eq!(one, other, "{source}"),
            (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string(), "{source}"),
            _ => panic!("{source}: {result:?} {other:?}"),
        }
    }
    result
}

fn on(code: &[u8], source: &str, settings: &Settings) -> shisa::Result<Output> {
    let file = File::open(code, settings)?;
    let input = json!({ "primitives": [{ "vertices": [{ "in": { "generic0": "00000007" } }] }] });
    let output = file.run_json(&input.to_string(), RunOptions::new())?;
    // Only the evaluator counts instructions, and only it runs traps.
    let evaluated = settings.engine == Engine::Evaluator || source.contains("TRAP");
    assert_eq!(output.get("executed").is_some(), evaluated, "{output}");
    let out = &output["primitives"][0]["out"][0];
    let values = |stream: &Value| -> Vec<u32> {
        let vertices = stream["vertices"].as_array().unwrap();
        let word = |v: &Value| v["generic1"].as_str().map_or(0, |w| u32::from_str_radix(w, 16).unwrap());
        vertices.iter().map(word).collect()
    };
    let indices = |stream: &Value| -> Vec<Vec<u64>> {
        let primitives = stream["primitives"].as_array().unwrap();
        primitives
            .iter()
            .map(|p| p.as_array().unwrap().iter().map(|i| i.as_u64().unwrap()).collect())
            .collect()
    };
    let streams = out["streams"].as_object().unwrap();
    Ok(Output {
        streams: streams.iter().map(|(n, s)| (n.parse().unwrap(), (values(s), indices(s)))).collect(),
        damaged: out["damaged"] == json!(true),
    })
}

fn settings() -> Settings {
    Settings::new().isa(Isa::Maxwell)
}

fn ran(fields: &[&str], source: &str) -> Output {
    result(fields, source, &settings()).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

/// The codes of what `check` finds.
fn found(fields: &[&str], source: &str) -> Vec<&'static str> {
    let code = code(fields, source, &settings());
    let file = File::open(&code, &settings()).unwrap();
    file.check().unwrap().iter().map(|found| found.diagnostic.code).collect()
}

fn finds(code: &str, fields: &[&str], source: &str) -> bool {
    found(fields, source).contains(&code)
}

mod emission {
    use super::*;

    /// EMIT finishes the vertex whose attributes were stored before it.
    #[test]
    fn a_vertex_has_what_was_stored_before_it() {
        assert_eq!(ran(&[POINTS], &format!("{START}{}", several(2))).values(0), [1, 2]);
    }

    /// EMIT finishes the current vertex only: what is stored later belongs to the next one.
    #[test]
    fn a_vertex_lacks_what_is_stored_after_it() {
        let source = format!("{START}{}{}", emit(1, 0), set(9));
        assert_eq!(ran(&[POINTS], &source).values(0), [1]);
    }

    /// The latest store to an attribute counts.
    #[test]
    fn a_vertex_has_the_latest_value() {
        let source = format!("{START}{}{}", set(3), emit(4, 0));
        assert_eq!(ran(&[POINTS], &source).values(0), [4]);
    }

    /// A program without EMIT outputs nothing.
    #[test]
    fn nothing_is_output_without_emission() {
        let output = ran(&[POINTS], &format!("{START}{}", set(1)));
        assert_eq!(output, Output { streams: BTreeMap::new(), damaged: false });
    }

    /// Each EMIT outputs one point of a list of points.
    #[test]
    fn points_need_one_vertex_each() {
        let output = ran(&[POINTS], &format!("{START}{}", several(3)));
        assert_eq!(output.primitives(0), [vec![0], vec![1], vec![2]]);
    }

    /// A predicate that is false masks off EMIT.
    #[test]
    fn emission_obeys_its_predicate() {
        let source = format!("{START}{}@!PT OUT.EMIT R0, R0, RZ\n{}", set(1), emit(2, 0));
        assert_eq!(ran(&[POINTS], &source).values(0), [2]);
    }

    /// EMIT in a loop outputs a vertex in each iteration.
    #[test]
    fn loops_emit() {
        let source = format!(
            "{START}MOV R6, RZ\nloop:\nIADD R6, R6, 0x1\nAST a[0x90], R6, R0\nOUT.EMIT R0, R0, RZ\n\
             ISETP.LT.AND P0, PT, R6, 0x3, PT\n@P0 BRA loop"
        );
        assert_eq!(ran(&[POINTS], &source).values(0), [1, 2, 3]);
    }

    /// EMIT_THEN_CUT finishes a vertex, too.
    #[test]
    fn emit_then_cut_emits() {
        let source = format!("{START}{}OUT.EMIT_THEN_CUT R0, R0, RZ", set(5));
        assert_eq!(ran(&[POINTS], &source).values(0), [5]);
    }

    /// CUT finishes no vertex.
    #[test]
    fn cut_does_not_emit() {
        let source = format!("{START}{}OUT.CUT R0, R0, RZ", set(5));
        assert_eq!(ran(&[POINTS], &source).values(0), [0; 0]);
    }

    /// The fourth type of OUT is invalid.
    #[test]
    fn the_fourth_type_is_an_error() {
        let source = format!("{START}OUT.INVALIDOUTSTYPE0 R0, R0, RZ");
        assert!(finds("maxwell-out-type", &[POINTS], &source), "{:?}", found(&[POINTS], &source));
    }
}

mod streams {
    use super::*;

    fn to(stream: u32) -> Output {
        ran(&[POINTS], &format!("{START}{}", emit(1, stream)))
    }

    /// The last operand is the number of a stream: 0.
    #[test]
    fn number_0() {
        assert_eq!(to(0).values(0), [1]);
    }

    /// The last operand is the number of a stream: 1.
    #[test]
    fn number_1() {
        assert_eq!(to(1).values(1), [1]);
    }

    /// The last operand is the number of a stream: 2.
    #[test]
    fn number_2() {
        assert_eq!(to(2).values(2), [1]);
    }

    /// The last operand is the number of a stream: 3.
    #[test]
    fn number_3() {
        assert_eq!(to(3).values(3), [1]);
    }

    /// A vertex goes to no other stream.
    #[test]
    fn a_vertex_has_one_stream() {
        assert_eq!(to(2).streams.len(), 1);
    }

    /// Only the lower two bits of an immediate count.
    #[test]
    fn upper_bits_of_a_number_are_ignored() {
        assert_eq!(to(0x7fffd).values(1), [1]);
    }

    /// An immediate with upper bits is suspicious.
    #[test]
    fn upper_bits_of_a_number_are_reported() {
        assert!(finds("maxwell-out-stream", &[POINTS], &format!("{START}{}", emit(1, 5))));
    }

    /// A register may hold the stream's number.
    #[test]
    fn a_register_names_a_stream() {
        let source = format!("{START}MOV32I R7, 0x3\n{}OUT.EMIT R0, R0, R7", set(8));
        assert_eq!(ran(&[POINTS], &source).values(3), [8]);
    }

    /// The upper thirty bits of the register are ignored.
    #[test]
    fn upper_bits_of_a_register_are_ignored() {
        let source = format!("{START}MOV32I R7, 0xfffffffe\n{}OUT.EMIT R0, R0, R7", set(8));
        assert_eq!(ran(&[POINTS], &source).values(2), [8]);
    }

    /// RZ is stream 0.
    #[test]
    fn the_zero_register_is_stream_0() {
        let source = format!("{START}{}OUT.EMIT R0, R0, RZ", set(8));
        assert_eq!(ran(&[POINTS], &source).values(0), [8]);
    }

    /// EMIT_THEN_CUT takes a stream as well.
    #[test]
    fn emit_then_cut_names_a_stream() {
        let source = format!("{START}{}OUT.EMIT_THEN_CUT R0, R0, 0x2", set(8));
        assert_eq!(ran(&[POINTS], &source).values(2), [8]);
    }

    /// The last operand of CUT is RZ; another register is an error.
    #[test]
    fn cut_takes_no_register() {
        let source = format!("{START}{}MOV R7, RZ\nOUT.CUT R0, R0, R7", several(1));
        assert!(finds("maxwell-out-cut", &[POINTS], &source));
    }

    /// The last operand of CUT is RZ; a number is an error.
    #[test]
    fn cut_takes_no_number() {
        let source = format!("{START}{}OUT.CUT R0, R0, 0x0", several(1));
        assert!(finds("maxwell-out-cut", &[POINTS], &source));
    }

    /// RZ after CUT is not reported.
    #[test]
    fn cut_takes_the_zero_register() {
        let source = format!("{START}{}OUT.CUT R0, R0, RZ", several(1));
        assert!(!finds("maxwell-out-cut", &[POINTS], &source));
    }

    /// A stream that the header lacks gets nothing.
    #[test]
    fn disabled_streams_get_nothing() {
        let source = format!("{START}{}{}", emit(1, 0), emit(2, 1));
        let output = ran(&[POINTS, "StreamOutMask 0x1"], &source);
        assert_eq!((output.values(0), output.values(1)), (&[1][..], &[][..]));
    }

    /// A vertex for a stream that the header lacks is suspicious.
    #[test]
    fn disabled_streams_are_reported() {
        let source = format!("{START}{}", emit(2, 1));
        assert!(finds("maxwell-out-stream-mask", &[POINTS, "StreamOutMask 0x1"], &source));
    }
}

mod strips {
    use super::*;

    const CUT: &str = "OUT.CUT R0, R0, RZ\n";

    /// Without CUT, lines of a strip share vertices.
    #[test]
    fn lines_share_vertices() {
        let output = ran(&[LINES], &format!("{START}{}", several(3)));
        assert_eq!(output.primitives(0), [vec![0, 1], vec![1, 2]]);
    }

    /// CUT ends a strip of lines at the last vertex.
    #[test]
    fn cut_ends_a_strip_of_lines() {
        let source = format!("{START}{}{CUT}{}", several(2), several(2));
        assert_eq!(ran(&[LINES], &source).primitives(0), [vec![0, 1], vec![2, 3]]);
    }

    /// CUT ends a strip of triangles at the last vertex.
    #[test]
    fn cut_ends_a_strip_of_triangles() {
        let source = format!("{START}{}{CUT}{}", several(3), several(3));
        assert_eq!(ran(&[TRIANGLES], &source).primitives(0), [vec![0, 1, 2], vec![3, 4, 5]]);
    }

    /// EMIT_THEN_CUT ends the strip after its vertex.
    #[test]
    fn emit_then_cut_ends_a_strip() {
        let source = format!("{START}{}{}OUT.EMIT_THEN_CUT R0, R0, RZ\n{}", several(1), set(2), several(2));
        assert_eq!(ran(&[LINES], &source).primitives(0), [vec![0, 1], vec![2, 3]]);
    }

    /// CUT discards a line that has one vertex.
    #[test]
    fn cut_discards_half_a_line() {
        let source = format!("{START}{}{CUT}{}", several(1), several(2));
        assert_eq!(ran(&[LINES], &source).primitives(0), [vec![1, 2]]);
    }

    /// CUT discards a triangle that has two vertices.
    #[test]
    fn cut_discards_two_corners() {
        let source = format!("{START}{}{CUT}{}", several(2), several(3));
        assert_eq!(ran(&[TRIANGLES], &source).primitives(0), [vec![2, 3, 4]]);
    }

    /// EMIT_THEN_CUT discards an incomplete primitive.
    #[test]
    fn emit_then_cut_discards_what_is_incomplete() {
        let source = format!("{START}{}OUT.EMIT_THEN_CUT R0, R0, RZ\n{}", set(1), several(2));
        assert_eq!(ran(&[LINES], &source).primitives(0), [vec![1, 2]]);
    }

    /// EMIT_THEN_CUT keeps a primitive that its own vertex completes.
    #[test]
    fn emit_then_cut_completes() {
        let source = format!("{START}{}{}OUT.EMIT_THEN_CUT R0, R0, RZ", several(2), set(3));
        assert_eq!(ran(&[TRIANGLES], &source).primitives(0), [vec![0, 1, 2]]);
    }

    /// CUT does not take back complete primitives of its strip.
    #[test]
    fn cut_keeps_what_is_complete() {
        let source = format!("{START}{}{CUT}", several(4));
        assert_eq!(ran(&[TRIANGLES], &source).primitives(0), [vec![0, 1, 2], vec![2, 1, 3]]);
    }

    /// Points are complete: CUT discards none.
    #[test]
    fn cut_discards_no_points() {
        let source = format!("{START}{}{CUT}{}", several(1), several(1));
        assert_eq!(ran(&[POINTS], &source).primitives(0), [vec![0], vec![1]]);
    }

    /// A second CUT changes nothing.
    #[test]
    fn two_cuts_are_one() {
        let source = format!("{START}{}{CUT}{CUT}{}", several(2), several(2));
        assert_eq!(ran(&[LINES], &source).primitives(0), [vec![0, 1], vec![2, 3]]);
    }

    /// CUT before the first vertex changes nothing.
    #[test]
    fn a_cut_at_the_start_does_nothing() {
        let source = format!("{START}{CUT}{}", several(2));
        assert_eq!(ran(&[LINES], &source).primitives(0), [vec![0, 1]]);
    }

    /// A predicate that is false masks off CUT.
    #[test]
    fn cut_obeys_its_predicate() {
        let source = format!("{START}{}@!PT {CUT}{}", several(2), emit(3, 0));
        assert_eq!(ran(&[LINES], &source).primitives(0), [vec![0, 1], vec![1, 2]]);
    }

    /// The end of the program discards what is incomplete.
    #[test]
    fn the_end_discards_what_is_incomplete() {
        assert_eq!(ran(&[TRIANGLES], &format!("{START}{}", several(2))).primitives(0), [[0; 0]; 0]);
    }

    /// A change of the stream cuts the strip of the stream that is left.
    #[test]
    fn a_change_of_stream_cuts() {
        let source = format!("{START}{}{}{}", several(2), emit(9, 1), several(2));
        assert_eq!(ran(&[LINES], &source).primitives(0), [vec![0, 1], vec![2, 3]]);
    }

    /// A change of the stream discards incomplete primitives on both sides.
    #[test]
    fn a_change_of_stream_discards() {
        let source = format!("{START}{}{}{}", emit(1, 0), emit(2, 1), emit(3, 0));
        let output = ran(&[LINES], &source);
        assert_eq!((output.primitives(0), output.primitives(1)), (&[][..], &[][..]));
    }

    /// A vertex for a disabled stream cuts as well.
    #[test]
    fn a_disabled_stream_cuts() {
        let source = format!("{START}{}{}{}", several(2), emit(9, 1), several(2));
        let output = ran(&[LINES, "StreamOutMask 0x1"], &source);
        assert_eq!(output.primitives(0), [vec![0, 1], vec![2, 3]]);
    }

    /// Streams that differ in ignored bits only are the same stream.
    #[test]
    fn ignored_bits_change_no_stream() {
        let source = format!("{START}{}{}", emit(1, 1), emit(2, 5));
        assert_eq!(ran(&[LINES], &source).primitives(1), [vec![0, 1]]);
    }

    /// A strip that ends with too few vertices is suspicious.
    #[test]
    fn short_strips_are_reported() {
        assert!(finds("maxwell-out-strip", &[TRIANGLES], &format!("{START}{}{CUT}", several(2))));
    }
}

mod state {
    use super::*;

    /// The state is read from one register and written to another.
    #[test]
    fn the_state_moves_to_the_destination() {
        let source = format!("{START}{}OUT.EMIT R4, R0, RZ\nMOV R0, R4", set(6));
        assert_eq!(ran(&[POINTS], &source).values(0), [6]);
    }

    /// The state must start as 0.
    #[test]
    fn the_state_starts_as_zero() {
        let output = ran(&[POINTS], &format!("MOV32I R0, 0x5\n{}", emit(1, 0)));
        assert_eq!(output, Output { streams: BTreeMap::new(), damaged: true });
    }

    /// A state that does not start as 0 is an error.
    #[test]
    fn another_start_is_reported() {
        assert!(finds("maxwell-out-state", &[POINTS], &format!("MOV32I R0, 0x5\n{}", emit(1, 0))));
    }

    /// A program must not change the state.
    #[test]
    fn a_changed_state_is_damaged() {
        let source = format!("{START}{}IADD R0, R0, 0x1\n{}", emit(1, 0), emit(2, 0));
        assert!(ran(&[POINTS], &source).damaged);
    }

    /// A change of the state is an error.
    #[test]
    fn a_changed_state_is_reported() {
        let source = format!("{START}{}IADD R0, R0, 0x1\n{}", emit(1, 0), emit(2, 0));
        assert!(finds("maxwell-out-state", &[POINTS], &source));
    }

    /// OUT leaves its destination alone if the state is damaged.
    #[test]
    fn a_damaged_state_is_not_passed_on() {
        // R0 keeps the good state of the first vertex.
        let source = format!("{START}{}MOV32I R4, 0x3\nOUT.EMIT R0, R4, RZ", emit(1, 0));
        assert_eq!(ran(&[POINTS], &source), ran(&[POINTS], &format!("{START}{}", emit(1, 0))));
    }

    /// OUT with a damaged state emits nothing, and the program goes on.
    #[test]
    fn a_damaged_state_emits_nothing() {
        let source = format!("{START}MOV32I R4, 0x3\n{}OUT.EMIT R4, R4, RZ\n{}", set(8), emit(1, 0));
        assert_eq!(ran(&[POINTS], &source).values(0), [1]);
    }

    /// The trap of OUT is optional.
    #[test]
    fn out_traps_if_asked_to() {
        let mut settings = settings();
        assert!(settings.maxwell.options.set("damaged-state", "traps"));
        let error = result(&[POINTS], "MOV32I R0, 0x5\nOUT.EMIT R0, R0, RZ", &settings).unwrap_err();
        assert_eq!(error.diagnostics[0].code, "maxwell-run-trap");
    }

    /// AST takes the state; with a damaged one it stores nothing.
    #[test]
    fn a_damaged_state_suppresses_stores() {
        let source = format!(
            "{START}{}MOV32I R4, 0x3\nMOV32I R5, 0x63\nAST a[0x90], R5, R4\n\
            OUT.EMIT R0, R0, RZ",
            set(7)
        );
        assert_eq!(ran(&[POINTS], &source).values(0), [7]);
    }

    /// AST without the state is an error after the first vertex; before it the state is 0.
    #[test]
    fn stores_take_the_state() {
        let source = format!("{START}{}MOV32I R5, 0x63\nAST a[0x90], R5\nOUT.EMIT R0, R0, RZ", several(1));
        assert!(finds("maxwell-out-store", &[POINTS], &source));
    }

    /// The trap of AST is optional.
    #[test]
    fn stores_trap_if_asked_to() {
        let mut settings = settings();
        assert!(settings.maxwell.options.set("damaged-state", "traps"));
        let error = result(&[POINTS], "MOV32I R0, 0x5\nAST a[0x90], RZ, R0", &settings).unwrap_err();
        assert_eq!(error.diagnostics[0].code, "maxwell-run-trap");
    }
}

mod end {
    use super::*;

    /// The hardware's last OUT takes R0: vertices that it does not count are lost.
    #[test]
    fn an_old_state_in_r0_loses_vertices() {
        let source = format!("{START}{}{}OUT.EMIT R4, R0, RZ", several(2), set(3));
        assert_eq!(ran(&[POINTS], &source).values(0), [1, 2]);
    }

    /// The hardware's last OUT emits no vertex.
    #[test]
    fn the_last_out_emits_nothing() {
        assert_eq!(ran(&[POINTS], &format!("{START}{}{}", several(1), set(9))).values(0), [1]);
    }

    /// A damaged R0 at the end loses the output.
    #[test]
    fn a_damaged_r0_loses_all() {
        let source = format!("{START}{}MOV32I R0, 0x63", several(2));
        assert_eq!(ran(&[POINTS], &source), Output { streams: BTreeMap::new(), damaged: true });
    }

    /// R0 must have the state wherever a thread may end.
    #[test]
    fn every_exit_needs_the_state() {
        let source = format!("{START}{}MOV R4, R0\nMOV R0, R5\n@P0 EXIT\nMOV R0, R4", several(1));
        assert!(finds("maxwell-out-exit", &[POINTS], &source));
    }

    /// An early end outputs what was emitted up to there.
    #[test]
    fn an_early_exit_outputs() {
        let source = format!("{START}{}EXIT\n{}", several(1), several(2));
        assert_eq!(ran(&[POINTS], &source).values(0), [1]);
    }

    /// A program that has R0 as its state has no findings.
    #[test]
    fn r0_as_the_state_is_not_reported() {
        let source = format!("{START}{}", several(2));
        assert!(!found(&[POINTS], &source).iter().any(|code| code.starts_with("maxwell-out")));
    }

    /// The header bounds the number of vertices: those beyond it are dropped.
    #[test]
    fn the_header_bounds_vertices() {
        let output = ran(&[POINTS, "MaxOutputVertexCount 2"], &format!("{START}{}", several(4)));
        assert_eq!((output.values(0), output.damaged), (&[1, 2][..], false));
    }

    /// A state with more vertices than the header allows is damaged, so that nothing is written outside of the buffer.
    #[test]
    fn a_state_beyond_the_header_is_damaged() {
        // The state of three vertices in a program that may emit two.
        let state = ((3 * 0x9e37) & 0xffff) << 16 | 3;
        let source = format!("{START}{}MOV32I R0, {state:#x}", several(1));
        assert!(ran(&[POINTS, "MaxOutputVertexCount 2"], &source).damaged);
    }
}

mod fast {
    use super::*;

    const FAST: &str = "IsFastGs 1";

    /// OUT does nothing in a fast program: it outputs its input vertex, with the value that was stored last.
    #[test]
    fn out_does_nothing() {
        let output = ran(&[POINTS, FAST], &format!("{START}{}", several(2)));
        assert_eq!((output.values(0), output.primitives(0)), (&[2][..], &[vec![0]][..]));
        assert_eq!(output.streams.len(), 1);
    }

    /// Vertices of the input primitive are output with the attributes that the header has as outputs; what the program
    /// stores replaces the attribute of all vertices.
    #[test]
    fn vertices_are_passed() {
        let fields = [TRIANGLES, FAST, "OmapGenericVector[0] x", "OmapSystemValuesB PositionX PositionY"];
        let code = code(&fields, &set(0x55), &settings());
        let file = File::open(&code, &settings()).unwrap();
        let vertex = |n: u32| {
            let word = format!("{n:08x}");
            json!({ "in": { "generic0": word, "generic1": "00000009", "generic2": "00000008", "position": [n, 0, 0, 1] } })
        };
        let input = json!({ "primitives": [{ "vertices": [vertex(1), vertex(2), vertex(3)] }] });
        let output = file.run_json(&input.to_string(), RunOptions::new()).unwrap();
        let stream = &output["primitives"][0]["out"][0]["streams"]["0"];
        assert_eq!(stream["primitives"], json!([[0, 1, 2]]));
        let vertices = stream["vertices"].as_array().unwrap();
        let has = |n: usize, name: &str| {
            vertices[n][name].as_str().unwrap_or("").split(' ').next().unwrap().to_owned()
        };
        for (n, own) in ["00000001", "00000002", "00000003"].into_iter().enumerate() {
            assert_eq!([has(n, "generic0"), has(n, "generic1"), has(n, "generic2")], [own, "00000055", ""]);
        }
        assert_eq!(has(2, "position"), "40400000");
    }

    /// OUT in a fast program leaves its destination alone.
    #[test]
    fn out_writes_nothing() {
        // A trap would end the run with an error.
        let source = "MOV32I R0, 0x9\nOUT.EMIT R0, RZ, RZ\nISETP.EQ.AND P0, PT, R0, 0x9, PT\n@P0 BRA sound\n\
            BPT.TRAP 0x1\nsound:";
        ran(&[POINTS, FAST], source);
    }

    /// R0 needs no value at the end of a fast program.
    #[test]
    fn r0_is_free() {
        assert!(!ran(&[POINTS, FAST], "MOV32I R0, 0x63").damaged);
        assert!(!finds("maxwell-out-exit", &[POINTS, FAST], "MOV32I R0, 0x63"));
    }

    /// OUT in a fast program is worth a note.
    #[test]
    fn out_is_reported() {
        assert!(finds("maxwell-out-fast", &[POINTS, FAST], &format!("{START}{}", several(1))));
    }
}

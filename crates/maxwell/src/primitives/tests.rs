//! The description of OUT for SPA 5.0, sentence by sentence.
//!
//! Each test names the part of the description and the number of the sentence in it (`.EMIT 2`, *Description 5*), and
//! says in other words what the sentence demands. A program is a line of words: a number sets the vertex's attribute,
//! `e1` emits the vertex to stream 1, `x1` emits it and ends the strip, `c` ends the strip, all with the state in `R0`;
//! `.` ends the program, and anything with a blank is an instruction. What a program emits is written
//! `STREAM: PRIMITIVE, PRIMITIVE; …`, each primitive as the attributes of its vertices.

use super::{Emitted, STREAMS, Stream};
use crate::code::tests::words;
use crate::container::Sph;
use crate::{
    DamagedState, Drawing, OUTPUTS, Options, Program, REGISTERS, Sequencer, ShaderStage, emitted, lift,
};
use alloc::string::{String, ToString};
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, LaneView, Machine, NoObserver};
use shisa_ir::{Reg, Stage};

const POINTS: u32 = 1;
const LINES: u32 = 6;
const TRIANGLES: u32 = 7;

/// The component that programs store: `a[0x80]`.
const ATTRIBUTE: u16 = 0x80 / 4;

/// The header of a test's program: topology, most vertices, enabled streams, other fields.
#[derive(Clone, Copy)]
struct Head(u32, u32, u32, &'static [(&'static str, u32)]);

const LISTS: Head = Head(POINTS, 64, 15, &[]);
const STRIPS: Head = Head(LINES, 64, 15, &[]);
const FANS: Head = Head(TRIANGLES, 64, 15, &[]);
const FAST: Head = Head(POINTS, 64, 15, &[("IsFastGs", 1)]);

impl Head {
    fn header(self) -> Sph {
        let mut header = Sph::new(ShaderStage::Geometry).unwrap();
        let Head(topology, most, mask, others) = self;
        let own = [("OutputTopology", topology), ("MaxOutputVertexCount", most), ("StreamOutMask", mask)];
        for (name, value) in own.iter().chain(others) {
            header.set(&format!(" {name} {value}"), 0).unwrap();
        }
        // The attribute that programs store.
        header.set(" OmapGenericVector[0] xyzw", 0).unwrap();
        header
    }
}

/// What a program left.
struct Ran {
    streams: [Stream<u32>; STREAMS],
    sound: bool,
    registers: [u32; 8],
    /// How many vertices the environment received.
    received: usize,
}

#[derive(Default)]
struct Assembler {
    emitted: Emitted<u32>,
    received: usize,
}

impl Environment for Assembler {
    fn emit_vertex(&mut self, vertex: u32, stream: u32, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        self.received += 1;
        self.emitted.vertex(vertex, stream, outputs.register(Reg::new(OUTPUTS, ATTRIBUTE))?);
        Ok(())
    }

    fn end_strip(&mut self, _: usize, vertex: u32) -> Result<(), Diagnostic> {
        self.emitted.end_strip(vertex);
        Ok(())
    }

    fn load(
        &mut self,
        _: shisa_ir::Space,
        _: usize,
        address: u64,
        bytes: &mut [u8],
    ) -> Result<(), Diagnostic> {
        // Bank 0 holds the number of each of its words.
        bytes.copy_from_slice(&((address / 4) as u32).to_le_bytes());
        Ok(())
    }
}

/// The instructions of a line of words.
fn lines(program: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for part in program.split('|').map(str::trim).filter(|part| !part.is_empty()) {
        if part.contains(' ') && part.contains(char::is_uppercase) || part.ends_with(':') {
            lines.push(part.to_string());
            continue;
        }
        for word in part.split(' ') {
            let stream = word.get(1..).filter(|s| !s.is_empty()).unwrap_or("0");
            match word.as_bytes()[0] {
                b'e' => lines.push(format!("OUT.EMIT R0, R0, {}", number(stream))),
                b'x' => lines.push(format!("OUT.EMIT_THEN_CUT R0, R0, {}", number(stream))),
                b'c' => lines.push("OUT.CUT R0, R0, RZ".into()),
                b'.' => lines.push("EXIT".into()),
                _ => {
                    lines.push(format!("MOV32I R1, {:#x}", word.parse::<u32>().unwrap()));
                    lines.push("AST a[0x80], R1, R0".into());
                }
            }
        }
    }
    lines
}

/// `0x0` is not written: compilers write RZ.
fn number(stream: &str) -> String {
    if stream == "0" { "RZ".into() } else { format!("0x{stream}") }
}

fn execute(head: Option<Head>, options: Options, program: &str) -> Result<Ran, Diagnostic> {
    let header = head.map(Head::header);
    let code = words(&lines(&format!("{program} | .")).join("\n"));
    let drawing = Drawing::new(ShaderStage::Geometry, header, options);
    let code = Program { stage: Stage::Geometry, code, workgroup: [32, 1, 1], drawing: Some(drawing) };
    let lifted = lift(&code).map_err(|mut faults| faults.remove(0))?;
    let plan = shisa_eval::Program::new(&lifted, &Limits::default())?;
    let mut machine = Machine::new(&plan, &Sequencer, 8, 1);
    let mut assembler = Assembler::default();
    machine.run(&mut assembler, &mut NoObserver, &Limits::default())?;
    let registers: [u32; 8] =
        core::array::from_fn(|n| machine.register(Reg::new(REGISTERS, n as u16), 0).unwrap());
    let mut streams = <[Stream<u32>; STREAMS]>::default();
    let sound = assembler.emitted.finish(registers[0], header.as_ref(), &mut streams);
    Ok(Ran { streams, sound, registers, received: assembler.received })
}

fn ran(head: Head, program: &str) -> Ran {
    execute(Some(head), Options::DEFAULT, program).unwrap_or_else(|d| panic!("{program}: {d}"))
}

/// The streams that have vertices, with their primitives.
fn primitives(ran: &Ran) -> String {
    let one = |(number, stream): (usize, &Stream<u32>)| {
        let primitive = |corners: &Vec<usize>| {
            corners.iter().map(|v| stream.vertices[*v].to_string()).collect::<Vec<_>>().join(" ")
        };
        format!("{number}: {}", stream.primitives.iter().map(primitive).collect::<Vec<_>>().join(", "))
    };
    let used = ran.streams.iter().enumerate().filter(|(_, stream)| !stream.vertices.is_empty());
    used.map(one).collect::<Vec<_>>().join("; ")
}

/// A geometry stage of other languages: it counts vertices and has no state of emission.
#[derive(Default)]
struct OtherStage {
    /// The stream and the attribute of each vertex, and whether a strip ended before it.
    vertices: Vec<(u32, u32, bool)>,
    ended: bool,
    most: u32,
}

impl Environment for OtherStage {
    fn emit_vertex(&mut self, _: u32, stream: u32, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        if self.vertices.len() < self.most as usize {
            let ended = core::mem::take(&mut self.ended);
            self.vertices.push((stream, outputs.register(Reg::new(OUTPUTS, ATTRIBUTE))?, ended));
        }
        Ok(())
    }

    fn end_strip(&mut self, _: usize, _: u32) -> Result<(), Diagnostic> {
        self.ended = true;
        Ok(())
    }

    fn load(
        &mut self,
        _: shisa_ir::Space,
        _: usize,
        address: u64,
        bytes: &mut [u8],
    ) -> Result<(), Diagnostic> {
        bytes.copy_from_slice(&((address / 4) as u32).to_le_bytes());
        Ok(())
    }
}

/// The streams with their primitives as the program outputs them without a state of emission, the form in which it is
/// translated; `None` if it is not translated.
fn stage(head: Head, program: &str) -> Option<String> {
    let code = words(&lines(&format!("{program} | .")).join("\n"));
    let graph = crate::code::Graph::new(&code, &crate::flow::Targets::default(), crate::Ctx::default());
    let header = head.header();
    if header.get("IsFastGs") == Some(1) || !crate::rules::without_state(&graph).is_empty() {
        return None;
    }
    let drawing = Drawing::new(ShaderStage::Geometry, Some(header), Options::DEFAULT);
    let drawing = Some(Drawing { keeps_state: true, ..drawing });
    let lifted = lift(&Program { stage: Stage::Geometry, code, workgroup: [32, 1, 1], drawing }).unwrap();
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let mut other = OtherStage { most: head.1, ..OtherStage::default() };
    Machine::new(&plan, &Sequencer, 8, 1).run(&mut other, &mut NoObserver, &Limits::default()).unwrap();
    let mut streams = <[Vec<Vec<u32>>; STREAMS]>::default();
    let mut last = None;
    for (stream, attribute, ended) in other.vertices {
        let strips = &mut streams[stream as usize];
        if ended || last != Some(stream) || strips.is_empty() {
            strips.push(Vec::new());
        }
        strips.last_mut().unwrap().push(attribute);
        last = Some(stream);
    }
    // The primitives of a strip, by their definition and without the code that is tested.
    let primitive = |strip: &[u32], size: usize| -> Vec<String> {
        let text = |(i, corners): (usize, &[u32])| {
            let mut corners: Vec<String> = corners.iter().map(u32::to_string).collect();
            if size == 3 && i % 2 == 1 {
                corners.swap(0, 1);
            }
            corners.join(" ")
        };
        strip.windows(size).enumerate().map(text).collect()
    };
    let size = match head.0 {
        POINTS => 1,
        LINES => 2,
        _ => 3,
    };
    let enabled = |(n, strips): &(usize, Vec<Vec<u32>>)| head.2 >> n & 1 != 0 && !strips.is_empty();
    let streams = streams.into_iter().enumerate().filter(enabled);
    let one = |(n, strips): (usize, Vec<Vec<u32>>)| {
        let all: Vec<String> = strips.iter().flat_map(|strip| primitive(strip, size)).collect();
        format!("{n}: {}", all.join(", "))
    };
    Some(streams.map(one).collect::<Vec<_>>().join("; "))
}

/// Tests of programs that emit primitives.
macro_rules! emits {
    ($($(#[doc = $sentence:literal])+ $name:ident: $head:expr, $program:literal => $expected:literal;)*) => {
        $($(#[doc = $sentence])+ #[test] fn $name() {
            let ran = ran($head, $program);
            assert!(ran.sound, "R0 holds {:#x}", ran.registers[0]);
            assert_eq!(primitives(&ran), $expected);
            if let Some(translated) = stage($head, $program) {
                assert_eq!(translated, $expected, "as translators get it");
            }
        })*
    };
}

emits! {
    /// `.EMIT 1`: the vertex that is being written is complete.
    emit_completes_a_vertex: LISTS, "5 e" => "0: 5";
    /// `.EMIT 1`: each emission completes one vertex.
    each_emit_completes_one_vertex: LISTS, "5 e 6 e 7 e" => "0: 5, 6, 7";
    /// `.EMIT 1`: what is stored after it belongs to the next vertex.
    stores_after_an_emission_belong_to_the_next_vertex: LISTS, "5 e 6" => "0: 5";
    /// `.EMIT 2`: the vertex goes to the stream of a number.
    a_number_selects_the_stream: LISTS, "5 e2" => "2: 5";
    /// `.EMIT 2`: stream 1.
    stream_1_receives_its_vertex: LISTS, "5 e1" => "1: 5";
    /// `.EMIT 2`: stream 3.
    stream_3_receives_its_vertex: LISTS, "5 e3" => "3: 5";
    /// `.EMIT 2`: all four streams of one program.
    four_streams_receive_their_vertices: LISTS, "1 e 2 e1 3 e2 4 e3" => "0: 1; 1: 2; 2: 3; 3: 4";
    /// `.EMIT 2`: only two bits count, so 5 is stream 1.
    a_number_past_3_selects_by_two_bits: LISTS, "5 e5" => "1: 5";
    /// `.CUT 1`: the strip ends with the last vertex emitted.
    cut_ends_the_strip_at_the_last_vertex: STRIPS, "1 e 2 e | c | 3 e 4 e" => "0: 1 2, 3 4";
    /// `.CUT 1`: without it the strip continues.
    without_a_cut_the_strip_continues: STRIPS, "1 e 2 e 3 e 4 e" => "0: 1 2, 2 3, 3 4";
    /// `.CUT 1`: the vertex that is being written is not part of the strip that ends, and is not lost.
    cut_leaves_the_vertex_being_written: STRIPS, "1 e 2 e 3 c e 4 e" => "0: 1 2, 3 4";
    /// `.CUT 1`: two cuts end one strip.
    a_second_cut_changes_nothing: STRIPS, "1 e 2 e c c 3 e 4 e" => "0: 1 2, 3 4";
    /// `.CUT 1`: a strip of triangles begins anew, with its first winding.
    cut_begins_a_strip_of_triangles_anew: FANS, "1 e 2 e 3 e 4 e c 5 e 6 e 7 e" => "0: 1 2 3, 3 2 4, 5 6 7";
    /// `.CUT 2`: a line of one vertex is discarded.
    cut_discards_a_line_of_one_vertex: STRIPS, "1 e c 2 e 3 e" => "0: 2 3";
    /// `.CUT 2`: a triangle of two vertices is discarded.
    cut_discards_a_triangle_of_two_vertices: FANS, "1 e 2 e c 3 e 4 e 5 e" => "0: 3 4 5";
    /// `.CUT 2`: a triangle of one vertex is discarded.
    cut_discards_a_triangle_of_one_vertex: FANS, "1 e c 2 e 3 e 4 e" => "0: 2 3 4";
    /// `.CUT 2`: a point is complete with one vertex.
    cut_never_discards_points: LISTS, "1 e c 2 e c" => "0: 1, 2";
    /// `.CUT 2`: nothing is emitted, so there is nothing to discard.
    cut_before_any_vertex_does_nothing: FANS, "c 1 e 2 e 3 e" => "0: 1 2 3";
    /// `.EMIT_THEN_CUT 1`: the vertex is complete, and after it the strip ends.
    emit_then_cut_does_both_in_this_order: STRIPS, "1 e 2 x 3 e 4 x" => "0: 1 2, 3 4";
    /// `.EMIT_THEN_CUT 1`: the vertex goes to its stream.
    emit_then_cut_selects_a_stream: LISTS, "1 x2" => "2: 1";
    /// `.EMIT_THEN_CUT 1`: the same as both instructions.
    emit_then_cut_equals_emit_and_cut: FANS, "1 e 2 e 3 x 4 e 5 e 6 e c" => "0: 1 2 3, 4 5 6";
    /// `.EMIT_THEN_CUT 2`: a line of one vertex is discarded.
    emit_then_cut_discards_a_line_of_one_vertex: STRIPS, "1 x 2 e 3 e" => "0: 2 3";
    /// `.EMIT_THEN_CUT 2`: a triangle of two vertices is discarded.
    emit_then_cut_discards_a_triangle_of_two_vertices: FANS, "1 e 2 x 3 e 4 e 5 e" => "0: 3 4 5";
    /// *Sources 1*: the stream is in a register.
    a_register_selects_the_stream: LISTS, "5 | MOV32I R4, 0x3 | OUT.EMIT R0, R0, R4" => "3: 5";
    /// *Sources 2*: the stream is a number.
    an_immediate_selects_the_stream: LISTS, "5 | OUT.EMIT R0, R0, 0x2" => "2: 5";
    /// *Sources*: disassemblers know a constant, too, which the description does not list.
    a_constant_selects_the_stream: LISTS, "5 | OUT.EMIT R0, R0, c[0x0][0x4]" => "1: 5";
    /// *Description 2*: a regular program completes vertices and restarts strips.
    regular_programs_complete_vertices_and_restart_strips: FANS,
        "1 e 2 e 3 e c 4 e 5 e 6 x" => "0: 1 2 3, 4 5 6";
    /// *Description 4*: what OUT makes of the state in Ra goes to Rd, which is another register.
    the_next_state_goes_to_another_register: LISTS,
        "1 | OUT.EMIT R5, R0, RZ | MOV32I R1, 0x2 | AST a[0x80], R1, R5 | OUT.EMIT R0, R5, RZ" => "0: 1, 2";
    /// *Description 5*: the state is 0 at first, so RZ can be the first one.
    the_first_state_is_zero: LISTS,
        "MOV32I R1, 0x9 | AST a[0x80], R1, RZ | OUT.EMIT R0, RZ, RZ" => "0: 9";
    /// *Description 6*: a program may move the state without knowing what it is.
    the_state_can_be_moved: LISTS, "1 e | MOV R6, R0 | MOV R0, RZ | MOV R0, R6 | 2 e" => "0: 1, 2";
    /// *Description 11*: the output that the hardware makes at the end emits no vertex.
    the_end_emits_no_vertex: LISTS, "1 e 2" => "0: 1";
    /// *Description 11*: nor does a program that emits nothing have a vertex.
    a_program_without_out_has_no_vertex: LISTS, "1" => "";
    /// *Description 11*: the end marks where the output stops, and so ends the last strip.
    the_end_ends_the_last_strip: FANS, "1 e 2 e 3 e" => "0: 1 2 3";
    /// *Description 11*: an incomplete strip at the end is discarded.
    the_end_discards_an_incomplete_strip: FANS, "1 e 2 e 3 e c 4 e 5 e" => "0: 1 2 3";
    /// *Description 12*: R0 has the state wherever the program can end, here at the first of two ends.
    the_first_of_two_ends_takes_r0: LISTS,
        "1 e | ISETP.EQ.AND P0, PT, RZ, RZ, PT | @P0 EXIT | 2 e" => "0: 1";
    /// *Description 12*: the same at the second end.
    the_second_of_two_ends_takes_r0: LISTS,
        "1 e | ISETP.NE.AND P0, PT, RZ, RZ, PT | @P0 EXIT | 2 e" => "0: 1, 2";
    /// *Description 13*: an old state in R0 loses what was emitted after it.
    an_old_state_at_the_end_loses_vertices: LISTS, "1 e | MOV R6, R0 | 2 e 3 e | MOV R0, R6" => "0: 1";
    /// *Description 13*: the first state in R0 loses all.
    the_first_state_at_the_end_loses_all: LISTS, "1 e 2 e | MOV R0, RZ" => "";
    /// *Description 14*: a program that has R0 for the state throughout needs nothing else.
    r0_as_the_state_throughout_suffices: FANS, "1 e1 2 e1 3 x1 4 e 5 e 6 e" => "0: 4 5 6; 1: 1 2 3";
    /// *Description 21*: the stream of OUT.CUT is not used: the strip of the last vertex ends.
    cut_has_no_stream: STRIPS, "1 e2 2 e2 c 3 e2 4 e2" => "2: 1 2, 3 4";
    /// *Description 23*: two bits of a register count.
    two_bits_of_a_register_count: LISTS, "5 | MOV32I R4, 0xfffffffe | OUT.EMIT R0, R0, R4" => "2: 5";
    /// *Description 23*: the upper 30 bits of an immediate do not count.
    the_upper_bits_of_an_immediate_do_not_count: LISTS, "5 | OUT.EMIT R0, R0, 0x7fffc" => "0: 5";
    /// *Description 24*: where the stream changes, the strip ends.
    a_change_of_stream_ends_the_strip: STRIPS, "1 e 2 e 3 e1 4 e1" => "0: 1 2; 1: 3 4";
    /// *Description 24*: returning to a stream begins another strip.
    a_return_to_a_stream_begins_another_strip: STRIPS, "1 e 2 e 3 e1 4 e 5 e" => "0: 1 2, 4 5; 1: ";
    /// *Description 24*: an incomplete primitive is discarded there as well.
    a_change_of_stream_discards_an_incomplete_primitive: FANS,
        "1 e 2 e 3 e1 4 e1 5 e1 6 e 7 e 8 e" => "0: 6 7 8; 1: 3 4 5";
    /// *Description 24*: alternating streams leave no line.
    alternating_streams_leave_no_line: STRIPS, "1 e 2 e1 3 e 4 e1" => "0: ; 1: ";
    /// *Description 24*: numbers that name the same stream by two bits do not end the strip.
    the_same_stream_by_two_bits_continues_the_strip: STRIPS, "1 e1 2 e5 3 e9" => "1: 1 2, 2 3";
    /// *Description 25*: a vertex of a disabled stream is not output, and ends the strip all the same.
    a_disabled_stream_ends_the_strip: Head(LINES, 64, 1, &[]), "1 e 2 e 3 e2 4 e 5 e" => "0: 1 2, 4 5";
    /// *Description 25*: as above, with the first primitive incomplete.
    a_disabled_stream_discards_an_incomplete_primitive: Head(TRIANGLES, 64, 1, &[]),
        "1 e 2 e 9 e3 3 e 4 e 5 e" => "0: 3 4 5";
    /// *Description 25*: two vertices of a disabled stream leave nothing.
    a_disabled_stream_has_no_output: Head(LINES, 64, 2, &[]), "1 e 2 e 3 e1 4 e1" => "1: 3 4";
    /// *Examples 1*.
    the_first_example_emits_to_stream_1: LISTS, "4 | OUT.EMIT R0, R0, 0x1" => "1: 4";
    /// *Examples 2*.
    the_second_example_ends_the_strip: STRIPS, "1 e 2 e | OUT.CUT R0, R0, RZ | 3 e 4 e" => "0: 1 2, 3 4";
    /// The header's MaxOutputVertexCount: what is emitted after as many vertices is dropped.
    vertices_past_the_most_are_dropped: Head(POINTS, 2, 15, &[]), "1 e 2 e 3 e 4 e" => "0: 1, 2";
    /// The same: the strip that the dropped vertex would have continued ends before it.
    a_dropped_vertex_completes_no_primitive: Head(TRIANGLES, 2, 15, &[]), "1 e 2 e 3 e" => "0: ";
    /// The same: of EMIT_THEN_CUT only the emission is dropped.
    a_dropped_vertex_keeps_its_cut: Head(LINES, 2, 15, &[]), "1 e 2 e 3 x 4 e" => "0: 1 2";
}

/// `.type`: the value 0 is no type.
#[test]
fn the_type_0_is_refused() {
    let refused = execute(Some(LISTS), Options::DEFAULT, "OUT.INVALIDOUTSTYPE0 R0, R0, RZ");
    assert_eq!(refused.err().map(|d| d.code), Some("lift-out"));
}

/// *Description 3*: in a fast program OUT does nothing, not even to its destination.
#[test]
fn out_does_nothing_in_fast_programs() {
    let ran = ran(
        FAST,
        "MOV32I R5, 0x7 | OUT.EMIT R5, RZ, RZ | OUT.EMIT_THEN_CUT R6, R5, 0x1 | OUT.CUT R5, R6, RZ",
    );
    assert_eq!((ran.received, ran.registers[5], ran.registers[6]), (0, 7, 0));
}

/// *Description 15*: no output is made at the end of a fast program, so R0 may hold anything.
#[test]
fn r0_of_fast_programs_is_free() {
    let ran = ran(FAST, "MOV32I R0, 0x12345 | MOV32I R1, 0x5 | AST a[0x80], R1, R0");
    assert_eq!((ran.received, ran.registers[0]), (0, 0x12345));
}

/// *Description 7*: the destination is not written if the state is damaged, and nothing is emitted.
#[test]
fn a_damaged_state_leaves_the_destination() {
    let ran = ran(LISTS, "MOV32I R4, 0x1234 | MOV32I R5, 0x7 | OUT.EMIT R5, R4, RZ");
    assert_eq!((ran.received, ran.registers[4], ran.registers[5]), (0, 0x1234, 7));
}

/// *Description 8*: as long as only OUT changes the state, it is never damaged, up to the most vertices of any header.
#[test]
fn only_other_instructions_damage_the_state() {
    let counted = "loop: | 3 e | IADD R7, R7, 0x1 | ISETP.LT.AND P0, PT, R7, R6, PT | @P0 BRA loop | c";
    let ran = ran(Head(POINTS, 1024, 15, &[]), &format!("MOV32I R6, 0x400 | {counted}"));
    assert!(ran.sound);
    assert_eq!((ran.received, ran.streams[0].primitives.len()), (1024, 1024));
}

/// *Description 13*: a number in R0 that is no state loses the output.
#[test]
fn a_damaged_state_at_the_end_loses_the_output() {
    let ran = ran(LISTS, "1 e 2 e | MOV32I R0, 0x2");
    assert_eq!((ran.sound, ran.received, primitives(&ran).as_str()), (false, 2, ""));
}

/// *Description 16*: OUT leaves a damaged register as it is, and the program continues.
#[test]
fn a_damaged_register_is_left_as_it_is() {
    let ran = ran(LISTS, "MOV32I R0, 0xdead | OUT.EMIT R0, R0, RZ | OUT.CUT R0, R0, RZ | MOV32I R7, 0x1");
    assert_eq!((ran.sound, ran.registers[0], ran.registers[7]), (false, 0xdead, 1));
}

fn trapped(program: &str) -> Option<&'static str> {
    let traps = Options { damaged_state: DamagedState::Traps, ..Options::DEFAULT };
    execute(Some(LISTS), traps, program).err().map(|d| d.code)
}

/// *Description 16*: the trap is optional.
#[test]
fn out_traps_if_the_option_asks_for_it() {
    assert_eq!(trapped("MOV32I R0, 0xdead | OUT.EMIT R0, R0, RZ"), Some("maxwell-run-trap"));
    assert_eq!(trapped("1 e 2 e c"), None);
}

/// *Description 19*: a state with as many vertices as the header allows is not damaged.
#[test]
fn a_state_may_have_as_many_vertices_as_the_header_allows() {
    let traps = Options { damaged_state: DamagedState::Traps, ..Options::DEFAULT };
    let code =
        |most| execute(Some(Head(POINTS, most, 15, &[])), traps, "1 e 2 e 3 e c").err().map(|d| d.code);
    assert_eq!([3, 4].map(code), [None; 2]);
}

/// *Description 17*: AST with a damaged state stores nothing.
#[test]
fn a_store_with_a_damaged_state_is_suppressed() {
    let program = "1 | MOV32I R4, 0xdead | MOV32I R1, 0x2 | AST a[0x80], R1, R4 | e";
    assert_eq!(primitives(&ran(LISTS, program)), "0: 1");
}

/// *Description 17*: AST traps as OUT does.
#[test]
fn a_store_traps_if_the_option_asks_for_it() {
    assert_eq!(trapped("MOV32I R4, 0xdead | AST a[0x80], R1, R4"), Some("maxwell-run-trap"));
    assert_eq!(trapped("1 e | AST a[0x80], R1, R0"), None);
}

/// *Description 18*: AST takes the state. RZ is the state of the first vertex only for programs that have emitted
/// nothing, but is no damaged one.
#[test]
fn a_store_takes_the_state() {
    assert_eq!(primitives(&ran(LISTS, "1 e | MOV32I R1, 0x2 | AST a[0x80], R1, R0 | e")), "0: 1, 2");
    assert_eq!(primitives(&ran(LISTS, "MOV32I R1, 0x2 | AST a[0x80], R1, RZ | e")), "0: 2");
}

/// *Description 19*: a bad state never leads out of the buffer: one with more vertices than the header allows is damaged.
#[test]
fn a_state_past_the_buffer_is_damaged() {
    let long = ran(LISTS, "1 e 2 e 3 e").registers[0];
    assert_eq!(emitted(long, 3), Some(3));
    assert_eq!(emitted(long, 2), None);
    let short = ran(Head(POINTS, 2, 15, &[]), &format!("MOV32I R0, {long:#x} | OUT.EMIT R0, R0, RZ"));
    assert_eq!((short.received, short.registers[0], short.sound), (0, long, false));
}

/// *Description 20*: the stream is used where a vertex is emitted, and only there.
#[test]
fn only_emissions_use_the_stream() {
    let cut = ran(STRIPS, "1 e1 2 e1 | MOV32I R4, 0x2 | OUT.CUT R0, R0, R4 | 3 e1 4 e1");
    assert_eq!(primitives(&cut), "1: 1 2, 3 4");
}

/// A program without a header may emit as many vertices as the largest header allows.
#[test]
fn without_a_header_all_streams_are_enabled() {
    let ran = execute(None, Options::DEFAULT, "1 e3 2 e3").unwrap();
    assert_eq!(primitives(&ran), "3: 1, 2");
}

/// A guard decides whether OUT and AST do anything.
#[test]
fn guards_hold_for_emission() {
    let program = "ISETP.NE.AND P0, PT, RZ, RZ, PT | 1 | @P0 OUT.EMIT R0, R0, RZ | @!P0 OUT.EMIT R0, R0, 0x1";
    assert_eq!(primitives(&ran(LISTS, program)), "1: 1");
}

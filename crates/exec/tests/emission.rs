//! Emitted vertices: which lanes emit, with which settings and outputs, in which order.

use crate::common::{block, compiled, edge, function, in_order, runners};
use shisa_diag::{Diagnostic, Limits};
use shisa_exec::{Attribute, Emitting, Environment, Outputs, Program, Slot};
use shisa_ir::scalar::lanes::Words;
use shisa_ir::{
    Axis, Builder, Emission, End, File, FileId, FileKind, FloatModel, Func, LaneOp, Mask, Nodes, Op, Reg,
    Scalar, Stmt, Swizzle, Tree, Type, Value, WAVE,
};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 8, scalar: Scalar::I32 }
}

static FILES: [File; 3] =
    [file("in", FileKind::Input), file("out", FileKind::Output), file("other", FileKind::Output)];

const fn input(unit: u16) -> Reg {
    Reg::new(FileId(0), unit)
}

const fn output(unit: u16) -> Reg {
    Reg::new(FileId(1), unit)
}

/// What a lane did.
#[derive(Clone, Debug, PartialEq)]
enum Did {
    Emit(Emission, [u32; 8]),
    Vertex(u32, u32, [u32; 8]),
    EndStrip(u32),
}

/// What each lane did.
struct Log(Vec<Vec<Did>>);

impl Log {
    fn each(&mut self, lanes: &Emitting<'_>, did: impl Fn(usize, [u32; 8]) -> Did) {
        assert!(lanes.lanes != 0 && lanes.first.is_multiple_of(WAVE));
        for lane in (0..WAVE).filter(|lane| lanes.lanes >> lane & 1 != 0) {
            let mut outputs = [u32::MAX; 8];
            let (low, high) = outputs.split_at_mut(3);
            lanes.outputs(output(0), lane, low);
            lanes.outputs(output(3), lane, high);
            self.0[lanes.first + lane].push(did(lane, outputs));
        }
    }
}

impl Environment for Log {
    fn emit(&mut self, lanes: &Emitting<'_>, settings: &[Emission; WAVE]) -> Result<(), Diagnostic> {
        self.each(lanes, |lane, outputs| Did::Emit(settings[lane], outputs));
        Ok(())
    }

    fn emit_vertex(
        &mut self,
        lanes: &Emitting<'_>,
        vertex: &Words,
        stream: &Words,
    ) -> Result<(), Diagnostic> {
        self.each(lanes, |lane, outputs| Did::Vertex(vertex[lane], stream[lane], outputs));
        Ok(())
    }

    fn end_strip(&mut self, lanes: &Emitting<'_>, vertex: &Words) -> Result<(), Diagnostic> {
        self.each(lanes, |lane, _| Did::EndStrip(vertex[lane]));
        Ok(())
    }
}

/// Lanes of a run: more than a slab, and part of a wave.
const LANES: usize = 150;

/// Checks on every level, without and with machine code, what lanes do whose first input is `input`.
fn check(program: Program, input_of: impl Fn(usize) -> u32, want: impl Fn(usize) -> Vec<Did>) {
    let data: Vec<u32> = (0..LANES).map(input_of).collect();
    let slot = |reg| Slot { reg, units: 1, offset: 0, stride: 1, step: 1 };
    for (name, mut runner) in runners(program) {
        let mut log = Log(vec![Vec::new(); LANES]);
        let attributes = [Attribute { slot: slot(input(0)), data: &data }];
        let mut outputs = Outputs { slots: &[], data: &mut [] };
        runner.run_with(LANES, &attributes, &mut outputs, &mut [], &mut log).unwrap();
        for (lane, did) in log.0.into_iter().enumerate() {
            assert_eq!(did, want(lane), "{name}, lane {lane}");
        }
    }
}

fn read(b: &mut Builder<'_>) -> Value {
    b.read(input(0), Swizzle::IDENTITY, Type::I32)
}

fn write(b: &mut Builder<'_>, unit: u16, value: Value) {
    b.write(output(unit), Mask::first(1), value);
}

fn emit(b: &mut Builder<'_>) {
    b.push(Op::Emit, Type::NONE);
}

fn set(b: &mut Builder<'_>, Emission { vertex, primitive, flip }: Emission) {
    b.push(Op::SetEmit { vertex, primitive, flip }, Type::NONE);
}

/// The first units; the others are zero.
fn units(first: &[u32]) -> [u32; 8] {
    std::array::from_fn(|n| first.get(n).copied().unwrap_or(0))
}

/// The settings stay until others replace them, and a vertex has the outputs that were written last.
#[test]
fn vertices_have_the_latest_settings_and_outputs() {
    let last = Emission { vertex: 2, primitive: true, flip: true };
    let program = function(&FILES, |b| {
        let x = read(b);
        let two = b.i32(2);
        let twice = b.imul(x, two);
        write(b, 0, x);
        // A unit of another file, which no vertex of the test reads.
        b.write(Reg::new(FileId(2), 0), Mask::first(1), two);
        emit(b);
        set(b, Emission { vertex: 1, ..Emission::default() });
        write(b, 5, twice);
        write(b, 0, twice);
        emit(b);
        emit(b);
        set(b, last);
        write(b, 0, x);
        emit(b);
    });
    check(
        compiled(&program).unwrap(),
        |lane| lane as u32,
        |lane| {
            let (x, one) = (lane as u32, Emission { vertex: 1, ..Emission::default() });
            vec![
                Did::Emit(Emission::default(), units(&[x])),
                Did::Emit(one, units(&[2 * x, 0, 0, 0, 0, 2 * x])),
                Did::Emit(one, units(&[2 * x, 0, 0, 0, 0, 2 * x])),
                Did::Emit(last, units(&[x, 0, 0, 0, 0, 2 * x])),
            ]
        },
    );
}

/// Lanes where a condition holds emit, lanes that were killed do not, and an end of a strip has no outputs.
#[test]
fn conditions_select_lanes() {
    let program = function(&FILES, |b| {
        let x = read(b);
        let (one, three) = (b.i32(1), b.i32(3));
        let (odd, low) = (b.and(x, one), b.and(x, three));
        let (is_odd, is_low) = (b.ieq(odd, one), b.ieq(low, three));
        write(b, 0, x);
        b.push(Op::EmitVertex { cond: is_odd, vertex: x, stream: low }, Type::NONE);
        b.kill(is_low);
        b.push(Op::EndStrip { cond: is_odd, vertex: x }, Type::NONE);
        b.push(Op::EmitVertex { cond: is_odd, vertex: low, stream: one }, Type::NONE);
    });
    // A wave has no lane where the condition holds.
    let input_of = |lane: usize| if (32..64).contains(&lane) { 4 } else { lane as u32 / 2 };
    check(compiled(&program).unwrap(), input_of, |lane| {
        let x = input_of(lane);
        let mut did = Vec::new();
        if x % 2 == 1 {
            did.push(Did::Vertex(x, x & 3, units(&[x])));
            if x & 3 != 3 {
                did.push(Did::EndStrip(x));
                did.push(Did::Vertex(x & 3, 1, units(&[x])));
            }
        }
        did
    });
}

/// Each lane emits as often as its input says. The slot of each vertex is set in a branch.
#[test]
fn lanes_emit_as_often_as_they_iterate() {
    let mut nodes = Nodes::default();
    let mut lists = vec![0];
    let mut b = Builder::new(&mut nodes, 0);
    let (zero, one) = (b.i32(0), b.i32(1));
    let n = read(&mut b);
    lists.push(b.nodes.list.len() as u32);
    let i = b.push(Op::Param, Type::I32);
    let first = b.nodes.list.len() as u32;
    let odd = b.and(i, one);
    let is_odd = b.ieq(odd, one);
    lists.push(b.nodes.list.len() as u32);
    set(&mut b, Emission { vertex: 1, primitive: true, flip: false });
    lists.push(b.nodes.list.len() as u32);
    set(&mut b, Emission { vertex: 2, primitive: false, flip: true });
    lists.push(b.nodes.list.len() as u32);
    let next = b.iadd(i, one);
    write(&mut b, 3, i);
    emit(&mut b);
    let goes_on = b.ine(next, n);
    lists.push(b.nodes.list.len() as u32);
    let body = |k: usize| lists[k]..lists[k + 1];
    let blocks = vec![
        block(vec![], body(0), End::Jump(edge(1, vec![zero]))),
        block(
            vec![i],
            first..lists[2],
            End::Branch { cond: is_odd, yes: edge(2, vec![]), no: edge(3, vec![]) },
        ),
        block(vec![], body(2), End::Jump(edge(4, vec![]))),
        block(vec![], body(3), End::Jump(edge(4, vec![]))),
        block(vec![], body(4), End::Branch { cond: goes_on, yes: edge(1, vec![next]), no: edge(5, vec![]) }),
        block(vec![], 0..0, End::Exit),
    ];
    let (func, _) = in_order(Func { files: &FILES, nodes, blocks });
    let list = |blocks: std::ops::Range<u32>| blocks.map(|n| Stmt::Block(shisa_ir::BlockId(n)));
    let repeated = list(1..5).collect();
    let mut all: Vec<Stmt> = list(0..1).collect();
    all.push(Stmt::Loop(repeated));
    all.extend(list(5..6));
    all.push(Stmt::Exit);
    let tree = Tree { vars: Vec::new(), body: all };
    let program = Program::new(&func, &tree, FloatModel::F32, &Limits::default()).unwrap();
    check(
        program,
        |lane| 1 + lane as u32 % 7,
        |lane| {
            let emission = |i: u32| match i % 2 {
                1 => Emission { vertex: 1, primitive: true, flip: false },
                _ => Emission { vertex: 2, primitive: false, flip: true },
            };
            let did = |i: u32| {
                let mut outputs = [0; 8];
                outputs[3] = i;
                Did::Emit(emission(i), outputs)
            };
            (0..1 + lane as u32 % 7).map(did).collect()
        },
    );
}

/// Without something that takes vertices a run is refused.
#[test]
fn vertices_need_an_environment() {
    let program = function(&FILES, |b| {
        emit(b);
        let yes = b.constant(Type::BOOL, 1);
        let zero = b.i32(0);
        b.push(Op::EndStrip { cond: yes, vertex: zero }, Type::NONE);
    });
    let program = compiled(&program).unwrap();
    assert!(program.emits() && program.uses_environment() && !program.changes_environment());
    let ran = program.runner().run(1, &[], &mut Outputs { slots: &[], data: &mut [] }, &mut []);
    let error = ran.unwrap_err();
    assert_eq!(error.code, "exec-environment");
    assert!(error.message.contains("a primitive assembler"), "{error}");
}

/// Derivatives and operations between lanes need lanes together; other operations do not.
#[test]
fn some_programs_need_lanes_together() {
    let needs = |op: fn(Value) -> Op| {
        let program = function(&FILES, |b| {
            let x = b.read(input(0), Swizzle::IDENTITY, Type::F32);
            let value = b.push(op(x), Type::F32);
            write(b, 0, value);
            emit(b);
        });
        compiled(&program).unwrap().needs_lanes_together()
    };
    assert!(needs(|a| Op::Derivative { axis: Axis::X, a }));
    assert!(needs(|a| Op::Lane { op: LaneOp::QuadOr, a, b: a }));
    assert!(!needs(|a| Op::Swizzle { a, swizzle: Swizzle::IDENTITY }));
}

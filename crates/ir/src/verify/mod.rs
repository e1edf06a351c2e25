//! Checks the invariants that every pass may rely on. It is independent of the builder, so it also finds the builder's
//! mistakes.
//!
//! For a function: the types and component counts of every operation; constants within their width; registers inside
//! their files, written only if the file may be written; textures, blocks and values in range; every value defined
//! once, in one block; operands defined before their use on every path; arguments that match parameters; an entry
//! without parameters. For a lifted program also: steps in order, each with operations of its own.
//!
//! Whether lanes still agree where cross-lane operations run depends on what a pass did: [`verify_convergence`]
//! compares the function before and after a pass. No cross-lane operation may move below a divergent branch.

mod textures;
mod types;

use crate::graph::{DominatorTree, Graph};
use crate::{BlockId, Class, End, Func, Lifted, Nodes, Op, Type, Uniformity, Value};
use alloc::{collections::BTreeSet, format, string::String, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limits, Sink};
use types::check_node;

/// Checks a function.
///
/// # Errors
/// A list of errors, each with the code `ir-invalid` and the value or block concerned.
pub fn verify(func: &Func) -> Result<(), Vec<Diagnostic>> {
    let mut check = Check::new(&func.nodes);
    if func.blocks.is_empty() {
        check.fault("the function has no blocks".into());
        return check.result();
    }
    if !func.blocks[0].params.is_empty() {
        check.fault("the entry has parameters".into());
    }
    // First the properties that later checks index by.
    let mut home = vec![None; func.nodes.list.len()];
    for (b, block) in func.blocks.iter().enumerate() {
        for (list, is_param) in [(&block.params, true), (&block.body, false)] {
            for (i, &v) in list.iter().enumerate() {
                let Some(slot) = home.get_mut(v.index()) else {
                    check.fault(format!("b{b} holds {v:?}, which does not exist"));
                    continue;
                };
                if slot.replace((b, if is_param { 0 } else { i + 1 })).is_some() {
                    check.fault(format!("{v:?} is defined twice, again in b{b}"));
                }
                if is_param != (func.nodes.op(v) == Op::Param) {
                    check.fault(format!(
                        "{v:?} of b{b}: parameters must be `param`, and bodies must not contain `param`"
                    ));
                }
            }
        }
        for e in block.end.edges().filter(|e| e.to.index() >= func.blocks.len()) {
            check.fault(format!("b{b} leads to b{}, which does not exist", e.to.0));
        }
    }
    if check.sink.errors() > 0 {
        return check.result();
    }
    for (b, block) in func.blocks.iter().enumerate() {
        block.params.iter().chain(&block.body).for_each(|&v| check.node(func.files, v));
        if let End::Branch { cond, .. } = block.end {
            check.is(cond, Type::BOOL, &format!("the condition of b{b}"));
        }
        for e in block.end.edges() {
            let params = &func.blocks[e.to.index()].params;
            if params.len() != e.args.len() {
                check.fault(format!(
                    "b{b} passes {} arguments to b{}, which has {} parameters",
                    e.args.len(),
                    e.to.0,
                    params.len()
                ));
            }
            for (&p, &a) in params.iter().zip(&e.args) {
                match func.nodes.list.get(a.index()).map(|n| n.ty) {
                    Some(ty) if ty == func.nodes.ty(p) => {}
                    _ => check
                        .fault(format!("b{b} passes {a:?} for {p:?} of b{}, which has another type", e.to.0)),
                }
            }
        }
    }
    dominance(func, &home, &mut check);
    check.result()
}

/// Checks that every operand in a reachable block is defined before its use.
fn dominance(func: &Func, home: &[Option<(usize, usize)>], check: &mut Check<'_>) {
    let graph = Graph::new(func);
    let tree = DominatorTree::new(&graph);
    for (p, id) in graph.order.iter().enumerate() {
        let known = |v: Value, at: usize| {
            let Some((b, i)) = home.get(v.index()).copied().flatten() else { return false };
            let before = |q| if q == p { i < at } else { tree.dominates(q, p) };
            graph.position(BlockId(b as u32)).is_some_and(before)
        };
        let block = &func.blocks[id.index()];
        for (i, &v) in block.body.iter().enumerate() {
            func.nodes.operands(v, |o| {
                if !known(o, i + 1) {
                    check.fault(format!("{v:?} uses {o:?}, which is not defined before it on every path"));
                }
            });
        }
        let cond = match block.end {
            End::Branch { cond, .. } => Some(cond),
            _ => None,
        };
        for &v in cond.iter().chain(block.end.edges().flat_map(|e| &e.args)) {
            if !known(v, usize::MAX) {
                check.fault(format!(
                    "the end of b{} uses {v:?}, which is not defined before it on every path",
                    id.0
                ));
            }
        }
    }
}

/// Checks that a pass moved no cross-lane operation below a divergent branch. An operation may be there only if the
/// original program already has an operation of the same instruction there.
///
/// # Errors
/// A list of operations of `after`, each with the code `ir-divergent`.
pub fn verify_convergence(before: &Func, after: &Func) -> Result<(), Vec<Diagnostic>> {
    let mut instructions = divergent(before).map(|(_, v)| before.nodes.list[v.index()].origin);
    let allowed: BTreeSet<u32> = instructions.by_ref().collect();
    let mut sink = Sink::new(Limits::default().diagnostics);
    for (block, v) in divergent(after) {
        if !allowed.contains(&after.nodes.list[v.index()].origin) {
            let text = format!("{v:?} sees other lanes, but only some of them may run b{}", block.0);
            sink.push(Diagnostic::error("ir-divergent", text));
        }
    }
    if sink.errors() > 0 { Err(sink.finish()) } else { Ok(()) }
}

/// The cross-lane operations in blocks that lanes may run separately.
fn divergent(func: &Func) -> impl Iterator<Item = (BlockId, Value)> + '_ {
    let lanes = Uniformity::of(func);
    let blocks = (0..).map(BlockId).zip(&func.blocks).filter(move |(b, _)| !lanes.block(*b));
    let all = blocks.flat_map(|(b, block)| block.body.iter().map(move |&v| (b, v)));
    all.filter(|(_, v)| func.nodes.class(*v) != Class::Lane)
}

/// Checks a lifted program.
///
/// # Errors
/// As [`verify`].
pub fn verify_lifted(lifted: &Lifted) -> Result<(), Vec<Diagnostic>> {
    let mut check = Check::new(&lifted.nodes);
    let mut starts = BTreeSet::new();
    if lifted.steps.windows(2).any(|w| w[0].pc >= w[1].pc) {
        check.fault("the steps are not in rising order of their program counters".into());
    }
    for step in lifted.steps.iter().chain(&lifted.implied) {
        let range = step.nodes.clone();
        if range.start > range.end || range.end as usize > lifted.nodes.list.len() {
            check.fault(format!("the step at {:#x} has operations that do not exist", step.pc));
            continue;
        }
        if !range.is_empty() && !starts.insert(range.start) {
            check.fault(format!("the step at {:#x} shares operations with another", step.pc));
        }
        for v in range.clone().map(Value) {
            check.node(lifted.files, v);
            lifted.nodes.operands(v, |o| {
                if !(range.start..v.0).contains(&o.0) {
                    check.fault(format!("{v:?} uses {o:?}, which its step does not define before it"));
                }
            });
            if lifted.nodes.op(v) == Op::Param {
                check.fault(format!("{v:?} is a block parameter in a step"));
            }
        }
        let (cond, target) = (step.control.cond, step.control.place);
        let wanted = [
            (cond, "condition", Type::BOOL),
            (step.guard, "guard", Type::BOOL),
            (target, "computed target", Type::I32),
        ];
        for (v, what, ty) in wanted {
            let Some(v) = v else { continue };
            if range.contains(&v.0) {
                check.is(v, ty, &format!("the {what} of the step at {:#x}", step.pc));
            } else {
                check.fault(format!("the {what} of the step at {:#x} is not one of its operations", step.pc));
            }
        }
    }
    check.result()
}

struct Check<'a> {
    nodes: &'a Nodes,
    sink: Sink,
}

impl<'a> Check<'a> {
    fn new(nodes: &'a Nodes) -> Self {
        Check { nodes, sink: Sink::new(Limits::default().diagnostics) }
    }

    fn fault(&mut self, text: String) {
        self.sink.push(Diagnostic::error("ir-invalid", text));
    }

    fn result(self) -> Result<(), Vec<Diagnostic>> {
        if self.sink.errors() > 0 { Err(self.sink.finish()) } else { Ok(()) }
    }

    fn is(&mut self, v: Value, ty: Type, what: &str) {
        match self.nodes.list.get(v.index()) {
            Some(n) if n.ty == ty => {}
            _ => self.fault(format!("{what}, {v:?}, is not an {ty}")),
        }
    }

    fn node(&mut self, files: &[crate::File], v: Value) {
        if let Err(text) = check_node(self.nodes, files, v) {
            self.fault(format!("{v:?}: {text}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FILES, Random, random_func};
    use crate::{
        Block, Edge, FileId, FloatRule, Mask, Reg, Scalar, Swizzle, Unary, fold, parse_func,
        registers_to_values, remove_dead, structurise,
    };

    fn func(fill: impl FnOnce(&mut Nodes)) -> Func {
        let mut nodes = Nodes::default();
        fill(&mut nodes);
        let body = (0..nodes.list.len() as u32).map(Value).collect();
        Func { files: FILES, nodes, blocks: vec![Block { params: vec![], body, end: End::Exit }] }
    }

    fn complaint(func: &Func) -> String {
        verify(func).unwrap_err()[0].message.clone()
    }

    /// Whether an exit is reachable from every reachable block.
    fn all_end(func: &Func) -> bool {
        let graph = Graph::new(func);
        let mut ends = vec![false; graph.len()];
        let mut todo: Vec<usize> = (0..graph.len()).filter(|&p| graph.targets(p).count() == 0).collect();
        while let Some(p) = todo.pop() {
            if !core::mem::replace(&mut ends[p], true) {
                todo.extend(graph.sources(p));
            }
        }
        ends.iter().all(|&e| e)
    }

    #[test]
    fn every_pass_leaves_random_functions_valid() {
        let mut random = Random::new(41);
        for _ in 0..1500 {
            let size = 1 + random.below(8);
            let mut func = random_func(&mut random, size);
            assert_eq!(verify(&func), Ok(()));
            let check = |before: &mut Func, after: &Func, pass: &str| {
                assert_eq!(verify(after), Ok(()), "after {pass}");
                // Where lanes reconverge in an endless loop is undefined, and folding away an exit creates such a loop.
                if all_end(after) {
                    assert_eq!(verify_convergence(before, after), Ok(()), "after {pass}");
                }
                *before = after.clone();
            };
            let mut before = func.clone();
            registers_to_values(&mut func, &Limits::default()).unwrap();
            check(&mut before, &func, "mem2reg");
            fold(&mut func);
            check(&mut before, &func, "fold");
            remove_dead(&mut func);
            check(&mut before, &func, "dead code");
            let limits = Limits { printed_nesting: 1 + random.below(12), ..Limits::default() };
            if structurise(&mut func, &limits).is_ok() {
                check(&mut before, &func, "structuring");
            }
        }
    }

    #[test]
    fn faults_of_operations_are_found() {
        let of_one = |op: Op, ty: Type| complaint(&func(|n| _ = n.push(op, ty, 0)));
        assert_eq!(of_one(Op::Const(256), Scalar::I8.by(1)), "%0: the constant has more bits than i8");
        assert_eq!(of_one(Op::Const(0), Scalar::I8.by(5)), "%0: i8x5 is not a type");
        let read = Op::Read { reg: Reg::new(FileId(0), 14), swizzle: Swizzle::IDENTITY };
        assert_eq!(of_one(read, Scalar::F32.by(4)), "%0: the register extends past the end of the file t");
        let read = Op::Read { reg: Reg::new(FileId(90), 0), swizzle: Swizzle::IDENTITY };
        assert_eq!(of_one(read, Type::F32), "%0: there is no file 90");
        assert_eq!(of_one(Op::Texture(3), Scalar::F32.by(4)), "%0: there is no texture operation 3");
        let one = |op: fn(Value) -> Op, ty: Type| {
            complaint(&func(|n| {
                let a = n.push(Op::Const(0), Scalar::I32.by(2), 0);
                n.push(op(a), ty, 0);
            }))
        };
        let sqrt = |a| Op::Unary { op: Unary::FSqrt, rule: FloatRule::IEEE, a };
        assert_eq!(one(sqrt, Scalar::I32.by(2)), "%1: FSqrt of i32x2 giving i32x2");
        assert_eq!(one(|a| Op::Swizzle { a, swizzle: Swizzle::splat(2) }, Type::I32), "%1: z of i32x2");
        assert_eq!(one(|cond| Op::Kill { cond }, Type::NONE), "%1: an operand is i32x2, not i1");
        let write = |value| Op::Write { reg: Reg::new(FileId(4), 0), mask: Mask(3), value };
        assert_eq!(one(write, Type::NONE), "%1: the file i is read-only");
        let write = |value| Op::Write { reg: Reg::new(FileId(0), 0), mask: Mask(7), value };
        assert_eq!(one(write, Type::NONE), "%1: 3 components of the mask for 2 of the value");
    }

    #[test]
    fn faults_of_the_graph_are_found() {
        let mut twice = func(|n| _ = n.push(Op::Const(0), Type::BOOL, 0));
        twice.blocks[0].body.push(Value(0));
        assert_eq!(complaint(&twice), "%0 is defined twice, again in b0");
        let mut lost = twice.clone();
        lost.blocks[0].body = vec![Value(7)];
        assert_eq!(complaint(&lost), "b0 holds %7, which does not exist");
        let mut nowhere = twice.clone();
        nowhere.blocks[0].body.pop();
        nowhere.blocks[0].end = End::Jump(Edge::to(BlockId(9)));
        assert_eq!(complaint(&nowhere), "b0 leads to b9, which does not exist");
        nowhere.blocks[0].end = End::Jump(Edge { to: BlockId(0), args: vec![Value(0)] });
        assert_eq!(complaint(&nowhere), "b0 passes 1 arguments to b0, which has 0 parameters");
        let late = func(|n| {
            n.push(Op::Kill { cond: Value(1) }, Type::NONE, 0);
            n.push(Op::Const(1), Type::BOOL, 0);
        });
        assert_eq!(complaint(&late), "%0 uses %1, which is not defined before it on every path");
        let mut arm = func(|n| _ = n.push(Op::Const(1), Type::BOOL, 0));
        let other = arm.nodes.push(Op::Const(1), Type::BOOL, 0);
        let kill = arm.nodes.push(Op::Kill { cond: other }, Type::NONE, 0);
        let to = |b| Edge::to(BlockId(b));
        arm.blocks[0].end = End::Branch { cond: Value(0), yes: to(1), no: to(2) };
        arm.blocks.push(Block { params: vec![], body: vec![other], end: End::Jump(to(2)) });
        arm.blocks.push(Block { params: vec![], body: vec![kill], end: End::Exit });
        assert_eq!(complaint(&arm), "%2 uses %1, which is not defined before it on every path");
        assert!(verify(&Func { blocks: vec![], ..arm }).is_err());
    }

    #[test]
    fn arguments_have_the_types_of_their_parameters() {
        let types = || Scalar::ALL.into_iter().flat_map(|scalar| (1..=4).map(move |count| scalar.by(count)));
        for argument in types() {
            for param in types() {
                let mut func = func(|n| _ = n.push(Op::Const(0), argument, 0));
                let param_value = func.nodes.push(Op::Param, param, 0);
                func.blocks[0].end = End::Jump(Edge { to: BlockId(1), args: vec![Value(0)] });
                func.blocks.push(Block { params: vec![param_value], body: vec![], end: End::Exit });
                let fits = verify(&func);
                assert_eq!(fits.is_ok(), argument == param, "{argument:?} for {param:?}: {fits:?}");
            }
        }
    }

    #[test]
    fn operations_across_lanes_stay_where_lanes_agree() {
        let vote = |file: &str, in_arm: bool| {
            let [outside, inside] =
                if in_arm { ["", "%2: i1 = any %1 %1"] } else { ["%2: i1 = any %1 %1", ""] };
            let text = format!(
                "b0:
                   %0: f32 = read {file}:0 xxxx
                   %1: i1 = feq %0 %0
                   {outside}
                   branch %1 b1 b2
                 b1:
                   {inside}
                   jump b2
                 b2:
                   exit
                "
            );
            parse_func(&text, FILES, &Limits::default()).unwrap()
        };
        let code = |before: &Func, after: &Func| verify_convergence(before, after).map_err(|e| e[0].code);
        assert_eq!(code(&vote("i", false), &vote("i", true)), Err("ir-divergent"));
        // If the condition is uniform, or the original program has the operation there.
        assert_eq!(code(&vote("u", false), &vote("u", true)), Ok(()));
        assert_eq!(code(&vote("i", true), &vote("i", true)), Ok(()));
        assert_eq!(code(&vote("i", true), &vote("i", false)), Ok(()));
    }

    #[test]
    fn faults_of_steps_are_found() {
        let mut lifted = Lifted::new(FILES);
        lifted.nodes.push(Op::Const(1), Type::BOOL, 0);
        lifted.nodes.push(Op::Kill { cond: Value(0) }, Type::NONE, 0);
        let step = |pc, nodes| crate::Step {
            pc,
            next: pc + 1,
            nodes,
            guard: None,
            whole_wave: false,
            control: crate::Control::default(),
        };
        lifted.steps = vec![step(0, 0..2)];
        assert_eq!(verify_lifted(&lifted), Ok(()));
        let message = |l: &Lifted| verify_lifted(l).unwrap_err()[0].message.clone();
        lifted.steps = vec![step(0, 0..1), step(1, 1..2)];
        assert_eq!(message(&lifted), "%1 uses %0, which its step does not define before it");
        lifted.steps = vec![step(0, 0..9)];
        assert_eq!(message(&lifted), "the step at 0x0 has operations that do not exist");
        lifted.steps = vec![step(3, 0..0), step(2, 0..2)];
        assert_eq!(message(&lifted), "the steps are not in rising order of their program counters");
        lifted.steps = vec![step(0, 0..2)];
        lifted.steps[0].control.cond = Some(Value(1));
        assert_eq!(message(&lifted), "the condition of the step at 0x0, %1, is not an i1");
    }
}

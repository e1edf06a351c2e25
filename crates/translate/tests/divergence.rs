//! Where lanes of a quad may have diverged. A derivative there is undefined, and the translator warns.

use crate::common::*;
use shisa_ir::*;
use shisa_translate::*;

/// A program under construction, and the statements of its parts.
struct Parts {
    case: Case,
    /// Makes the conditions, and a value that cannot be made twice.
    start: Stmt,
    /// Takes the derivative of that value.
    derive: Stmt,
    /// A condition that differs between lanes.
    varying: Cond,
    /// A condition that is the same in all lanes.
    uniform: Cond,
}

impl Parts {
    fn new() -> Parts {
        let mut case = Case::fragment(|_| {}).texture(Dim::D2, None);
        case.func.blocks.clear();
        let mut made = None;
        let start = case.block(|b| {
            let (v, c) = (input(b, 0), constant(b, 0));
            let (x, first, second) = (b.component(v, 0), b.component(c, 0), b.component(c, 1));
            let (varying, uniform) = (b.flt(x, first), b.flt(first, second));
            let coord = b.swizzle(v, Swizzle::IDENTITY, 2);
            let op = TexOp::sample(0, Dim::D2, coord, Lod::Implicit);
            let sampler = SamplerRef::given(Some(Sampler::default()));
            made = Some((varying, uniform, b.texture(TexOp { sampler, ..op }, Scalar::F32)));
        });
        let (varying, uniform, texel) = made.unwrap();
        let derive = case.block(|b| {
            let d = b.derivative(Axis::X, texel);
            output(b, 2, d);
        });
        case.tree.vars = vec![(Type::I32, VarKind::Next)];
        let (start, derive) = (Stmt::Block(start), Stmt::Block(derive));
        Parts { case, start, derive, varying: Cond::Value(varying), uniform: Cond::Value(uniform) }
    }

    fn derive(&self) -> Stmt {
        self.derive.clone()
    }

    fn varying(&self, yes: Vec<Stmt>) -> Stmt {
        Stmt::If { cond: self.varying, yes, no: vec![] }
    }

    fn uniform(&self, yes: Vec<Stmt>) -> Stmt {
        Stmt::If { cond: self.uniform, yes, no: vec![] }
    }

    /// The translations of a tree must warn, or must not.
    #[track_caller]
    fn expect(&mut self, warns: bool, tree: Vec<Stmt>) {
        self.case.tree.body = [vec![self.start.clone()], tree, vec![Stmt::Exit]].concat();
        for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
            let output = self.case.translate(target, &Options::default()).unwrap();
            let codes: Vec<_> = output.warnings.iter().map(|d| d.code).collect();
            let expected: &[&str] = if warns { &["translate-divergent-derivative"] } else { &[] };
            assert_eq!(codes, expected, "{target:?} {:#?}", self.case.tree.body);
            if let Code::Text(text) = output.code {
                execute::judge_wgsl(&text).unwrap();
                assert_eq!(text.contains("diagnostic(off"), warns, "{text}");
            }
        }
    }
}

fn switch(lists: Vec<Vec<Stmt>>) -> Stmt {
    Stmt::Switch(Var(0), lists)
}

#[test]
fn lanes_diverge_inside_of_a_statement_whose_condition_varies() {
    let mut p = Parts::new();
    p.expect(false, vec![p.derive()]);
    p.expect(false, vec![p.uniform(vec![p.derive()])]);
    p.expect(true, vec![p.varying(vec![p.derive()])]);
    p.expect(true, vec![p.varying(vec![p.uniform(vec![p.derive()])])]);
    p.expect(true, vec![p.varying(vec![p.varying(vec![p.derive()])])]);
    p.expect(true, vec![Stmt::Loop(vec![p.derive(), Stmt::Break])]);
    p.expect(true, vec![switch(vec![vec![], vec![p.derive()]])]);
}

#[test]
fn lanes_meet_after_a_statement_that_none_of_them_ends_in() {
    let mut p = Parts::new();
    p.expect(false, vec![p.varying(vec![]), p.derive()]);
    p.expect(false, vec![Stmt::Loop(vec![p.varying(vec![Stmt::Break])]), p.derive()]);
    p.expect(false, vec![switch(vec![vec![], vec![]]), p.derive()]);
    // All lanes end, or none.
    p.expect(false, vec![p.uniform(vec![Stmt::Exit]), p.derive()]);
}

#[test]
fn lanes_never_meet_lanes_that_ended_before() {
    let mut p = Parts::new();
    let ends = p.varying(vec![Stmt::Exit]);
    p.expect(true, vec![ends.clone(), p.derive()]);
    // A statement that all lanes come to, around the one that some of them end in.
    p.expect(true, vec![p.uniform(vec![ends.clone()]), p.derive()]);
    p.expect(true, vec![p.uniform(vec![ends.clone(), ends.clone()]), p.derive()]);
    p.expect(true, vec![p.uniform(vec![Stmt::Loop(vec![ends.clone(), Stmt::Break])]), p.derive()]);
    p.expect(true, vec![Stmt::Loop(vec![ends, Stmt::Break]), p.derive()]);
    // Lanes end on both sides.
    let some = p.uniform(vec![Stmt::Exit]);
    let both = Stmt::If { cond: p.varying, yes: vec![some.clone()], no: vec![some] };
    p.expect(true, vec![both, p.derive()]);
    for exits in [[true, false, false], [true, true, false]] {
        let lists = exits.map(|exit| if exit { vec![Stmt::Exit] } else { vec![] });
        p.expect(true, vec![switch(lists.into()), p.derive()]);
    }
}

/// A dispatch loop may have a block twice.
#[test]
fn a_uniform_condition_that_is_made_twice_is_uniform() {
    let mut p = Parts::new();
    p.expect(false, vec![p.start.clone(), p.uniform(vec![p.derive()])]);
}

//! Small programs, and the engines that run them.

use shisa_diag::{Diagnostic, Limits};
use shisa_exec::{Coding, HostLevel, Program, Runner};
use shisa_ir::{Block, BlockId, Builder, Edge, End, File, FloatModel, Func, Nodes, Stmt, Tree, Value};

/// A function of one block, which `build` makes.
pub(crate) fn function(files: &'static [File], build: impl FnOnce(&mut Builder<'_>)) -> (Func, Tree) {
    let mut nodes = Nodes::default();
    build(&mut Builder::new(&mut nodes, 0));
    let body = (0..nodes.list.len() as u32).map(Value).collect();
    let blocks = vec![Block { params: Vec::new(), body, end: End::Exit }];
    let tree = Tree { vars: Vec::new(), body: vec![Stmt::Block(BlockId(0)), Stmt::Exit] };
    (Func { files, nodes, blocks }, tree)
}

/// A block of consecutive operations.
pub(crate) fn block(params: Vec<Value>, body: std::ops::Range<u32>, end: End) -> Block {
    Block { params, body: body.map(Value).collect(), end }
}

/// A function whose blocks run in their order.
pub(crate) fn in_order(func: Func) -> (Func, Tree) {
    let blocks = (0..func.blocks.len() as u32).map(|n| Stmt::Block(BlockId(n)));
    let body = blocks.chain([Stmt::Exit]).collect();
    (func, Tree { vars: Vec::new(), body })
}

/// An edge to a block, with the values of its parameters.
pub(crate) fn edge(to: u32, args: Vec<Value>) -> Edge {
    Edge { to: BlockId(to), args }
}

/// A function for the engines.
pub(crate) fn compiled((func, tree): &(Func, Tree)) -> Result<Program, Diagnostic> {
    Program::new(func, tree, FloatModel::F32, &Limits::default())
}

/// As [`compiled`], of a program that the engines accept.
pub(crate) fn program(function: &(Func, Tree)) -> Program {
    compiled(function).unwrap_or_else(|d| panic!("{d}"))
}

/// The levels for which this processor runs machine code.
pub(crate) fn levels_of_code() -> impl Iterator<Item = HostLevel> {
    [HostLevel::Avx2, HostLevel::Avx512].into_iter().filter(|level| level.is_available())
}

/// The program on every level of this processor, without machine code.
pub(crate) fn batches(program: &Program) -> impl Iterator<Item = (String, Runner)> {
    HostLevel::ALL.into_iter().filter(|level| level.is_available()).map(|level| {
        let mut runner = program.runner();
        assert!(runner.set_level(level));
        assert_eq!(runner.level(), level);
        (format!("{level:?}"), runner)
    })
}

/// The program on every level of this processor, without and with machine code.
pub(crate) fn runners(program: Program) -> Vec<(String, Runner)> {
    runners_of(&program)
}

/// As [`runners`].
pub(crate) fn runners_of(program: &Program) -> Vec<(String, Runner)> {
    let mut program = program.clone();
    let mut all: Vec<(String, Runner)> = batches(&program).collect();
    for level in levels_of_code() {
        if has_code(&mut program, level) {
            all.push((format!("machine code of {level:?}"), program.runner()));
        }
    }
    all
}

/// Makes machine code of every instruction that can have some. `false` if the program has none of these.
pub(crate) fn has_code(program: &mut Program, level: HostLevel) -> bool {
    match program.add_machine_code_for(Coding { level, shortest: 1 }, &Limits::default()) {
        Ok(()) => true,
        Err(d) if d.message.contains("follow each other") => false,
        Err(d) => panic!("{d}"),
    }
}

//! Functions and their statements.

use super::expression::Bond;
use super::facts;
use super::labels::Label;
use super::printer::Printer;
use crate::syntax::{Expr, Expression, Function, LaneOp, Name, Statement, Step, decimal};

impl<'a> Printer<'a> {
    /// A function.
    pub(super) fn function(&mut self, fun: &'a Function<'a>, name: Label) {
        self.fun = fun;
        facts::uses(fun, &mut self.tables.facts);
        self.tables.labels.open();
        self.tables.arguments.clear();
        self.tables.locals.clear();
        self.out.push_str("fn ");
        self.push_label(name);
        self.out.push('(');
        for (i, a) in fun.arguments.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            self.binding(a.binding);
            let label = self.tables.labels.unique(a.name);
            self.tables.arguments.push(label);
            self.declaration(label, a.ty);
        }
        self.out.push(')');
        if let Some(result) = fun.result {
            self.out.push_str(" -> ");
            self.ty(result);
        }
        self.out.push_str(" {");
        self.end();
        self.indent = 1;
        for l in &fun.locals {
            let label = self.tables.labels.unique(l.name);
            self.tables.locals.push(label);
            self.begin(None);
            self.out.push_str("var ");
            self.declaration(label, l.ty);
            self.out.push(';');
            self.end();
        }
        if !fun.locals.is_empty() {
            self.end();
        }
        self.statements(&fun.statements);
        self.out.push('}');
        self.end();
        self.indent = 0;
    }

    fn statements(&mut self, steps: &'a [Step]) {
        let mut made = 0;
        let mut steps = steps.iter().peekable();
        while let Some(step) = steps.next() {
            for i in made..step.made {
                if facts::declares(self.module, self.fun, &mut self.tables.facts, i as usize) {
                    self.declare(Expr::new(i as usize));
                }
            }
            made = step.made;
            let origin = step.origin();
            match step.statement {
                Statement::Nothing => {}
                Statement::Call { function, arguments, result } => {
                    let returned = |next: &&Step| {
                        next.made == made
                            && matches!(next.statement, Statement::Return(v) if v.is_some() && v == result)
                    };
                    if steps.next_if(returned).is_some() {
                        self.begin(origin);
                        self.out.push_str("return ");
                    } else {
                        self.begin_yielding(result, origin);
                    }
                    self.push_label(self.tables.functions[function.index()]);
                    self.arguments(self.fun.list(arguments));
                    self.semicolon();
                }
                Statement::Atomic { op, pointer, value, result } => {
                    self.begin_yielding(result, origin);
                    self.atomic(op, pointer, value);
                    self.semicolon();
                }
                Statement::Lane { op, value, result } => {
                    self.begin_yielding(Some(result), origin);
                    self.lane(op, value);
                    self.semicolon();
                }
                Statement::If(condition) => {
                    self.begin(origin);
                    self.out.push_str("if ");
                    self.expression(condition, Bond::Order);
                    self.open();
                }
                Statement::Else => {
                    self.close();
                    self.out.push_str(" else");
                    self.open();
                }
                Statement::Loop => {
                    self.begin(origin);
                    self.out.push_str("loop");
                    self.open();
                }
                Statement::Switch(selector) => {
                    self.begin(origin);
                    self.out.push_str("switch ");
                    self.expression(selector, Bond::Order);
                    self.open();
                }
                Statement::Case(n) => {
                    self.begin(None);
                    match n {
                        None => self.out.push_str("default:"),
                        Some(n) => {
                            self.out.push_str("case ");
                            decimal(&mut self.out, n);
                            self.out.push(':');
                        }
                    }
                    self.open();
                }
                Statement::End => {
                    self.close();
                    self.end();
                }
                _ => {
                    self.begin(origin);
                    self.simple(step.statement);
                    self.semicolon();
                }
            }
        }
    }

    /// A statement without a result and without nested statements.
    fn simple(&mut self, statement: Statement) {
        match statement {
            Statement::Store { pointer, value } if self.is_atomic(pointer) => {
                self.atomic_call("Store", pointer, &[value]);
            }
            Statement::Store { pointer, value } => {
                self.expression(pointer, Bond::Whole);
                self.out.push_str(" = ");
                self.expression(value, Bond::Order);
            }
            Statement::StoreTexel { image, coordinate, layer, value } => {
                self.store_texel(image, coordinate, layer, value);
            }
            Statement::Barrier { storage, workgroup } => self.out.push_str(match (storage, workgroup) {
                (true, false) => "storageBarrier()",
                (true, true) => "storageBarrier(); workgroupBarrier()",
                (false, _) => "workgroupBarrier()",
            }),
            Statement::Break => self.out.push_str("break"),
            Statement::Continue => self.out.push_str("continue"),
            Statement::Discard => self.out.push_str("discard"),
            Statement::Return(value) => {
                self.out.push_str("return");
                if let Some(value) = value {
                    self.out.push(' ');
                    self.expression(value, Bond::Order);
                }
            }
            Statement::Nothing
            | Statement::Call { .. }
            | Statement::Atomic { .. }
            | Statement::Lane { .. }
            | Statement::If(_)
            | Statement::Else
            | Statement::Loop
            | Statement::Switch(_)
            | Statement::Case(_)
            | Statement::End => {}
        }
    }

    /// The call of a function of subgroups.
    fn lane(&mut self, op: LaneOp, value: Expr) {
        self.out.push_str(match op {
            LaneOp::Any => "subgroupAny(",
            LaneOp::All => "subgroupAll(",
            LaneOp::Ballot => "subgroupBallot(",
            LaneOp::Shuffle(_) => "subgroupShuffle(",
        });
        self.expression(value, Bond::Order);
        if let LaneOp::Shuffle(lane) = op {
            self.out.push_str(", ");
            self.expression(lane, Bond::Order);
        }
        self.out.push(')');
    }

    /// Begins a list of statements.
    fn open(&mut self) {
        self.out.push_str(" {");
        self.end();
        self.indent += 1;
    }

    /// Ends a list of statements.
    fn close(&mut self) {
        self.indent = self.indent.saturating_sub(1);
        self.begin(None);
        self.out.push('}');
    }

    fn semicolon(&mut self) {
        self.out.push(';');
        self.end();
    }

    /// Declares an expression at its position.
    fn declare(&mut self, e: Expr) {
        let label = self.begin_let(e, self.fun.origin(e));
        self.expression(e, Bond::Order);
        self.semicolon();
        self.tables.facts[e.index()].label = Some(label);
    }

    /// Begins a statement that yields a result, if the result is used.
    fn begin_yielding(&mut self, result: Option<Expr>, origin: Option<u32>) {
        match result.filter(|r| self.tables.facts[r.index()].uses > 0) {
            Some(result) => {
                let label = self.begin_let(result, origin);
                self.tables.facts[result.index()].label = Some(label);
            }
            None => self.begin(origin),
        }
    }

    /// Prints `let`, a new name for an expression, and `=`.
    #[inline(always)]
    fn begin_let(&mut self, e: Expr, origin: Option<u32>) -> Label {
        let label = self.tables.labels.unique(self.name(e, origin));
        self.begin(origin);
        self.out.push_str("let ");
        self.push_label(label);
        self.out.push_str(" = ");
        label
    }

    /// The name for an expression: its own, that of the variable it loads, or a number.
    fn name(&self, e: Expr, origin: Option<u32>) -> Name<'a> {
        if let Some(name) = self.fun.name_of(e) {
            return name;
        }
        let loaded = match self.fun.get(e) {
            Expression::Load { pointer } => match self.fun.get(pointer) {
                Expression::Local(l) => Some(self.fun.local(l).name),
                Expression::Global(g) => Some(self.module.global(g).name),
                _ => None,
            },
            _ => None,
        };
        match (loaded, origin) {
            (Some(name), _) => name,
            (None, Some(n)) => Name::numbered("t", n),
            (None, None) => "t".into(),
        }
    }
}

//! The expressions, arms and functions of a source file that its changes replace.

use super::list::{Genre, Mutant};
use proc_macro2::Span;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Signature};

/// How a change is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Whole functions, which have no change of their own: they limit what an error of the compiler concerns.
    Function,
    /// At the start of a function's body: the alternatives are returned.
    Return,
    /// The alternatives replace an expression.
    Expression,
    /// At the end of an arm's pattern: the arm is left out.
    Arm,
}

/// A position in a source file where changes are chosen.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub form: Form,
    /// The bytes that are replaced; empty where a text is inserted.
    pub range: Range<usize>,
    /// The changes, as positions in the list, and their texts.
    pub alternatives: Vec<(usize, String)>,
}

/// The sites of these changes of a file, each after those that contain it. Changes in constants, types, patterns and
/// `const` functions have none, because nothing can be chosen there at run time.
pub(super) fn sites<'m>(
    source: &str,
    mutants: impl Iterator<Item = (usize, &'m Mutant)>,
) -> syn::Result<Vec<Site>> {
    let mut listed: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (i, mutant) in mutants {
        listed.entry((mutant.genre, mutant.at)).or_default().push((i, mutant.replacement.as_str()));
    }
    let mut finder = Finder { source, listed, sites: Vec::new() };
    finder.visit_file(&syn::parse_file(source)?);
    let mut sites = finder.sites;
    // A text is inserted before the expression that begins there.
    sites.sort_by_key(|site| {
        let inserted = site.range.is_empty();
        (site.range.start, !inserted, std::cmp::Reverse(site.range.end))
    });
    Ok(sites)
}

/// A change, as its position in the list, and its text.
type Alternative<'a> = (usize, &'a str);

struct Finder<'a> {
    source: &'a str,
    /// The changes of a genre at a line and column.
    listed: BTreeMap<(Genre, (usize, usize)), Vec<Alternative<'a>>>,
    sites: Vec<Site>,
}

impl<'a> Finder<'a> {
    fn listed(&self, genre: Genre, span: Span) -> Vec<Alternative<'a>> {
        let at = (span.start().line, span.start().column + 1);
        self.listed.get(&(genre, at)).cloned().unwrap_or_default()
    }

    fn text(&self, spanned: &impl Spanned) -> &'a str {
        &self.source[spanned.span().byte_range()]
    }

    fn add(&mut self, form: Form, range: Range<usize>, alternatives: Vec<(usize, String)>) {
        if form == Form::Function || !alternatives.is_empty() {
            self.sites.push(Site { form, range, alternatives });
        }
    }

    /// Visits a function's body; returns whether it can have changes.
    fn function(&mut self, signature: &Signature, whole: Span, body: &Block) {
        if signature.constness.is_some() {
            return;
        }
        self.add(Form::Function, whole.byte_range(), Vec::new());
        if let Some(first) = body.stmts.first() {
            let start = first.span().byte_range().start;
            let listed = self.listed(Genre::Returned, first.span());
            let alternatives = listed.into_iter().map(|(i, text)| (i, text.to_owned())).collect();
            self.add(Form::Return, start..start, alternatives);
        }
        visit::visit_block(self, body);
    }
}

/// Whether a condition binds variables, so that it cannot become a value.
fn binds(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => matches!(b.op, BinOp::And(_)) && (binds(&b.left) || binds(&b.right)),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.function(&f.sig, f.span(), &f.block);
    }

    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        self.function(&f.sig, f.span(), &f.block);
    }

    fn visit_trait_item_fn(&mut self, f: &'ast syn::TraitItemFn) {
        if let Some(body) = &f.default {
            self.function(&f.sig, f.span(), body);
        }
    }

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        if !(binds(&e.left) || binds(&e.right)) {
            let (left, right) = (self.text(&e.left), self.text(&e.right));
            let listed = self.listed(Genre::Binary, e.op.span());
            let alternatives =
                listed.into_iter().map(|(i, op)| (i, format!("({left}) {op} ({right})"))).collect();
            self.add(Form::Expression, e.span().byte_range(), alternatives);
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_unary(&mut self, e: &'ast syn::ExprUnary) {
        let listed = self.listed(Genre::Unary, e.op.span());
        let alternatives =
            listed.into_iter().map(|(i, _)| (i, format!("({})", self.text(&e.expr)))).collect();
        self.add(Form::Expression, e.span().byte_range(), alternatives);
        visit::visit_expr_unary(self, e);
    }

    fn visit_expr_struct(&mut self, e: &'ast syn::ExprStruct) {
        let whole = e.span().byte_range();
        let mut alternatives = Vec::new();
        for pair in e.fields.pairs() {
            let mut removed = pair.value().span().byte_range();
            if let Some(comma) = pair.punct() {
                removed.end = comma.span().byte_range().end;
            }
            let rest =
                [&self.source[whole.start..removed.start], &self.source[removed.end..whole.end]].concat();
            let listed = self.listed(Genre::Field, pair.value().span());
            alternatives.extend(listed.into_iter().map(|(i, _)| (i, rest.clone())));
        }
        self.add(Form::Expression, whole, alternatives);
        visit::visit_expr_struct(self, e);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        match &arm.guard {
            None => {
                let end = arm.pat.span().byte_range().end;
                let listed = self.listed(Genre::Arm, arm.span());
                self.add(Form::Arm, end..end, listed.into_iter().map(|(i, _)| (i, String::new())).collect());
            }
            Some((_, guard)) => {
                let listed = self.listed(Genre::Guard, guard.span());
                let alternatives = listed.into_iter().map(|(i, text)| (i, text.to_owned())).collect();
                self.add(Form::Expression, guard.span().byte_range(), alternatives);
                self.visit_expr(guard);
            }
        }
        self.visit_expr(&arm.body);
    }

    // Nothing in these runs.
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, e: &'ast syn::ExprRepeat) {
        self.visit_expr(&e.expr);
    }
}

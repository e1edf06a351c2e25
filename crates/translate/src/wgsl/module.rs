//! The order of a module's text: structure, variables, functions, entry point.

use super::labels::Label;
use super::printer::{Printer, Tables};
use super::text::Text;
use crate::build::{Helper, Helpers, Made};
use crate::syntax::{BuiltIn, EntryStage, Module, Structure, Types, decimal};
use crate::{Mapping, Source, internal};
use shisa_diag::Diagnostic;
use std::sync::OnceLock;

/// Prints a module whose helpers are `made`; returns the text and its source map. Helpers may be empty. `comments`
/// are the instructions to write as comments.
pub(super) fn print(
    module: &Module,
    made: &Made,
    comments: &[Source],
    tables: &mut Tables,
) -> Result<(String, Vec<Mapping>), Diagnostic> {
    let mut p = Printer::new(module, comments, tables);
    for (built_in, extension) in EXTENSIONS {
        if module.binds(built_in) {
            p.out.push_str("enable ");
            p.out.push_str(extension);
            p.out.push(';');
            p.end();
        }
    }
    if module.subgroups {
        p.out.push_str("enable subgroups;");
        p.end();
        // Lanes of a wave reach these operations together, but WGSL cannot see it of a value that memory holds.
        p.out.push_str("diagnostic(off, subgroup_uniformity);");
        p.end();
    }
    if module.diverges {
        p.out.push_str("diagnostic(off, derivative_uniformity);");
        p.end();
    }
    p.print_module(made);
    let text = std::str::from_utf8(&p.out.0).map_err(|_| internal("a name is not UTF-8"))?.to_owned();
    let Printer { out, map, tables, .. } = p;
    tables.take(out);
    Ok((text, map))
}

/// Built-in values that need an extension of the language.
const EXTENSIONS: [(BuiltIn, &str); 2] =
    [(BuiltIn::ClipDistances, "clip_distances"), (BuiltIn::PrimitiveIndex, "primitive_index")];

/// The text of a helper, and the number of its lines. It is the same in every program, so it is printed once.
fn helper(helper: Helper) -> &'static (Text, u32) {
    static TEXTS: [OnceLock<(Text, u32)>; Helper::COUNT] = [const { OnceLock::new() }; Helper::COUNT];
    TEXTS[helper.number()].get_or_init(|| {
        let (mut types, mut helpers) = (Types::default(), Helpers::new(false));
        let made = helpers.get(&mut types, helper);
        let names = helpers.made;
        let module = Module { types, functions: helpers.functions, ..Module::default() };
        let mut tables = Tables::default();
        let mut p = Printer::new(&module, &[], &mut tables);
        for (helper, id) in &names {
            p.tables.functions[id.index()] = p.tables.labels.unique(helper.name().into());
        }
        p.function(module.function(made), p.tables.functions[made.index()]);
        (p.out, p.line - 1)
    })
}

impl<'a> Printer<'a> {
    fn print_module(&mut self, made: &Made) {
        let module = self.module;
        let helper_of = |i: usize| made.helpers.iter().find(|m| m.1.index() == i).map(|m| m.0);
        // Helpers are named first, so that their names are always the same.
        for (helper, id) in &made.helpers {
            self.tables.functions[id.index()] = self.tables.labels.unique(helper.name().into());
        }
        if let Some(structure) = &module.types.structure {
            self.structure = self.tables.labels.unique(structure.name);
        }
        for g in &module.globals {
            let label = self.tables.labels.unique(g.name);
            self.tables.globals.push(label);
        }
        for (i, f) in module.functions.iter().enumerate().filter(|f| helper_of(f.0).is_none()) {
            self.tables.functions[i] = self.tables.labels.unique(f.name);
        }
        let entry = self.tables.labels.unique(module.entry.function.name);
        if let Some(structure) = &module.types.structure {
            self.declare_structure(structure);
        }
        for (i, g) in module.globals.iter().enumerate() {
            self.global(self.tables.globals[i], g);
        }
        if !module.globals.is_empty() {
            self.end();
        }
        for (i, f) in module.functions.iter().enumerate() {
            match helper_of(i).map(helper) {
                Some((text, lines)) => {
                    self.out.0.extend_from_slice(&text.0);
                    self.line += lines;
                }
                None => self.function(f, self.tables.functions[i]),
            }
            self.end();
        }
        self.entry(entry);
    }

    fn declare_structure(&mut self, structure: &Structure) {
        self.tables.labels.open();
        self.out.push_str("struct ");
        self.push_label(self.structure);
        self.out.push_str(" {");
        self.end();
        for m in &structure.members {
            let label = self.tables.labels.unique(m.name);
            self.tables.members.push(label);
            self.out.push_str("    ");
            self.binding(m.binding);
            self.declaration(label, m.ty);
            self.out.push(',');
            self.end();
        }
        self.out.push('}');
        self.end();
        self.end();
    }

    fn entry(&mut self, name: Label) {
        let entry = &self.module.entry;
        match entry.stage {
            EntryStage::Vertex => self.out.push_str("@vertex"),
            EntryStage::Fragment => self.out.push_str("@fragment"),
            EntryStage::Compute => {
                self.out.push_str("@compute @workgroup_size(");
                for (i, n) in entry.workgroup.into_iter().enumerate() {
                    self.out.push_str(if i > 0 { ", " } else { "" });
                    decimal(&mut self.out, n);
                }
                self.out.push(')');
            }
        }
        self.end();
        self.function(&entry.function, name);
    }
}

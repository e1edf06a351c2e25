//! The module with its functions in another order.

use crate::likeness;
use std::error::Error;
use std::io;
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

/// Writes a module with its functions in the order in which gzip finds most of what is alike.
///
/// # Errors
/// The bytes are not a module.
pub(crate) fn ordered(module: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let functions = likeness::order(&bodies);
    let mut indices: Vec<u32> = (0..imported + bodies.len() as u32).collect();
    for (function, index) in functions.iter().zip(imported..) {
        indices[imported as usize + function] = index;
    }
    let mut written = Module::new();
    Writer { functions, indices }.parse_core_module(&mut written, Parser::new(0), module)?;
    Ok(written.finish())
}

/// Writes a module with another order of its functions.
struct Writer {
    /// The functions that have bodies, by their positions in the given module's list of bodies.
    functions: Vec<usize>,
    /// The new index of each function. Those that are imported come first and have no bodies.
    indices: Vec<u32>,
}

type Failure = reencode::Error<io::Error>;

impl Reencode for Writer {
    type Error = io::Error;

    fn function_index(&mut self, function: u32) -> Result<u32, Failure> {
        let missing = || Failure::UserError(io::Error::other(format!("there is no function {function}")));
        self.indices.get(function as usize).copied().ok_or_else(missing)
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Failure> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for position in &self.functions {
            functions.function(types[*position]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Failure> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for position in self.functions.clone() {
            self.parse_function_body(code, bodies[position].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ordered;
    use wasm_encoder::{
        CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection, ImportSection, Module,
        TypeSection,
    };
    use wasmparser::{Operator, Parser, Payload, Validator};

    /// A module with an import and three functions: the first and the third have a long run of constants in common.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        imports.import("m", "f", EntityType::Function(0));
        let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
        for (called, start) in [(2, 0), (3, 1000), (0, 0)] {
            functions.function(0);
            let mut body = Function::new([]);
            let mut instructions = body.instructions();
            for number in start..start + 20 {
                instructions.i32_const(number).drop();
            }
            instructions.call(called).end();
            code.function(&body);
        }
        let mut exports = ExportSection::new();
        exports.export("start", ExportKind::Func, 2);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
        module.finish()
    }

    #[test]
    fn functions_that_are_alike_follow_each_other_and_calls_follow_them() {
        let given = module();
        let written = ordered(&given).unwrap();
        Validator::new().validate_all(&written).unwrap();
        let (mut functions, mut exported) = (Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(&written) {
            match payload.unwrap() {
                Payload::CodeSectionEntry(body) => {
                    let (mut first, mut called) = (None, None);
                    for operator in body.get_operators_reader().unwrap() {
                        match operator.unwrap() {
                            Operator::I32Const { value } => first = first.or(Some(value)),
                            Operator::Call { function_index } => called = Some(function_index),
                            _ => {}
                        }
                    }
                    functions.push((first.unwrap(), called.unwrap()));
                }
                Payload::ExportSection(section) => {
                    exported.extend(section.into_iter().map(|export| export.unwrap().index));
                }
                _ => {}
            }
        }
        // The function that has nothing in common with the others is no longer between them.
        let apart = functions.iter().position(|(first, _)| *first == 1000).unwrap();
        assert!(apart != 1, "{functions:?}");
        assert_eq!(exported, [1 + apart as u32]);
        // The third function, which calls the import, is called by the one that is apart, which the first calls.
        let third = functions.iter().position(|(_, called)| *called == 0).unwrap();
        let first = functions.iter().position(|(_, called)| *called == 1 + apart as u32).unwrap();
        assert_eq!(functions[apart].1, 1 + third as u32);
        assert_eq!([functions[third].0, functions[first].0], [0, 0]);
        assert!(ordered(&given[..given.len() - 1]).is_err());
    }
}

//! Programs.

use crate::call::call;
use crate::convert;
use crate::errors::findings;
use crate::failure::Failure;
use crate::glue::with_member;
use crate::opened::Opened;
use crate::picture::Picture;
use crate::session::{self, Session};
use crate::{lockstep, preview, render, run};
use serde_json::json;
use shisa::data::ListingJson;
use shisa::diag::Source;
use shisa::ir::print_func;
use shisa::translation::{Code, Output};
use shisa_verbs::{LanguageName, Listed, Translating, as_json, source_map};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A program of a file. `free` releases it.
#[wasm_bindgen]
pub struct Program {
    file: Rc<Opened>,
    number: usize,
}

impl Program {
    pub(crate) fn new(file: Rc<Opened>, number: usize) -> Program {
        Program { file, number }
    }

    fn program(&self) -> Result<shisa::Program<'_>, Failure> {
        self.file.program(self.number)
    }

    /// The result of a verb.
    fn verb<T>(&self, verb: impl FnOnce(&shisa::Program<'_>) -> shisa::Result<T>) -> Result<T, Failure> {
        verb(&self.program()?).map_err(|e| self.file.failed(e))
    }
}

#[wasm_bindgen]
impl Program {
    /// Its name in the file; may be empty.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> Result<String, JsValue> {
        call(|| Ok(self.program()?.name().to_owned()))
    }

    /// Its number in the file, from 1.
    #[wasm_bindgen(getter)]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Its instruction set.
    #[wasm_bindgen(getter, unchecked_return_type = "Isa | null")]
    pub fn isa(&self) -> Result<JsValue, JsValue> {
        call(|| Ok(self.program()?.isa().map_or(JsValue::NULL, |isa| isa.name().into())))
    }

    /// Its listing, which assembles to the bytes that `extract` returns.
    pub fn listing(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "ListingOptions")] options: JsValue,
    ) -> Result<String, JsValue> {
        call(|| {
            let how: Listed = convert::options(&options)?;
            how.fits(self.file.file().isa()).map_err(Failure::usage)?;
            self.verb(|program| program.listing(&how.listing()))
        })
    }

    /// Its listing as an object.
    #[wasm_bindgen(js_name = listingJson, unchecked_return_type = "Listing")]
    pub fn listing_json(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "ListingOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        call(|| {
            let how: Listed = convert::options(&options)?;
            how.fits(self.file.file().isa()).map_err(Failure::usage)?;
            listing_json(&self.file, self.program()?.listing_json(&how.listing()))
        })
    }

    /// The fields of the instruction at an offset, as listings state it; none for bytes that are no instruction.
    #[wasm_bindgen(unchecked_return_type = "Field[]")]
    pub fn fields(&self, offset: usize) -> Result<JsValue, JsValue> {
        call(|| convert::object(&self.verb(|program| program.fields(offset))?))
    }

    /// All findings about it.
    #[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
    pub fn check(&self) -> Result<JsValue, JsValue> {
        call(|| {
            let source = self.file.source().map(Source::new);
            let list = self.file.adjusted(
                |settings| settings.unchecked = true,
                |file| {
                    let program = file.program(self.number)?;
                    let path = program.path(self.file.name());
                    let found = shisa_verbs::check(file, Some(&program))?;
                    Ok(found
                        .iter()
                        .map(|one| as_json(&one.diagnostic, &path, source.as_ref()))
                        .collect::<Vec<_>>())
                },
            )?;
            convert::object(&list)
        })
    }

    /// Its control flow graph.
    #[wasm_bindgen(unchecked_return_type = "Cfg")]
    pub fn cfg(&self) -> Result<JsValue, JsValue> {
        call(|| convert::object(&self.verb(|program| program.cfg())?))
    }

    /// Its control flow graph in the language of Graphviz.
    #[wasm_bindgen(js_name = cfgDot)]
    pub fn cfg_dot(&self) -> Result<String, JsValue> {
        call(|| self.verb(|program| program.cfg()?.dot()))
    }

    /// The text of the program in the form that translators read.
    pub fn ir(&self) -> Result<String, JsValue> {
        call(|| self.verb(|program| Ok(print_func(&program.lower()?.func))))
    }

    /// Its estimated cost.
    #[wasm_bindgen(unchecked_return_type = "Report")]
    pub fn report(&self) -> Result<JsValue, JsValue> {
        call(|| {
            let mut report = self.verb(|program| program.report())?.json;
            report["file"] = self.file.name().into();
            convert::object(&report)
        })
    }

    /// Translates it to a shading language.
    #[wasm_bindgen(unchecked_return_type = "Translation")]
    pub fn translate(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Language")] to: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "TranslateOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        call(|| {
            let language: Option<LanguageName> = convert::name(&to)?;
            let language = language.ok_or_else(|| Failure::usage("a translation is to a language"))?;
            let how: Translating = convert::options(&options)?;
            let target =
                how.target(language).map_err(|text| Failure::usage(format!("targetVersion {text}")))?;
            let output = self.file.adjusted(
                |settings| how.adjust(settings),
                |file| file.program(self.number)?.translate(target, &how.options()),
            )?;
            self.translated(&output)
        })
    }

    /// Runs it on inputs, and fills in the results.
    #[wasm_bindgen(unchecked_return_type = "RunInput")]
    pub fn run(
        &self,
        #[wasm_bindgen(unchecked_param_type = "RunInput | string")] input: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "RunOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        call(|| {
            let run =
                |file: &shisa::File<'_>, text: &str, how| file.program(self.number)?.run_json(text, how);
            run::run(&self.file, &input, &options, run)
        })
    }

    /// Draws it over a rectangle, if it is a fragment program.
    pub fn preview(
        &self,
        #[wasm_bindgen(unchecked_param_type = "PreviewOptions")] options: JsValue,
    ) -> Result<Picture, JsValue> {
        call(|| preview::preview(&self.file, self.number, &options))
    }

    /// Draws a mesh (OBJ, glTF or GLB) with it, if it is a vertex program. Pixels have the colour that it outputs, or are lit by
    /// their normals.
    pub fn render(
        &self,
        mesh: &[u8],
        #[wasm_bindgen(unchecked_optional_param_type = "RenderOptions")] options: JsValue,
    ) -> Result<Picture, JsValue> {
        call(|| render::render((&self.file, self.number), None, mesh, &options))
    }

    /// Draws a mesh with it and a fragment program of the same instruction set, if it is a vertex program.
    #[wasm_bindgen(js_name = renderWith)]
    pub fn render_with(
        &self,
        fragment: &Program,
        mesh: &[u8],
        #[wasm_bindgen(unchecked_optional_param_type = "RenderOptions")] options: JsValue,
    ) -> Result<Picture, JsValue> {
        let fragment = Some((&*fragment.file, fragment.number));
        call(|| render::render((&self.file, self.number), fragment, mesh, &options))
    }

    /// The program as a file of its own.
    pub fn extract(&self) -> Result<Vec<u8>, JsValue> {
        call(|| self.verb(|program| program.extract()))
    }

    /// Records a run on inputs, for a debugger.
    pub fn debug(
        &self,
        #[wasm_bindgen(unchecked_param_type = "RunInput | string")] input: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "DebugOptions")] options: JsValue,
    ) -> Result<Session, JsValue> {
        call(|| session::begin(&self.file, self.number, &convert::text(&input)?, &options))
    }

    /// Compares engines on its runs on inputs: the first one with each other one.
    #[wasm_bindgen(unchecked_return_type = "Comparison[]")]
    pub fn lockstep(
        &self,
        #[wasm_bindgen(unchecked_param_type = "RunInput | string")] input: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "LockstepOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        call(|| lockstep::compare(&self.file, self.number, &convert::text(&input)?, &options))
    }

    fn translated(&self, output: &Output) -> Result<JsValue, Failure> {
        let map = source_map(output);
        let object = convert::object(&json!({ "reflection": output.reflection, "map": map["map"] }))?;
        let warnings = findings(&output.warnings, self.file.name(), self.file.source())?;
        let object = with_member(object, "warnings", warnings);
        Ok(match &output.code {
            Code::Text(text) => with_member(object, "text", text.as_str().into()),
            Code::Words(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                with_member(object, "bytes", bytes.into())
            }
        })
    }
}

/// A listing as an object.
pub(crate) fn listing_json(file: &Opened, json: ListingJson<'_>) -> Result<JsValue, Failure> {
    let object = convert::object(&json);
    match json.failed() {
        Some(e) => Err(file.failed(e)),
        None => object,
    }
}

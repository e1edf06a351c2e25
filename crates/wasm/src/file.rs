//! Files.

use crate::bare::Bare;
use crate::call::call;
use crate::choices::Choices;
use crate::convert;
use crate::errors::findings;
use crate::failure::Failure;
use crate::glue;
use crate::opened::{Opened, Origin};
use crate::program::{Program, listing_json};
use crate::run;
use shisa::data::Which;
use shisa::diag::Source;
use shisa::maxwell::NvnControl;
use shisa_verbs::{Listed, as_json};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A file that contains programs, or is one. `free` releases its memory.
#[wasm_bindgen]
pub struct File(Rc<Opened>);

/// Identifies bytes, even if they cannot be opened: what `shisa identify --json` writes.
#[wasm_bindgen(unchecked_return_type = "Identity")]
pub fn identify(
    bytes: Vec<u8>,
    #[wasm_bindgen(unchecked_optional_param_type = "Settings")] settings: JsValue,
) -> Result<JsValue, JsValue> {
    call(|| {
        let settings = convert::options::<Choices>(&settings)?.settings()?;
        let identity = shisa::File::identify(&bytes, &settings);
        convert::object(&shisa_verbs::Identified::new(
            settings.name.as_deref().unwrap_or_default(),
            &identity,
        ))
    })
}

#[wasm_bindgen]
impl File {
    /// Opens a file by its content: a program, a container of programs, or a source, which is assembled.
    pub fn open(
        bytes: Vec<u8>,
        #[wasm_bindgen(unchecked_optional_param_type = "Settings")] settings: JsValue,
    ) -> Result<File, JsValue> {
        call(|| {
            let settings = convert::options::<Choices>(&settings)?.settings()?;
            Ok(File(Rc::new(Opened::new(bytes, Origin::File, settings)?)))
        })
    }

    /// Opens a code file of NVN with the control file that belongs to it.
    #[wasm_bindgen(js_name = openPair)]
    pub fn open_pair(
        code: Vec<u8>,
        control: &[u8],
        #[wasm_bindgen(unchecked_optional_param_type = "Settings")] settings: JsValue,
    ) -> Result<File, JsValue> {
        call(|| {
            let settings = convert::options::<Choices>(&settings)?.settings()?;
            let control = NvnControl::read(control, &settings.limits)
                .map_err(|faults| Failure::about(faults.into(), "", control))?;
            Ok(File(Rc::new(Opened::new(code, Origin::Pair(control), settings)?)))
        })
    }

    /// Makes a file of code without a container, as emulators have it. It has one program.
    #[wasm_bindgen(js_name = fromCode)]
    pub fn from_code(
        #[wasm_bindgen(unchecked_param_type = "Code")] code: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Settings")] settings: JsValue,
    ) -> Result<File, JsValue> {
        call(|| {
            let settings = convert::options::<Choices>(&settings)?.settings()?;
            let wrong = |_| Failure::usage("bare code is an object with `isa` and `code`");
            let code = glue::bare_code(&code).map_err(wrong)?;
            let origin = Origin::Code(Bare::new(&code)?);
            Ok(File(Rc::new(Opened::new(code.code(), origin, settings)?)))
        })
    }

    /// What the file is, with a list of its programs.
    #[wasm_bindgen(getter, unchecked_return_type = "Identity")]
    pub fn identity(&self) -> Result<JsValue, JsValue> {
        call(|| convert::object(&shisa_verbs::Identified::new(self.0.name(), self.0.file().identity())))
    }

    /// Findings from opening: warnings, and damage of a container.
    #[wasm_bindgen(getter, unchecked_return_type = "Diagnostic[]")]
    pub fn diagnostics(&self) -> Result<JsValue, JsValue> {
        call(|| findings(self.0.file().diagnostics(), self.0.name(), self.0.source()))
    }

    /// The number of programs.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.0.file().programs().len()
    }

    /// One of the programs, by its number from 1 or by its name.
    pub fn program(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number | string")] which: JsValue,
    ) -> Result<Program, JsValue> {
        call(|| {
            let number = self.number(&which)?;
            Ok(Program::new(Rc::clone(&self.0), number))
        })
    }

    /// All findings about the file and its programs, as `shisa check` reports them.
    #[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
    pub fn check(&self) -> Result<JsValue, JsValue> {
        call(|| {
            let (name, source) = (self.0.name(), self.0.source().map(Source::new));
            let list = self.0.adjusted(
                |settings| settings.unchecked = true,
                |file| {
                    let found = shisa_verbs::check(file, None)?;
                    let each = found.iter().map(|one| {
                        let path = one.program.as_ref().map(|program| program.path(name));
                        as_json(&one.diagnostic, path.as_deref().unwrap_or(name), source.as_ref())
                    });
                    Ok(each.collect::<Vec<_>>())
                },
            )?;
            convert::object(&list)
        })
    }

    /// The listing of all programs.
    pub fn listing(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "ListingOptions")] options: JsValue,
    ) -> Result<String, JsValue> {
        call(|| {
            let how: Listed = convert::options(&options)?;
            how.fits(self.0.file().isa()).map_err(Failure::usage)?;
            self.0.file().listing(&how.listing()).map_err(|e| self.0.failed(e))
        })
    }

    /// The listing of all programs as an object.
    #[wasm_bindgen(js_name = listingJson, unchecked_return_type = "Listing | FileListing")]
    pub fn listing_json(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "ListingOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        call(|| {
            let how: Listed = convert::options(&options)?;
            how.fits(self.0.file().isa()).map_err(Failure::usage)?;
            listing_json(&self.0, self.0.file().listing_json(&how.listing()))
        })
    }

    /// Runs the programs that the input names, and fills in the results.
    #[wasm_bindgen(unchecked_return_type = "RunInput")]
    pub fn run(
        &self,
        #[wasm_bindgen(unchecked_param_type = "RunInput | string")] input: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "RunOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        call(|| run::run(&self.0, &input, &options, |file, text, how| file.run_json(text, how)))
    }

    /// The bytes of the file with new code for one of its programs, in the form that `extract` returns.
    pub fn replace(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number | string")] which: JsValue,
        code: &[u8],
    ) -> Result<Vec<u8>, JsValue> {
        call(|| {
            let number = self.number(&which)?;
            self.0.file().replace(number, code).map_err(|e| self.0.failed(e))
        })
    }
}

impl File {
    /// The number of the program that an argument selects.
    fn number(&self, which: &JsValue) -> Result<usize, Failure> {
        let program = match (which.as_f64(), which.as_string()) {
            // A conversion of what is no number from 0 yields 0, which no program has.
            (Some(number), _) => self.0.file().program(Which::Number(number as usize)),
            (None, Some(name)) => self.0.file().program(&*name),
            (None, None) => return Err(Failure::usage("a program has a number or a name")),
        };
        program.map(|program| program.number()).map_err(|e| self.0.failed(e))
    }
}

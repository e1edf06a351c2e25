//! ActionScript byte code: the programs that its execution shows, and the strings of its constant pools.

use crate::avm2::abc::Abc;
use crate::avm2::catalogue::{Catalogue, Shape, Shown};
use crate::avm2::domain::Domain;
use crate::avm2::value::{Origin, Text};
use crate::binary::{is_whole, read};
use crate::{Content, Found, Place, Search, Step, avm2, encoded};
use shisa_agal::{SourceGuess, identify_source};
use shisa_diag::{Confidence, Diagnostic, Limit};
use std::collections::{BTreeMap, HashMap};

/// A tag of byte code.
pub(crate) struct ByteCode<'a> {
    pub(crate) name: String,
    pub(crate) bytes: &'a [u8],
    /// The offset of the first byte in the file.
    pub(crate) offset: usize,
    pub(crate) path: Vec<Step>,
}

/// Searches the byte code of a SWF; `data` is what its tags associate with classes, and `first` the number of finds
/// before those of this SWF.
pub(crate) fn search(
    search: &mut Search<'_>,
    code: &[ByteCode<'_>],
    data: BTreeMap<String, &[u8]>,
    first: usize,
) -> Result<(), Diagnostic> {
    if code.is_empty() {
        return Ok(());
    }
    let mut files = Vec::new();
    for one in code {
        let (abc, fault) = Abc::read(one.bytes);
        if let Some(at) = fault {
            search.sink.push(cut_off(one, at));
        }
        files.push(abc);
    }
    let domain = Domain::new(files, data);
    let (catalogue, complete) = avm2::explore(&domain, search.fuel);
    if !complete {
        let text =
            "the byte code is too large to be executed as a whole: programs that it builds may be missing";
        search.sink.push(Diagnostic::warning("swf-fuel", text).note(format!(
            "at most {} instructions run, and no more than the limit {}={}",
            avm2::STEPS,
            Limit::Fuel.name(),
            search.limits.fuel
        )));
    }
    let mut finder = Finder { code, domain: &domain, first, texts: HashMap::new() };
    finder.known(search);
    finder.shown(search, &catalogue)?;
    finder.built(search, &catalogue)?;
    finder.constants(search, &catalogue)?;
    Ok(())
}

fn cut_off(code: &ByteCode<'_>, at: usize) -> Diagnostic {
    let tag = match code.path.last() {
        Some(Step::Tag(number)) => *number,
        _ => 0,
    };
    let text = format!("the byte code in tag {tag} is cut off or broken");
    let place = code.offset + at..code.offset + code.bytes.len();
    Diagnostic::error("swf-abc", text).at_bytes(place, "once decompressed")
}

struct Finder<'d, 'a> {
    code: &'d [ByteCode<'a>],
    domain: &'d Domain<'a>,
    /// The number of finds before those of this SWF.
    first: usize,
    /// Finds by their text.
    texts: HashMap<String, usize>,
}

impl Finder<'_, '_> {
    /// Notes the sources that binary data contains.
    fn known(&mut self, search: &Search<'_>) {
        for (index, found) in search.found.iter().enumerate().skip(self.first) {
            if let Some(text) = found.source() {
                self.texts.entry(text.to_owned()).or_insert(index);
            }
        }
    }

    /// A find at the first constant of a text.
    fn found(&self, origin: Option<Origin>, parts: u32, content: Content) -> Found {
        let at = origin.unwrap_or(Origin { abc: 0, index: 0 });
        let (abc, path, base) = match self.code.get(at.abc) {
            Some(code) => (code.name.clone(), code.path.clone(), code.offset),
            None => (String::new(), Vec::new(), 0),
        };
        let string = self.domain.files.get(at.abc).and_then(|f| f.strings.get(at.index as usize));
        let offset = base + string.map_or(0, |s| s.offset);
        let place = match parts {
            1 => Place::String { abc, index: at.index },
            _ => Place::Built { abc, index: at.index, parts },
        };
        Found {
            path,
            place,
            offset,
            content,
            stage: None,
            version: 1,
            whole: true,
            confidence: Confidence::Certain,
        }
    }

    /// Adds the programs that reached an assembler or the player.
    fn shown(&mut self, search: &mut Search<'_>, catalogue: &Catalogue) -> Result<(), Diagnostic> {
        let mut numbers = Vec::new();
        for shown in &catalogue.programs {
            numbers.push(match &shown.content {
                Shape::Source(text) => self.source(search, text, shown)?,
                Shape::Program(bytes) => self.program(search, bytes, shown)?,
            });
        }
        for (vertex, fragment) in &catalogue.pairs {
            if let (Some(Some(vertex)), Some(Some(fragment))) = (numbers.get(*vertex), numbers.get(*fragment))
            {
                search.pairs.push((*vertex, *fragment));
            }
        }
        Ok(())
    }

    fn source(
        &mut self,
        search: &mut Search<'_>,
        text: &Text,
        shown: &Shown,
    ) -> Result<Option<usize>, Diagnostic> {
        let Some(guess) = identify_source(&text.text) else { return Ok(None) };
        let stage = shown.stage.or(guess.stage);
        let version = shown.version.unwrap_or(1).max(guess.version);
        let sound = stage.is_some_and(|stage| is_whole(&text.text, stage, version));
        let confidence = if sound { Confidence::Certain } else { Confidence::Likely };
        if let Some(index) = self.texts.get(&text.text)
            && let Some(found) =
                search.found.get_mut(*index).filter(|f| f.stage == stage || f.stage.is_none())
        {
            (found.stage, found.version, found.whole, found.confidence) = (stage, version, true, confidence);
            return Ok(Some(*index));
        }
        let content = Content::Source(text.text.clone());
        let place = self.found(text.first, text.parts, content);
        let index = search.take(Found { stage, version, confidence, ..place })?;
        self.texts.insert(text.text.clone(), index);
        Ok(Some(index))
    }

    fn program(
        &mut self,
        search: &mut Search<'_>,
        bytes: &[u8],
        shown: &Shown,
    ) -> Result<Option<usize>, Diagnostic> {
        let own = search.found.iter().skip(self.first);
        let same = |f: &Found| matches!(&f.content, Content::Program(other) if other == bytes);
        if let Some(index) = own.clone().position(same) {
            return Ok(Some(self.first + index));
        }
        let place = self.found(None, 0, Content::Program(bytes.to_vec()));
        let version = shown.version.unwrap_or(1);
        search.take(Found { stage: shown.stage, version, ..place }).map(Some)
    }

    /// Adds the texts that were built, but did not reach an assembler.
    fn built(&mut self, search: &mut Search<'_>, catalogue: &Catalogue) -> Result<(), Diagnostic> {
        let mut texts: Vec<&Text> = catalogue.texts().map(|t| &**t).collect();
        texts.sort_by_key(|t| (t.first.map(|o| (o.abc, o.index)), t.text.len(), t.text.as_str()));
        for text in texts {
            if !self.texts.contains_key(&text.text) {
                let part = catalogue.programs.iter().any(|p| match &p.content {
                    Shape::Source(whole) => whole.text.contains(&text.text),
                    Shape::Program(_) => false,
                });
                self.text(search, text.first, text.parts.max(2), &text.text, part)?;
            }
        }
        Ok(())
    }

    /// Adds a text of which it is not known whether it is a program.
    fn text(
        &mut self,
        search: &mut Search<'_>,
        origin: Option<Origin>,
        parts: u32,
        text: &str,
        part: bool,
    ) -> Result<(), Diagnostic> {
        let Some(SourceGuess { stage, version, confidence }) = identify_source(text) else { return Ok(()) };
        let whole = !part && stage.is_some_and(|stage| is_whole(text, stage, version));
        let confidence = if whole { confidence } else { Confidence::Possible };
        let place = self.found(origin, parts, Content::Source(text.to_owned()));
        let index = search.take(Found { stage, version, whole, confidence, ..place })?;
        self.texts.insert(text.to_owned(), index);
        Ok(())
    }

    /// Adds the constants that are AGAL and have not been found otherwise.
    fn constants(&mut self, search: &mut Search<'_>, catalogue: &Catalogue) -> Result<(), Diagnostic> {
        let (domain, before) = (self.domain, self.texts.clone());
        for (abc, file) in domain.files.iter().enumerate() {
            for (index, string) in (0..).zip(&file.strings).skip(1) {
                let Ok(text) = std::str::from_utf8(string.bytes) else { continue };
                let origin = Origin { abc, index };
                if let Some(program) = encoded::decode(text).as_deref().and_then(read) {
                    let place = self.found(Some(origin), 1, Content::Program(program.write()));
                    search.take(Found { stage: Some(program.stage), version: program.version, ..place })?;
                } else if !before.contains_key(text) {
                    self.text(search, Some(origin), 1, text, catalogue.joined.contains(&origin))?;
                }
            }
        }
        Ok(())
    }
}

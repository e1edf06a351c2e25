//! Listings as JSON, which are written one instruction at a time.

use crate::identity;
use crate::inner::Inner;
use crate::{Error, Listing, Result};
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// A listing that serialises in the form of `docs/schema/listing.schema.json`. It is made while it is written, so that
/// it takes little more memory than its text.
///
/// Serialisation fails with the error of the writer, or if a program cannot be listed: see [`ListingJson::failed`].
#[derive(Debug)]
pub struct ListingJson<'f> {
    inner: &'f Inner<'f>,
    /// The program; `None` for the file.
    which: Option<usize>,
    how: Listing,
    failed: RefCell<Option<Error>>,
}

impl<'f> ListingJson<'f> {
    /// Of one program, or of a file.
    pub(crate) fn of<'b: 'f>(inner: &'f Inner<'b>, which: Option<usize>, how: &Listing) -> ListingJson<'f> {
        ListingJson { inner, which, how: *how, failed: RefCell::default() }
    }

    /// Why the last serialisation failed, if a program could not be listed.
    pub fn failed(self) -> Option<Error> {
        self.failed.into_inner()
    }

    /// A step of the serialisation.
    fn done<T, E: serde::ser::Error>(&self, step: Result<T>) -> std::result::Result<T, E> {
        step.map_err(|e| {
            let error = E::custom(&e);
            self.failed.replace(Some(e));
            error
        })
    }
}

impl Serialize for ListingJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        if self.which.is_some() || self.inner.opened.single() {
            return Program { all: self, which: self.which }.serialize(to);
        }
        let mut out = to.serialize_struct("Listing", 3)?;
        out.serialize_field("version", &1)?;
        out.serialize_field("container", &self.inner.identity().container)?;
        out.serialize_field("programs", &Members(self))?;
        out.end()
    }
}

/// The programs of a container, one by one.
struct Members<'a, 'f>(&'a ListingJson<'f>);

impl Serialize for Members<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let Members(all) = *self;
        to.collect_seq(all.inner.identity().programs.iter().enumerate().map(|(index, entry)| {
            let source = all.inner.opened.source(index);
            let listing = source.is_none().then_some(Program { all, which: Some(index) });
            Member { number: index + 1, entry, source, listing }
        }))
    }
}

/// A program of a container: its entry, and its listing or its source.
#[derive(serde::Serialize)]
struct Member<'a, 'f> {
    number: usize,
    #[serde(flatten)]
    entry: &'a identity::Entry,
    source: Option<&'a str>,
    listing: Option<Program<'a, 'f>>,
}

/// A program with its instructions.
struct Program<'a, 'f> {
    all: &'a ListingJson<'f>,
    which: Option<usize>,
}

impl Serialize for Program<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let Program { all, which } = *self;
        let Inner { opened, settings, .. } = all.inner;
        let head = all.done(opened.head(which, settings))?;
        let mut out = to.serialize_struct("Listing", 6)?;
        out.serialize_field("version", &1)?;
        out.serialize_field("isa", &opened.isa())?;
        out.serialize_field("chip", &head.chip)?;
        out.serialize_field("stage", &head.stage)?;
        out.serialize_field("text", &all.done(opened.listing(which, &all.how, settings))?)?;
        out.serialize_field("instructions", &Instructions(self))?;
        out.end()
    }
}

/// The instructions of a program.
struct Instructions<'a, 'f>(&'a Program<'a, 'f>);

impl Serialize for Instructions<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let Program { all, which } = *self.0;
        let Inner { opened, settings, .. } = all.inner;
        let mut list = to.serialize_seq(None)?;
        let mut written = Ok(());
        let passed = opened.instructions(which, &all.how, settings, &mut |instruction| {
            written = list.serialize_element(&instruction);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        all.done(passed)?;
        written.and_then(|()| list.end())
    }
}

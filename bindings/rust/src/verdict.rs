//! Verdicts with their evidence.

use std::fmt;
use std::os::raw::c_char;
use std::path::Path;
use std::sync::Arc;

use crate::error::{c_path, c_shown, checked, checked_pointer, copied};
use crate::library::*;
use crate::options::Given;
use crate::{Error, History, Options};

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// There is an order that explains everything.
    Linearizable,
    /// There is none.
    Violation,
    /// A limit was met, or a stop requested, before either was found.
    Unknown,
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Kind::Linearizable => "linearizable",
            Kind::Violation => "violation",
            Kind::Unknown => "unknown",
        })
    }
}

/// What a model's verdict holds, to be kept until the library has let go of it.
pub(crate) trait Kept: Send + Sync {
    /// Goes on with a panic of a callback, if there was one.
    fn resume(&self);
}

/// What was decided of a history, with the evidence. Operations are numbered in the order in which they were added or
/// read. What is said of one object (`core`, `witness` and so on) is said of the first that is as the whole;
/// [`objects`](Verdict::objects) has all.
///
/// As text it is the explanation for people. `'a` is the lifetime of a model and its operations; verdicts by built-in
/// types are `Verdict<'static>`.
pub struct Verdict<'a> {
    handle: *mut CVerdict,
    history: History,
    kept: Option<Arc<dyn Kept + 'a>>,
}

// SAFETY: a verdict is for one thread at a time (it is not Sync), and what models leave in it is Send.
unsafe impl Send for Verdict<'_> {}

/// Decides a history by a type that `linchpin types` lists, with its options: `"queue"`, `"register initial=0"`; None:
/// what the history says.
///
/// ```
/// use linchpin::{check, History, Kind, Options};
///
/// let mut builder = History::builder(None);
/// let read = builder.call("a", "read", &[], 0);
/// builder.returns(read, 7, 1);
/// let history = builder.finish()?;
/// assert_eq!(check(&history, "register initial=0", &Options::default())?.kind(), Kind::Violation);
/// assert_eq!(check(&history, "register initial=7", &Options::default())?.kind(), Kind::Linearizable);
/// assert_eq!(check(&history, None, &Options::default()).unwrap_err().code, "unknown_type");
/// # Ok::<(), linchpin::Error>(())
/// ```
pub fn check<'t>(
    history: &History,
    type_name: impl Into<Option<&'t str>>,
    options: &Options,
) -> Result<Verdict<'static>, Error> {
    let given = Given::new(options, type_name.into())?;
    // SAFETY: the history and the options live until the call is over.
    let handle = checked_pointer(|error| unsafe { linchpin_check(history.handle(), &given.options, error) })?;
    Ok(Verdict {
        handle,
        history: history.clone(),
        kept: None,
    })
}

impl<'a> Verdict<'a> {
    pub(crate) fn by_model(handle: *mut CVerdict, history: History, kept: Arc<dyn Kept + 'a>) -> Verdict<'a> {
        Verdict {
            handle,
            history,
            kept: Some(kept),
        }
    }

    pub fn kind(&self) -> Kind {
        // SAFETY: the verdict lives.
        kind_of(unsafe { linchpin_verdict_kind(self.handle) })
    }

    /// An unknown history is not said to be.
    pub fn is_linearizable(&self) -> bool {
        self.kind() == Kind::Linearizable
    }

    /// Of an unknown one: `time`, `memory`; else empty.
    pub fn reason(&self) -> String {
        // SAFETY: the verdict lives.
        unsafe { copied(linchpin_verdict_reason(self.handle)) }
    }

    /// Of a violation: operations, ascending, that are not linearizable on their own.
    pub fn core(&self) -> Vec<usize> {
        self.first().map_or_else(Vec::new, |object| object.core())
    }

    /// Operations beside the core, ascending, that show why one of it is impossible.
    pub fn context(&self) -> Vec<usize> {
        self.first().map_or_else(Vec::new, |object| object.context())
    }

    /// Of a linearizable object: its operations in an order in which they may have taken effect; pending ones that are
    /// not among them did not.
    pub fn witness(&self) -> Vec<usize> {
        self.first().map_or_else(Vec::new, |object| object.witness())
    }

    /// Of a violation: the operation that has no place left, where there is one to name.
    pub fn blocked(&self) -> Option<usize> {
        self.first().and_then(|object| object.blocked())
    }

    /// Of a violation, in the type's own words; else empty.
    pub fn sentence(&self) -> String {
        self.first().map_or_else(String::new, |object| object.sentence())
    }

    /// What decided.
    pub fn decider(&self) -> String {
        self.first().map_or_else(String::new, |object| object.decider())
    }

    /// Whether the evidence was checked by independent code, and holds; false: it was not checked.
    pub fn verified(&self) -> bool {
        self.first().map_or(false, |object| object.verified())
    }

    /// Each object on its own.
    pub fn objects(&self) -> impl Iterator<Item = Object<'_>> + '_ {
        // SAFETY: the verdict lives.
        let count = unsafe { linchpin_verdict_objects(self.handle) };
        (0..count).map(move |index| Object {
            verdict: self.handle,
            index,
            _lives: std::marker::PhantomData,
        })
    }

    /// The verdict for people, in a few lines with a picture of the core.
    pub fn text(&self) -> Result<String, Error> {
        // SAFETY: verdict and history live.
        self.told(|error| unsafe { linchpin_verdict_text(self.handle, self.history.handle(), error) })
    }

    /// The verdict with its evidence and explanation as JSON: what `linchpin check --json` prints.
    pub fn json(&self) -> Result<String, Error> {
        // SAFETY: verdict and history live.
        self.told(|error| unsafe { linchpin_verdict_json(self.handle, self.history.handle(), error) })
    }

    /// What the library tells, which is freed once.
    fn told(&self, tell: impl FnOnce(*mut *mut CError) -> *mut c_char) -> Result<String, Error> {
        // SAFETY: it is a text of the library's, or null with the error.
        let text = checked_pointer(tell).map(|pointer| unsafe {
            let text = copied(pointer);
            linchpin_free(pointer);
            text
        });
        self.resume();
        text
    }

    /// Writes one HTML file with the history, the verdict and the evidence, to be opened in a browser.
    pub fn report(&self, path: impl AsRef<Path>, label: &str) -> Result<(), Error> {
        self.report_within(path, label, usize::MAX)
    }

    /// The same with at most so many operations: the core, what is near it, and counts of the rest.
    pub fn report_within(&self, path: impl AsRef<Path>, label: &str, operations: usize) -> Result<(), Error> {
        let path = c_path(path.as_ref())?;
        let label = c_shown(label);
        // SAFETY: verdict, history and texts live until the call is over.
        let written = checked(|error| unsafe {
            let history = self.history.handle();
            linchpin_verdict_report_within(self.handle, history, path.as_ptr(), label.as_ptr(), operations, error)
        });
        self.resume();
        match written {
            Ok(0) => Ok(()),
            Ok(_) => Err(Error::new("too_large", "out of memory", "")),
            Err(error) => Err(error),
        }
    }

    fn first(&self) -> Option<Object<'_>> {
        let kind = self.kind();
        self.objects()
            .find(|object| object.kind() == kind)
            .or_else(|| self.objects().next())
    }

    fn resume(&self) {
        if let Some(kept) = &self.kept {
            kept.resume();
        }
    }
}

impl Drop for Verdict<'_> {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once, before what it points to. States go back to the model here.
        unsafe { linchpin_verdict_free(self.handle) }
        if !std::thread::panicking() {
            self.resume();
        }
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Ok(text) => out.write_str(&text),
            Err(error) => write!(out, "{}: {}", self.kind(), error),
        }
    }
}

impl fmt::Debug for Verdict<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Verdict")
            .field("kind", &self.kind())
            .field("core", &self.core())
            .field("witness", &self.witness())
            .finish()
    }
}

/// One object of a history, and what was decided of it.
#[derive(Clone, Copy)]
pub struct Object<'v> {
    verdict: *const CVerdict,
    index: usize, // below the number of objects
    _lives: std::marker::PhantomData<&'v Verdict<'v>>,
}

type Operations = unsafe extern "C" fn(*const CVerdict, usize, *mut usize) -> *const u32;
type Text = unsafe extern "C" fn(*const CVerdict, usize) -> *const std::os::raw::c_char;

impl Object<'_> {
    pub fn name(&self) -> String {
        self.text(linchpin_object_name)
    }

    pub fn kind(&self) -> Kind {
        // SAFETY: the verdict lives, and has this object.
        kind_of(unsafe { linchpin_object_kind(self.verdict, self.index) })
    }

    pub fn decider(&self) -> String {
        self.text(linchpin_object_decider)
    }

    /// Why that decider was taken.
    pub fn why(&self) -> String {
        self.text(linchpin_object_why)
    }

    pub fn sentence(&self) -> String {
        self.text(linchpin_object_sentence)
    }

    pub fn core(&self) -> Vec<usize> {
        self.operations(linchpin_object_core)
    }

    pub fn context(&self) -> Vec<usize> {
        self.operations(linchpin_object_context)
    }

    pub fn witness(&self) -> Vec<usize> {
        self.operations(linchpin_object_witness)
    }

    /// The longest way that was found where there is no witness; may be empty.
    pub fn longest(&self) -> Vec<usize> {
        self.operations(linchpin_object_longest)
    }

    pub fn blocked(&self) -> Option<usize> {
        // SAFETY: the verdict lives, and has this object.
        let blocked = unsafe { linchpin_object_blocked(self.verdict, self.index) };
        (blocked != NONE).then_some(blocked)
    }

    pub fn verified(&self) -> bool {
        // SAFETY: the verdict lives, and has this object.
        unsafe { linchpin_object_verified(self.verdict, self.index) == 1 }
    }

    /// Answers that were taken back because their evidence did not hold; else empty. A defect of the library, of which
    /// its authors should hear.
    pub fn refused(&self) -> String {
        self.text(linchpin_object_refused)
    }

    fn text(&self, of: Text) -> String {
        // SAFETY: the verdict lives, and has this object.
        unsafe { copied(of(self.verdict, self.index)) }
    }

    fn operations(&self, of: Operations) -> Vec<usize> {
        let mut count = 0;
        // SAFETY: the verdict lives, and has this object; where the count is 0 the pointer is not followed.
        unsafe {
            let operations = of(self.verdict, self.index, &mut count);
            if operations.is_null() || count == 0 {
                return Vec::new();
            }
            std::slice::from_raw_parts(operations, count)
                .iter()
                .map(|operation| *operation as usize)
                .collect()
        }
    }
}

impl fmt::Debug for Object<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Object({:?}, {})", self.name(), self.kind())
    }
}

/// Of an enumeration that may grow: what is not known is unknown.
fn kind_of(kind: std::os::raw::c_int) -> Kind {
    match kind {
        0 => Kind::Linearizable,
        1 => Kind::Violation,
        _ => Kind::Unknown,
    }
}

//! Histories: operations with the times of their calls and returns.

use std::fmt;
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use crate::error::{c_optional, c_path, c_text, checked_pointer, pointer_of};
use crate::library::*;
use crate::{Error, Process, Value};

/// A finished history. Copies of it are the same one.
///
/// ```
/// let mut builder = linchpin::History::builder("queue");
/// let enqueue = builder.call("a", "enqueue", &[1.into()], 0);
/// builder.returns(enqueue, (), 3);
/// builder.call("b", "dequeue", &[], 1); // it never returns
/// let history = builder.finish()?;
/// assert_eq!(history.len(), 2);
/// # Ok::<(), linchpin::Error>(())
/// ```
#[derive(Clone)]
pub struct History {
    finished: Arc<Finished>,
}

struct Finished(*mut CHistory);

// SAFETY: a finished history does not change, and may be checked by several threads at once.
unsafe impl Send for Finished {}
unsafe impl Sync for Finished {}

impl Drop for Finished {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once.
        unsafe { linchpin_history_free(self.0) }
    }
}

impl History {
    /// An empty one, to be built call by call. `type_name`: of objects that have none of their own: `"queue"`,
    /// `"priority-queue ties=fifo"`; None: given to [`check`](crate::check).
    pub fn builder<'a>(type_name: impl Into<Option<&'a str>>) -> Builder {
        Builder::new(type_name.into())
    }

    /// The history in a file (`-`: standard input) of any format that `linchpin formats` lists.
    pub fn read(path: impl AsRef<Path>) -> Result<History, Error> {
        History::read_with(path, &ReadOptions::default())
    }

    pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<History, Error> {
        let path = c_path(path.as_ref())?;
        let format = c_optional(options.format.as_deref())?;
        let type_name = c_optional(options.type_name.as_deref())?;
        let limit = options.memory_limit.map_or(0, |bytes| bytes.max(1));
        // SAFETY: the texts live until the call is over.
        checked_pointer(|error| unsafe {
            linchpin_history_read_within(path.as_ptr(), pointer_of(&format), pointer_of(&type_name), limit, error)
        })
        .map(History::of)
    }

    /// The history in bytes that are what is in such a file.
    pub fn parse(content: impl AsRef<[u8]>) -> Result<History, Error> {
        History::parse_with(content, &ReadOptions::default())
    }

    pub fn parse_with(content: impl AsRef<[u8]>, options: &ReadOptions) -> Result<History, Error> {
        let content = content.as_ref();
        let format = c_optional(options.format.as_deref())?;
        let type_name = c_optional(options.type_name.as_deref())?;
        let limit = options.memory_limit.map_or(0, |bytes| bytes.max(1));
        let (format, type_name) = (pointer_of(&format), pointer_of(&type_name));
        // SAFETY: the bytes and the texts live until the call is over.
        checked_pointer(|error| unsafe {
            linchpin_history_parse(content.as_ptr().cast(), content.len(), format, type_name, limit, error)
        })
        .map(History::of)
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        // SAFETY: the history lives.
        unsafe { linchpin_history_size(self.handle()) }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What an operation carries beside its arguments and its result, as "server n1, error timeout"; empty: nothing.
    ///
    /// # Panics
    /// Where there is no such operation.
    pub fn fields(&self, operation: usize) -> String {
        assert!(operation < self.len(), "there is no operation {}", operation);
        // SAFETY: the history lives and has the operation; the text is freed once.
        unsafe {
            let text = linchpin_operation_fields(self.handle(), operation);
            assert!(!text.is_null(), "out of memory");
            let copy = crate::error::copied(text);
            linchpin_free(text);
            copy
        }
    }

    /// The history in a format that Linchpin writes: `text`, `jsonl` and others, some of which are not UTF-8.
    pub fn write(&self, format: &str) -> Result<Vec<u8>, Error> {
        let format = c_text(format)?;
        let mut count = 0;
        // SAFETY: the history and the format live; what comes back has `count` bytes and is freed once.
        unsafe {
            let bytes =
                checked_pointer(|error| linchpin_history_write(self.handle(), format.as_ptr(), &mut count, error))?;
            let copy = std::slice::from_raw_parts(bytes.cast::<u8>(), count).to_vec();
            linchpin_free(bytes);
            Ok(copy)
        }
    }

    pub(crate) fn handle(&self) -> *const CHistory {
        self.finished.0
    }

    fn of(handle: *mut CHistory) -> History {
        History {
            finished: Arc::new(Finished(handle)),
        }
    }
}

impl fmt::Debug for History {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "History of {} operations", self.len())
    }
}

/// Something beside the operations: a fault, a server's event, a call that did not happen.
#[derive(Clone, Debug, Default)]
pub struct Annotation {
    /// A tick of the operations' clock. Of one that is begun by default: 0.
    pub begin: i64,
    /// Not before `begin`. None: it was a moment.
    pub end: Option<i64>,
    pub text: String,
    /// Whose it was.
    pub process: Option<String>,
    /// As CSS has them; None: the viewer's choice.
    pub colour: Option<String>,
}

/// How a file is read. `ReadOptions::default()` goes by its content.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// None: by content.
    pub format: Option<String>,
    /// None: what the input says.
    pub type_name: Option<String>,
    /// Reading ends with an error where it would take the process above so many resident bytes.
    pub memory_limit: Option<usize>,
}

/// As deep as the library takes them: looked at here, before the stack is used up.
const MOST_NESTING: usize = 64;

/// A history that is being built. What is wrong with a call is kept, and told by [`finish`](Builder::finish).
pub struct Builder {
    handle: *mut CBuilder,
    error: Option<Error>, // the first
}

// SAFETY: objects of the library are independent of each other, and a builder has one owner.
unsafe impl Send for Builder {}

impl Builder {
    fn new(type_name: Option<&str>) -> Builder {
        let mut error = None;
        let type_name = kept(&mut error, None, c_optional(type_name));
        // SAFETY: the text lives until the call is over.
        let handle = unsafe { linchpin_builder_new(pointer_of(&type_name)) };
        assert!(!handle.is_null(), "out of memory");
        Builder { handle, error }
    }

    /// The type of one object, where objects have several. Once: another one is an error.
    pub fn object_type(&mut self, object: &str, type_name: &str) {
        let object = self.text(object);
        let type_name = self.text(type_name);
        // SAFETY: the builder and the texts live. What goes wrong, `finish` says as well.
        unsafe { linchpin_object_type(self.handle, object.as_ptr(), type_name.as_ptr()) };
    }

    /// An operation is called at a tick of any monotone clock; its number, counted from 0. It is pending (it may have
    /// taken effect at any time from then on, or never) until [`returns`](Builder::returns). Once a history has several
    /// objects, every call is a [`call_on`](Builder::call_on).
    pub fn call(&mut self, process: impl Into<Process>, method: &str, arguments: &[Value], time: i64) -> usize {
        self.add(process.into(), None, method, arguments, time)
    }

    /// The same on one of several objects.
    pub fn call_on(
        &mut self,
        object: &str,
        process: impl Into<Process>,
        method: &str,
        arguments: &[Value],
        time: i64,
    ) -> usize {
        self.add(process.into(), Some(object), method, arguments, time)
    }

    /// It returns. Once. Without a result: `()`; with one that was lost: [`Value::Unknown`]. At [`i64::MAX`] it never did,
    /// and would have returned that.
    pub fn returns(&mut self, operation: usize, result: impl Into<Value>, time: i64) {
        let result = self.value(&result.into());
        // SAFETY: the builder lives, and the value is its own. The library looks whether there is such an operation.
        unsafe { linchpin_return(self.handle, operation, result, time) }
    }

    /// What it carries beside its arguments and its result, for people: a server, a trace's id, an error's text.
    pub fn field(&mut self, operation: usize, name: &str, value: impl Into<Value>) {
        let value = self.value(&value.into());
        let name = self.text(name);
        // SAFETY: the builder and the text live, and the value is its own. The library looks for the operation.
        unsafe { linchpin_field(self.handle, operation, name.as_ptr(), value) }
    }

    /// Something beside the operations, which reports draw. It does not end before it begins.
    pub fn annotate(&mut self, annotation: &Annotation) {
        if let Some(end) = annotation.end.filter(|end| *end < annotation.begin) {
            let wrong = Error::new(
                "bad_arguments",
                format!(
                    "the annotation {:?} ends at {}, and begins at {}",
                    annotation.text, end, annotation.begin
                ),
                "one without a begin of its own begins at 0; without an end it was a moment",
            );
            return kept(&mut self.error, (), Err(wrong));
        }
        let text = self.text(&annotation.text);
        let process = kept(&mut self.error, None, c_optional(annotation.process.as_deref()));
        let colour = kept(&mut self.error, None, c_optional(annotation.colour.as_deref()));
        let begin = annotation.begin;
        // To the library, an end before the beginning is none.
        let end = annotation.end.unwrap_or_else(|| begin.saturating_sub(1));
        // SAFETY: the builder and the texts live until the call is over.
        unsafe {
            let (process, colour) = (pointer_of(&process), pointer_of(&colour));
            linchpin_annotate(self.handle, begin, end, text.as_ptr(), process, colour)
        }
    }

    /// Checks what was built.
    pub fn finish(mut self) -> Result<History, Error> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let handle = std::mem::replace(&mut self.handle, ptr::null_mut());
        // SAFETY: the library frees the builder in any case, and `drop` no longer does.
        checked_pointer(|error| unsafe { linchpin_builder_finish(handle, error) }).map(History::of)
    }

    /// A call of a model's operation, which is a number to the library.
    pub(crate) fn call_opaque(&mut self, process: &Process, call: usize, text: &str, time: i64) -> usize {
        let process = self.process(process);
        let text = crate::error::c_shown(text);
        // SAFETY: the builder and the text live. The number stands where C has a pointer that nobody follows.
        unsafe { linchpin_call_opaque(self.handle, process, call as *const _, text.as_ptr(), time) }
    }

    pub(crate) fn return_opaque(&mut self, operation: usize, result: usize, text: &str, time: i64) {
        let text = crate::error::c_shown(text);
        // SAFETY: as above.
        unsafe { linchpin_return_opaque(self.handle, operation, result as *const _, text.as_ptr(), time) }
    }

    fn add(&mut self, process: Process, object: Option<&str>, method: &str, arguments: &[Value], time: i64) -> usize {
        let process = self.process(&process);
        let object = kept(&mut self.error, None, c_optional(object));
        let method = self.text(method);
        let arguments: Vec<CValue> = arguments.iter().map(|argument| self.value(argument)).collect();
        // SAFETY: the builder, the texts and the values live until the call is over.
        unsafe {
            linchpin_call(
                self.handle,
                process,
                pointer_of(&object),
                method.as_ptr(),
                arguments.as_ptr(),
                arguments.len(),
                time,
            )
        }
    }

    fn process(&mut self, process: &Process) -> u32 {
        match process {
            Process::Unknown => NO_PROCESS,
            Process::Number(number) if *number < 1 << 31 => *number,
            Process::Number(number) => {
                let wrong = Error::new(
                    "bad_number",
                    format!("the process {} is not below 2^31", number),
                    "larger ones are names: Process::Name",
                );
                kept(&mut self.error, NO_PROCESS, Err(wrong))
            }
            Process::Name(name) => {
                let name = self.text(name);
                // SAFETY: the builder and the text live.
                unsafe { linchpin_process(self.handle, name.as_ptr()) }
            }
        }
    }

    fn value(&mut self, value: &Value) -> CValue {
        self.nested_value(value, 0)
    }

    /// A value that is in so many lists.
    fn nested_value(&mut self, value: &Value, depth: usize) -> CValue {
        // SAFETY: the builder lives, and texts and elements live until the calls are over.
        unsafe {
            match value {
                Value::None => linchpin_none(),
                Value::Nil => linchpin_nil(),
                Value::Unknown => linchpin_unknown(),
                Value::Bool(truth) => linchpin_boolean(i32::from(*truth)),
                Value::Int(integer) => linchpin_integer(self.handle, *integer),
                Value::Text(text) => linchpin_string(self.handle, text.as_ptr().cast(), text.len()),
                Value::List(_) if depth == MOST_NESTING => {
                    let wrong = Error::new(
                        "too_large",
                        "lists are nested too deeply".to_string(),
                        "values nest up to 64 deep",
                    );
                    kept(&mut self.error, linchpin_unknown(), Err(wrong))
                }
                Value::List(elements) => {
                    let elements: Vec<CValue> = elements
                        .iter()
                        .map(|element| self.nested_value(element, depth + 1))
                        .collect();
                    linchpin_list(self.handle, elements.as_ptr(), elements.len())
                }
            }
        }
    }

    fn text(&mut self, text: &str) -> std::ffi::CString {
        kept(&mut self.error, Default::default(), c_text(text))
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: it is ours or null, which is nothing to free.
        unsafe { linchpin_builder_free(self.handle) }
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Builder")
    }
}

/// What was made, or `otherwise` with the error kept, if it is the first.
fn kept<T>(first: &mut Option<Error>, otherwise: T, made: Result<T, Error>) -> T {
    made.unwrap_or_else(|error| {
        first.get_or_insert(error);
        otherwise
    })
}

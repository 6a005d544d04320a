//! What is wrong with an input, an option or a model.

use std::ffi::{CStr, CString};
use std::fmt;
use std::os::raw::c_char;
use std::path::Path;
use std::ptr;

use crate::library::*;

/// What is wrong with an input, an option or a model, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// As in machine output: `unknown_method`.
    pub code: String,
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
    /// The input's name; empty where there is none.
    pub file: String,
    /// From 1; 0: unknown.
    pub line: u64,
    /// In bytes, from 1; 0: unknown.
    pub column: u64,
}

impl Error {
    pub(crate) fn new(code: &str, message: impl Into<String>, hint: &str) -> Error {
        Error {
            code: code.to_string(),
            message: message.into(),
            hint: hint.to_string(),
            file: String::new(),
            line: 0,
            column: 0,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(out, "{}:", self.file)?;
        }
        for number in [self.line, self.column] {
            if number != 0 {
                write!(out, "{}:", number)?;
            }
        }
        if !self.file.is_empty() || self.line != 0 {
            write!(out, " ")?;
        }
        write!(out, "{}", self.message)?;
        if !self.hint.is_empty() {
            write!(out, "\nhint: {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// Whether the library that was found is one for a crate of this version.
fn compatible(major: &str, minor: &str) -> Result<(), Error> {
    let number = |text: &str| text.parse().expect("versions are numbers");
    // SAFETY: a function without a condition.
    if unsafe { linchpin_compatible(number(major), number(minor)) } != 0 {
        return Ok(());
    }
    let message = format!(
        "the shared library is version {}, and this crate needs {}.{} or a later {}",
        crate::version(),
        major,
        minor,
        major
    );
    Err(Error::new("version", message, "install the same version of both"))
}

/// What a function of the library returns that may fail: `call` gets the place for its error.
pub(crate) fn checked<T>(call: impl FnOnce(*mut *mut CError) -> T) -> Result<T, Error> {
    compatible(env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"))?;
    let mut error = ptr::null_mut();
    let made = call(&mut error);
    if error.is_null() {
        return Ok(made);
    }
    // SAFETY: the error is ours, its texts live until it is freed, and it is freed once.
    unsafe {
        let failure = Error {
            code: copied(linchpin_error_code(error)),
            message: copied(linchpin_error_message(error)),
            hint: copied(linchpin_error_hint(error)),
            file: copied(linchpin_error_source(error)),
            line: linchpin_error_line(error),
            column: linchpin_error_column(error),
        };
        linchpin_error_free(error);
        Err(failure)
    }
}

/// The same where what comes back is a pointer: the library has no memory left for the error itself if both are null.
pub(crate) fn checked_pointer<T>(call: impl FnOnce(*mut *mut CError) -> *mut T) -> Result<*mut T, Error> {
    let made = checked(call)?;
    if made.is_null() {
        return Err(Error::new("too_large", "out of memory", ""));
    }
    Ok(made)
}

/// # Safety
/// The text ends in a zero byte.
pub(crate) unsafe fn copied(text: *const c_char) -> String {
    // SAFETY: as the caller says.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// For C, where texts end in a zero byte and so cannot hold one.
pub(crate) fn c_text(text: &str) -> Result<CString, Error> {
    c_bytes(text.as_bytes())
}

/// For C, of texts for people: zero bytes are shown.
pub(crate) fn c_shown(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).expect("the zero bytes are gone")
}

pub(crate) fn c_optional(text: Option<&str>) -> Result<Option<CString>, Error> {
    text.map(c_text).transpose()
}

pub(crate) fn c_path(path: &Path) -> Result<CString, Error> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        c_bytes(path.as_os_str().as_bytes())
    }
    #[cfg(not(unix))]
    {
        let text = path.to_str();
        c_text(text.ok_or_else(|| Error::new("io", format!("{} is not UTF-8", path.display()), ""))?)
    }
}

/// Null where there is none.
pub(crate) fn pointer_of(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

fn c_bytes(bytes: &[u8]) -> Result<CString, Error> {
    CString::new(bytes).map_err(|_| {
        let shown = String::from_utf8_lossy(bytes).into_owned();
        Error::new(
            "bad_arguments",
            format!("{:?} holds a zero byte", shown),
            "names and paths cannot",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::compatible;

    #[test]
    fn another_version_of_the_library_is_an_error() {
        assert_eq!(compatible("0", "0"), Ok(()));
        let later = compatible("0", "1000").unwrap_err();
        assert_eq!(later.code, "version");
        assert!(later.message.contains(&crate::version()), "{}", later);
        assert!(compatible("1000", "0").is_err());
    }
}

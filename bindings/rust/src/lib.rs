//! Linchpin: is a recorded concurrent history linearizable? With evidence for either answer.
//!
//! ```
//! use linchpin::{check, History, Kind, Options};
//!
//! let mut builder = History::builder("queue");
//! let first = builder.call("a", "enqueue", &[1.into()], 0);
//! builder.returns(first, (), 3);
//! let second = builder.call("b", "enqueue", &[2.into()], 4);
//! builder.returns(second, (), 5);
//! let third = builder.call("a", "dequeue", &[], 6);
//! builder.returns(third, 2, 7);
//! let verdict = check(&builder.finish()?, "queue", &Options::default())?;
//! assert_eq!(verdict.kind(), Kind::Violation);
//! assert_eq!(verdict.core(), [first, second, third]);
//! println!("{}", verdict); // not linearizable, why, and the operations that show it
//! # Ok::<(), linchpin::Error>(())
//! ```
//!
//! Histories also come from files ([`History::read`]). A model of your own is a trait ([`Model`]).
//!
//! The crate calls the shared library `liblinchpin_c`, which has to be installed; `LINCHPIN_LIB_DIR` says where it is
//! when a program is built, if not where the system has its libraries.

#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_debug_implementations, rust_2018_idioms)]

mod callbacks;
mod error;
mod history;
mod library;
mod model;
mod options;
mod stop;
mod value;
mod verdict;

pub use error::Error;
pub use history::{Annotation, Builder, History, ReadOptions};
pub use model::{check_model, Model, Operation};
pub use options::{Options, Verify};
pub use stop::Stop;
pub use value::{Process, Value};
pub use verdict::{check, Kind, Object, Verdict};

/// Of the library that is linked: `0.1.0`.
pub fn version() -> String {
    // SAFETY: a function without a condition; its text is a constant.
    unsafe { error::copied(library::linchpin_version()) }
}

/// The examples of the page are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/bindings/rust.md")]
struct Page;

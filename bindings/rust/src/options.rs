//! How a history is decided.

use std::ffi::CString;
use std::time::Duration;

use crate::error::{c_optional, pointer_of};
use crate::library::*;
use crate::{Error, Stop};

/// How a history is decided. To be written `Options { threads: 1, ..Options::default() }`: fields may be added.
#[derive(Clone, Debug)]
pub struct Options {
    /// The only method to use; None: chosen.
    pub decider: Option<String>,
    /// Of wall clock. Past it the verdict is unknown.
    pub time_limit: Option<Duration>,
    /// Bytes resident in the process. Past them the verdict is unknown.
    pub memory_limit: Option<usize>,
    /// 0: one a core.
    pub threads: u32,
    /// Equal ticks: responses come before calls, instead of being concurrent.
    pub response_first: bool,
    /// Decide every object even after a violation.
    pub all: bool,
    /// Without: a bare verdict.
    pub witness: bool,
    pub verify: Verify,
    /// Ends the check, from another thread.
    pub stop: Option<Stop>,
}

/// Whether evidence is checked by code that shares nothing with what decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// Witnesses always, cores for a small part of the time spent.
    Briefly,
    /// As long as it takes.
    Thoroughly,
    Never,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            decider: None,
            time_limit: None,
            memory_limit: None,
            threads: 0,
            response_first: false,
            all: false,
            witness: true,
            verify: Verify::Briefly,
            stop: None,
        }
    }
}

/// Options as C has them, with what they point to.
pub(crate) struct Given {
    pub options: COptions,
    _texts: [Option<CString>; 2],
    _stop: Option<Stop>,
}

impl Given {
    pub fn new(given: &Options, type_name: Option<&str>) -> Result<Given, Error> {
        let texts = [c_optional(type_name)?, c_optional(given.decider.as_deref())?];
        let stop = given.stop.clone();
        let options = COptions {
            size: std::mem::size_of::<COptions>(),
            type_name: pointer_of(&texts[0]),
            decider: pointer_of(&texts[1]),
            // To C, 0 is no limit.
            time_limit: given.time_limit.map_or(0.0, |limit| limit.as_secs_f64().max(1e-9)),
            memory_limit: given.memory_limit.map_or(0, |bytes| bytes.max(1)),
            threads: given.threads,
            response_first: given.response_first.into(),
            all: given.all.into(),
            no_witness: (!given.witness).into(),
            verify: (given.verify == Verify::Thoroughly).into(),
            no_verify: (given.verify == Verify::Never).into(),
            stop: stop.as_ref().map_or(std::ptr::null(), Stop::handle),
        };
        Ok(Given {
            options,
            _texts: texts,
            _stop: stop,
        })
    }
}

//! The functions of `linchpin.h`, as they are there. Everything else in this crate is a safe face of these.

use std::os::raw::{c_char, c_double, c_int, c_uint, c_void};

pub(crate) const NONE: usize = usize::MAX;
pub(crate) const GAVE_UP: c_int = 2;
pub(crate) const NO_PROCESS: u32 = u32::MAX;

/// Types that only the library looks into.
macro_rules! opaque {
    ($($name:ident),*) => {$(
        #[repr(C)]
        pub(crate) struct $name {
            _private: [u8; 0],
        }
    )*};
}
opaque!(CBuilder, CHistory, CVerdict, CError, CSuccessors, CText, CStop);

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct CValue {
    bits: u64,
}

#[repr(C)]
pub(crate) struct COptions {
    pub size: usize,
    pub type_name: *const c_char,
    pub decider: *const c_char,
    pub time_limit: c_double,
    pub memory_limit: usize,
    pub threads: c_uint,
    pub response_first: c_int,
    pub all: c_int,
    pub no_witness: c_int,
    pub verify: c_int,
    pub no_verify: c_int,
    pub stop: *const CStop,
}

#[repr(C)]
pub(crate) struct CStep {
    pub call: *const c_void,
    pub result: *const c_void,
    pub returned: c_int,
}

#[repr(C)]
pub(crate) struct CModel {
    pub size: usize,
    pub name: *const c_char,
    pub user: *mut c_void,
    pub initial: Option<unsafe extern "C" fn(*mut c_void, *mut CSuccessors) -> c_int>,
    pub step: Option<unsafe extern "C" fn(*mut c_void, *const c_void, *const CStep, *mut CSuccessors) -> c_int>,
    pub equal: Option<unsafe extern "C" fn(*mut c_void, *const c_void, *const c_void) -> c_int>,
    pub hash: Option<unsafe extern "C" fn(*mut c_void, *const c_void) -> u64>,
    pub release: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    pub bytes: Option<unsafe extern "C" fn(*mut c_void, *const c_void) -> usize>,
    pub describe: Option<unsafe extern "C" fn(*mut c_void, *const c_void, *mut CText)>,
    pub key: Option<unsafe extern "C" fn(*mut c_void, *const CStep) -> u64>,
    pub pure: Option<unsafe extern "C" fn(*mut c_void, *const CStep) -> c_int>,
    pub threads: c_int,
    pub shared: c_int,
}

extern "C" {
    pub(crate) fn linchpin_version() -> *const c_char;
    pub(crate) fn linchpin_compatible(major: c_int, minor: c_int) -> c_int;

    pub(crate) fn linchpin_error_code(error: *const CError) -> *const c_char;
    pub(crate) fn linchpin_error_message(error: *const CError) -> *const c_char;
    pub(crate) fn linchpin_error_hint(error: *const CError) -> *const c_char;
    pub(crate) fn linchpin_error_source(error: *const CError) -> *const c_char;
    pub(crate) fn linchpin_error_line(error: *const CError) -> u64;
    pub(crate) fn linchpin_error_column(error: *const CError) -> u64;
    pub(crate) fn linchpin_error_free(error: *mut CError);

    pub(crate) fn linchpin_none() -> CValue;
    pub(crate) fn linchpin_nil() -> CValue;
    pub(crate) fn linchpin_unknown() -> CValue;
    pub(crate) fn linchpin_boolean(truth: c_int) -> CValue;
    pub(crate) fn linchpin_integer(builder: *mut CBuilder, integer: i64) -> CValue;
    pub(crate) fn linchpin_string(builder: *mut CBuilder, text: *const c_char, bytes: usize) -> CValue;
    pub(crate) fn linchpin_list(builder: *mut CBuilder, elements: *const CValue, count: usize) -> CValue;

    pub(crate) fn linchpin_builder_new(type_name: *const c_char) -> *mut CBuilder;
    pub(crate) fn linchpin_builder_free(builder: *mut CBuilder);
    pub(crate) fn linchpin_object_type(b: *mut CBuilder, object: *const c_char, type_name: *const c_char) -> c_int;
    pub(crate) fn linchpin_process(builder: *mut CBuilder, name: *const c_char) -> u32;
    pub(crate) fn linchpin_call(
        builder: *mut CBuilder,
        process: u32,
        object: *const c_char,
        method: *const c_char,
        arguments: *const CValue,
        count: usize,
        tick: i64,
    ) -> usize;
    pub(crate) fn linchpin_return(builder: *mut CBuilder, operation: usize, result: CValue, tick: i64);
    pub(crate) fn linchpin_field(builder: *mut CBuilder, operation: usize, name: *const c_char, value: CValue);
    pub(crate) fn linchpin_annotate(
        builder: *mut CBuilder,
        begin: i64,
        end: i64,
        text: *const c_char,
        process: *const c_char,
        colour: *const c_char,
    );
    pub(crate) fn linchpin_operation_fields(history: *const CHistory, operation: usize) -> *mut c_char;
    pub(crate) fn linchpin_call_opaque(
        builder: *mut CBuilder,
        process: u32,
        call: *const c_void,
        text: *const c_char,
        tick: i64,
    ) -> usize;
    pub(crate) fn linchpin_return_opaque(
        builder: *mut CBuilder,
        operation: usize,
        result: *const c_void,
        text: *const c_char,
        tick: i64,
    );
    pub(crate) fn linchpin_builder_finish(builder: *mut CBuilder, error: *mut *mut CError) -> *mut CHistory;

    pub(crate) fn linchpin_history_read_within(
        path: *const c_char,
        format: *const c_char,
        type_name: *const c_char,
        memory_limit: usize,
        error: *mut *mut CError,
    ) -> *mut CHistory;
    pub(crate) fn linchpin_history_parse(
        bytes: *const c_char,
        size: usize,
        format: *const c_char,
        type_name: *const c_char,
        memory_limit: usize,
        error: *mut *mut CError,
    ) -> *mut CHistory;
    pub(crate) fn linchpin_history_write(
        history: *const CHistory,
        format: *const c_char,
        bytes: *mut usize,
        error: *mut *mut CError,
    ) -> *mut c_char;
    pub(crate) fn linchpin_history_size(history: *const CHistory) -> usize;
    pub(crate) fn linchpin_history_free(history: *mut CHistory);
    pub(crate) fn linchpin_free(text: *mut c_char);

    pub(crate) fn linchpin_stop_new() -> *mut CStop;
    pub(crate) fn linchpin_stop_request(stop: *mut CStop);
    pub(crate) fn linchpin_stop_free(stop: *mut CStop);

    pub(crate) fn linchpin_check(
        history: *const CHistory,
        options: *const COptions,
        error: *mut *mut CError,
    ) -> *mut CVerdict;
    pub(crate) fn linchpin_check_model(
        history: *const CHistory,
        model: *const CModel,
        options: *const COptions,
        error: *mut *mut CError,
    ) -> *mut CVerdict;
    pub(crate) fn linchpin_verdict_free(verdict: *mut CVerdict);

    pub(crate) fn linchpin_verdict_kind(verdict: *const CVerdict) -> c_int;
    pub(crate) fn linchpin_verdict_reason(verdict: *const CVerdict) -> *const c_char;
    pub(crate) fn linchpin_verdict_objects(verdict: *const CVerdict) -> usize;
    pub(crate) fn linchpin_object_name(verdict: *const CVerdict, object: usize) -> *const c_char;
    pub(crate) fn linchpin_object_kind(verdict: *const CVerdict, object: usize) -> c_int;
    pub(crate) fn linchpin_object_decider(verdict: *const CVerdict, object: usize) -> *const c_char;
    pub(crate) fn linchpin_object_why(verdict: *const CVerdict, object: usize) -> *const c_char;
    pub(crate) fn linchpin_object_sentence(verdict: *const CVerdict, object: usize) -> *const c_char;
    pub(crate) fn linchpin_object_refused(verdict: *const CVerdict, object: usize) -> *const c_char;
    pub(crate) fn linchpin_object_core(verdict: *const CVerdict, object: usize, count: *mut usize) -> *const u32;
    pub(crate) fn linchpin_object_context(verdict: *const CVerdict, object: usize, count: *mut usize) -> *const u32;
    pub(crate) fn linchpin_object_witness(verdict: *const CVerdict, object: usize, count: *mut usize) -> *const u32;
    pub(crate) fn linchpin_object_longest(verdict: *const CVerdict, object: usize, count: *mut usize) -> *const u32;
    pub(crate) fn linchpin_object_blocked(verdict: *const CVerdict, object: usize) -> usize;
    pub(crate) fn linchpin_object_verified(verdict: *const CVerdict, object: usize) -> c_int;

    pub(crate) fn linchpin_verdict_text(
        verdict: *const CVerdict,
        history: *const CHistory,
        error: *mut *mut CError,
    ) -> *mut c_char;
    pub(crate) fn linchpin_verdict_json(
        verdict: *const CVerdict,
        history: *const CHistory,
        error: *mut *mut CError,
    ) -> *mut c_char;
    pub(crate) fn linchpin_verdict_report_within(
        verdict: *const CVerdict,
        history: *const CHistory,
        path: *const c_char,
        label: *const c_char,
        operations: usize,
        error: *mut *mut CError,
    ) -> c_int;

    pub(crate) fn linchpin_successor(out: *mut CSuccessors, state: *mut c_void);
    pub(crate) fn linchpin_fail(out: *mut CSuccessors, message: *const c_char);
    pub(crate) fn linchpin_expired(out: *const CSuccessors) -> c_int;
    pub(crate) fn linchpin_write(out: *mut CText, text: *const c_char, bytes: usize);
}

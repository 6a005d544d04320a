//! A model behind the callbacks of C. Calls and results are numbers to the library, from 1, and states are boxes that it
//! holds and gives back once.
//!
//! No panic passes through C: the first is kept, and goes on when the library has returned. Until then steps fail, which
//! ends the check, and other answers do not matter.

use std::any::Any;
use std::collections::HashMap;
use std::ffi::CString;
use std::hash::{Hash, Hasher};
use std::os::raw::{c_int, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{c_shown, checked_pointer};
use crate::library::*;
use crate::options::Given;
use crate::verdict::Kept;
use crate::{Error, History, Model, Operation, Options, Verdict};

pub(crate) fn check<'a, M: Model>(
    operations: &'a [Operation<M::Call, M::Result>],
    model: &'a M,
    options: &Options,
) -> Result<Verdict<'a>, Error> {
    let given = Given::new(options, None)?;
    let mut running = Running {
        model,
        calls: Vec::new(),
        results: Vec::new(),
        keys: Vec::new(),
        panic: Mutex::new(None),
        panicked: AtomicBool::new(false),
    };
    let history = running.add(operations)?;
    running.keys = running.keys_of_calls()?;
    let name = c_shown(&model.name());
    let running = Arc::new(running);
    let table = running.table(&name);
    // SAFETY: the table, the name and the options live until the call is over; `running` as long as the verdict.
    let made =
        checked_pointer(|error| unsafe { linchpin_check_model(history.handle(), &table, &given.options, error) });
    // From here on a panic frees the verdict.
    let verdict = made.map(|handle| Verdict::by_model(handle, history, running.clone()));
    running.resume();
    verdict
}

/// A step that takes longer looks whether time is over.
const LONG: Duration = Duration::from_micros(100);

/// A model while the library may ask it.
struct Running<'a, M: Model> {
    model: &'a M,
    calls: Vec<&'a M::Call>, // by number, less 1
    results: Vec<&'a M::Result>,
    keys: Vec<u64>,                            // by number of the call, less 1; empty: there are none
    panic: Mutex<Option<Box<dyn Any + Send>>>, // the first
    panicked: AtomicBool,
}

impl<M: Model> Kept for Running<'_, M> {
    fn resume(&self) {
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(panic) = panic {
            self.panicked.store(false, Ordering::Relaxed);
            resume_unwind(panic);
        }
    }
}

impl<'a, M: Model> Running<'a, M> {
    fn add(&mut self, operations: &'a [Operation<M::Call, M::Result>]) -> Result<History, Error> {
        let mut builder = History::builder(None);
        let (mut calls, mut results) = (HashMap::new(), HashMap::new());
        for operation in operations {
            let call = number_of(&operation.call, &mut calls, &mut self.calls);
            let text = self.model.describe_call(&operation.call);
            let index = builder.call_opaque(&operation.process, call, &text, operation.called);
            match &operation.returned {
                None => {}
                Some((time, None)) => builder.returns(index, crate::Value::Unknown, *time),
                Some((time, Some(result))) => {
                    let number = number_of(result, &mut results, &mut self.results);
                    builder.return_opaque(index, number, &self.model.describe_result(result), *time);
                }
            }
            for (name, value) in &operation.fields {
                builder.field(index, name, value.clone());
            }
        }
        builder.finish()
    }

    /// Of all calls, or of none.
    fn keys_of_calls(&self) -> Result<Vec<u64>, Error> {
        let keys: Vec<u64> = self.calls.iter().filter_map(|call| self.model.key(call)).collect();
        if keys.is_empty() || keys.len() == self.calls.len() {
            return Ok(keys);
        }
        let message = format!(
            "{} has a key for some operations and none for others",
            self.model.name()
        );
        Err(Error::new(
            "model",
            message,
            "each operation touches one part, or there are no parts",
        ))
    }

    fn table(self: &Arc<Self>, name: &CString) -> CModel {
        CModel {
            size: std::mem::size_of::<CModel>(),
            name: name.as_ptr(),
            user: Arc::as_ptr(self) as *mut c_void,
            initial: Some(initial::<M>),
            step: Some(step::<M>),
            equal: Some(equal::<M>),
            hash: Some(hash::<M>),
            release: Some(release::<M>),
            bytes: Some(bytes::<M>),
            describe: Some(describe::<M>),
            key: if self.keys.is_empty() { None } else { Some(key::<M>) },
            pure: Some(pure::<M>),
            threads: 1,
            shared: 1, // boxes of states without a size are all at one place
        }
    }

    /// What `body` makes, or None if there is a panic, now or before.
    fn guarded<T>(&self, body: impl FnOnce(&M) -> T) -> Option<T> {
        if self.panicked.load(Ordering::Relaxed) {
            return None;
        }
        catch_unwind(AssertUnwindSafe(|| body(self.model)))
            .map_err(|panic| self.keep(panic))
            .ok()
    }

    fn keep(&self, panic: Box<dyn Any + Send>) {
        let mut first = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_some() {
            // Dropping it could panic again, and so on.
            if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
                std::mem::forget(another);
            }
        } else {
            *first = Some(panic);
        }
        self.panicked.store(true, Ordering::Relaxed);
    }

    /// Drops states of the model's, which may panic.
    fn discard(&self, states: Option<Vec<M::State>>) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(states))) {
            self.keep(panic);
        }
    }

    /// # Safety
    /// The step is one that the library asks about.
    unsafe fn asked(&self, step: *const CStep) -> (&'a M::Call, Option<&'a M::Result>) {
        // SAFETY: as the caller says.
        let step = unsafe { &*step };
        let result = if step.returned != 0 {
            Some(self.results[step.result as usize - 1])
        } else {
            None
        };
        (self.calls[step.call as usize - 1], result)
    }

    /// Leaves states with the library, or says that there are none because of a panic.
    ///
    /// # Safety
    /// `out` is what the library gave to the callback.
    unsafe fn leave(&self, out: *mut CSuccessors, states: Option<Vec<M::State>>) -> c_int {
        if let Some(states) = states {
            for state in states {
                // SAFETY: as the caller says; `release` takes the box back.
                unsafe { linchpin_successor(out, Box::into_raw(Box::new(state)).cast()) };
            }
            return 0;
        }
        // SAFETY: as the caller says.
        unsafe { linchpin_fail(out, b"it panicked\0".as_ptr().cast()) };
        1
    }
}

/// One number for equal values.
fn number_of<'a, T: Eq + Hash>(value: &'a T, numbers: &mut HashMap<&'a T, usize>, values: &mut Vec<&'a T>) -> usize {
    *numbers.entry(value).or_insert_with(|| {
        values.push(value);
        values.len()
    })
}

/// # Safety
/// `user` is what `table` gave to the library, of the same model.
unsafe fn running<'r, 'a: 'r, M: Model + 'a>(user: *mut c_void) -> &'r Running<'a, M> {
    // SAFETY: as the caller says; it lives as long as the verdict.
    unsafe { &*(user as *const Running<'a, M>) }
}

/// # Safety
/// `state` is one that `leave` made and `release` has not taken back.
unsafe fn state_of<'s, M: Model>(state: *const c_void) -> &'s M::State {
    // SAFETY: as the caller says.
    unsafe { &*state.cast::<M::State>() }
}

// SAFETY, of all: the library calls them with what it was given: `user`, states that it has not given back, and steps of
// this history.

unsafe extern "C" fn initial<M: Model>(user: *mut c_void, out: *mut CSuccessors) -> c_int {
    let running = unsafe { running::<M>(user) };
    let states = running.guarded(|model| model.initial());
    unsafe { running.leave(out, states) }
}

unsafe extern "C" fn step<M: Model>(
    user: *mut c_void,
    state: *const c_void,
    operation: *const CStep,
    out: *mut CSuccessors,
) -> c_int {
    let running = unsafe { running::<M>(user) };
    let begin = Instant::now();
    let states = running.guarded(|model| {
        let (call, result) = unsafe { running.asked(operation) };
        model.step(unsafe { state_of::<M>(state) }, call, result)
    });
    // The library looks at its clock once in many steps, which is late where they are long.
    if states.is_some() && begin.elapsed() > LONG && unsafe { linchpin_expired(out) } != 0 {
        running.discard(states);
        return GAVE_UP;
    }
    unsafe { running.leave(out, states) }
}

unsafe extern "C" fn equal<M: Model>(user: *mut c_void, left: *const c_void, right: *const c_void) -> c_int {
    let running = unsafe { running::<M>(user) };
    let same = running.guarded(|_| unsafe { state_of::<M>(left) == state_of::<M>(right) });
    same.unwrap_or(false).into()
}

unsafe extern "C" fn hash<M: Model>(user: *mut c_void, state: *const c_void) -> u64 {
    let running = unsafe { running::<M>(user) };
    let hash = running.guarded(|_| {
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        unsafe { state_of::<M>(state) }.hash(&mut hasher);
        hasher.finish()
    });
    hash.unwrap_or(0)
}

unsafe extern "C" fn release<M: Model>(user: *mut c_void, state: *mut c_void) {
    let running = unsafe { running::<M>(user) };
    // In any case, so not `guarded`.
    let dropped = catch_unwind(AssertUnwindSafe(|| {
        drop(unsafe { Box::from_raw(state.cast::<M::State>()) })
    }));
    if let Err(panic) = dropped {
        running.keep(panic);
    }
}

unsafe extern "C" fn bytes<M: Model>(user: *mut c_void, state: *const c_void) -> usize {
    let running = unsafe { running::<M>(user) };
    running
        .guarded(|model| model.bytes(unsafe { state_of::<M>(state) }))
        .unwrap_or(0)
}

unsafe extern "C" fn describe<M: Model>(user: *mut c_void, state: *const c_void, out: *mut CText) {
    let running = unsafe { running::<M>(user) };
    if let Some(text) = running.guarded(|model| model.describe_state(unsafe { state_of::<M>(state) })) {
        unsafe { linchpin_write(out, text.as_ptr().cast(), text.len()) }
    }
}

unsafe extern "C" fn key<M: Model>(user: *mut c_void, operation: *const CStep) -> u64 {
    let running = unsafe { running::<M>(user) };
    let call = unsafe { (*operation).call } as usize;
    running.guarded(|_| running.keys[call - 1]).unwrap_or(0)
}

unsafe extern "C" fn pure<M: Model>(user: *mut c_void, operation: *const CStep) -> c_int {
    let running = unsafe { running::<M>(user) };
    let pure = running.guarded(|model| {
        let (call, result) = unsafe { running.asked(operation) };
        model.pure(call, result)
    });
    pure.unwrap_or(false).into()
}

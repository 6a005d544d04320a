//! Models of your own: what an object does when its operations run one after the other.

use std::fmt::Debug;
use std::hash::Hash;

use crate::callbacks;
use crate::{Error, Options, Process, Value, Verdict};

/// What an object does when its operations run one after the other. States are never changed: a step makes new ones.
///
/// ```
/// use linchpin::{check_model, Model, Operation, Options};
///
/// struct Register;
///
/// #[derive(PartialEq, Eq, Hash, Debug)]
/// enum Call {
///     Write(i64),
///     Read,
/// }
///
/// impl Model for Register {
///     type State = i64;
///     type Call = Call;
///     type Result = Option<i64>;
///
///     fn initial(&self) -> Vec<i64> {
///         vec![0]
///     }
///
///     fn step(&self, state: &i64, call: &Call, result: Option<&Option<i64>>) -> Vec<i64> {
///         let (next, answer) = match call {
///             Call::Write(value) => (*value, None),
///             Call::Read => (*state, Some(*state)),
///         };
///         // Where it never returned, any result is possible.
///         if result.map_or(true, |result| *result == answer) { vec![next] } else { vec![] }
///     }
/// }
///
/// let operations = [
///     Operation::new("a", Call::Write(1), 0), // it never returns
///     Operation::new("b", Call::Read, 1).returns(Some(1), 2),
///     Operation::new("b", Call::Read, 3).returns(Some(0), 4),
/// ];
/// let verdict = check_model(&operations, &Register, &Options::default())?;
/// assert_eq!(verdict.core(), [0, 1, 2]);
/// # Ok::<(), linchpin::Error>(())
/// ```
///
/// A model gives the same answer each time it is asked the same, and equal states have equal hashes; the library tries
/// that now and then. It may be asked by several threads at once ([`Options::threads`]). A panic in it ends the check,
/// and goes on where the check was called.
pub trait Model: Sync {
    type State: Eq + Hash + Debug + Send + Sync;
    type Call: Eq + Hash + Debug + Sync;
    type Result: Eq + Hash + Debug + Sync;

    /// The states in which the object may begin: one or more.
    fn initial(&self) -> Vec<Self::State>;

    /// The states after the operation: none where it is not possible, several where it is not determined. `result`:
    /// None: it never returned, or what it returned was lost, and any result is possible.
    fn step(&self, state: &Self::State, call: &Self::Call, result: Option<&Self::Result>) -> Vec<Self::State>;

    /// The part of the object that the call touches, of all calls or of none. Parts do not know of each
    /// other: each begins as `initial` says, and states are those of one part.
    fn key(&self, _call: &Self::Call) -> Option<u64> {
        None
    }

    /// Whether the operation changes no state in which it is possible: a promise that makes deciding much faster.
    fn pure(&self, _call: &Self::Call, _result: Option<&Self::Result>) -> bool {
        false
    }

    /// In messages, in one word.
    fn name(&self) -> String {
        let path = std::any::type_name::<Self>();
        let path = path.split('<').next().unwrap_or(path);
        path.rsplit("::").next().unwrap_or(path).to_string()
    }

    fn describe_state(&self, state: &Self::State) -> String {
        format!("{:?}", state)
    }

    fn describe_call(&self, call: &Self::Call) -> String {
        format!("{:?}", call)
    }

    /// `()` is "ok".
    fn describe_result(&self, result: &Self::Result) -> String {
        let text = format!("{:?}", result);
        if text == "()" {
            return "ok".to_string();
        }
        text
    }

    /// What a state takes, with what it points to, for the memory limit.
    fn bytes(&self, _state: &Self::State) -> usize {
        std::mem::size_of::<Self::State>()
    }
}

/// An operation that a model decides.
#[derive(Clone, Debug)]
pub struct Operation<Call, Result> {
    pub process: Process,
    pub call: Call,
    /// A tick of any monotone clock.
    pub called: i64,
    /// When it returned, and what; None: it never did. A result that is None was lost.
    pub returned: Option<(i64, Option<Result>)>,
    /// What it carries besides, for people: names, and values.
    pub fields: Vec<(String, Value)>,
}

impl<Call, Result> Operation<Call, Result> {
    /// One that is pending: it may have taken effect at any time from then on, or never.
    pub fn new(process: impl Into<Process>, call: Call, called: i64) -> Self {
        Operation {
            process: process.into(),
            call,
            called,
            returned: None,
            fields: Vec::new(),
        }
    }

    pub fn returns(mut self, result: Result, time: i64) -> Self {
        self.returned = Some((time, Some(result)));
        self
    }

    /// It carries something besides: a server, a trace's id, an error's text.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.push((name.to_string(), value.into()));
        self
    }

    /// It returns, but nobody knows what.
    pub fn loses_result(mut self, time: i64) -> Self {
        self.returned = Some((time, None));
        self
    }
}

/// Decides operations by a model of your own ([`Model`] has an example). The verdict borrows both:
///
/// ```compile_fail,E0505
/// # use linchpin::{check_model, Model, Operation, Options};
/// # fn decided<M: Model>(operations: Vec<Operation<M::Call, M::Result>>, model: M) {
/// let verdict = check_model(&operations, &model, &Options::default());
/// drop(model);
/// println!("{:?}", verdict);
/// # }
/// ```
///
/// # Panics
/// With what the model panics with.
pub fn check_model<'a, M: Model>(
    operations: &'a [Operation<M::Call, M::Result>],
    model: &'a M,
    options: &Options,
) -> Result<Verdict<'a>, Error> {
    callbacks::check(operations, model, options)
}

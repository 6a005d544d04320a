//! Models that panic or contradict themselves.

use linchpin::{check_model, Error, Model, Operation, Options};
use std::hash::{Hash, Hasher};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    No,
    InitialIsEmpty,
    InitialPanics,
    StepPanics,
    EqualPanics,
    HashPanics,
    DropPanics,
    DescribePanics,
    KeyPanics,
    PurePanics,
    BytesPanics,
    DescribeCallPanics,
    StepContradicts,
    HashScatters,
    HashesDiffer,
    SometimesKeyed,
}
use Fault::*;

/// A value, with what is wrong with it.
struct State(i64, Fault);

impl std::fmt::Debug for State {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.0)
    }
}
impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        assert!(self.1 != EqualPanics, "no luck");
        self.0 == other.0
    }
}
impl Eq for State {}
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        static HASHES: AtomicU64 = AtomicU64::new(0);
        assert!(self.1 != HashPanics, "no luck");
        if self.1 == HashScatters {
            HASHES.fetch_add(1, Ordering::Relaxed).hash(hasher);
        }
        if self.1 == HashesDiffer {
            (self as *const State as usize).hash(hasher);
        }
        self.0.hash(hasher);
    }
}
impl Drop for State {
    fn drop(&mut self) {
        if self.1 == DropPanics && !std::thread::panicking() {
            panic!("no luck");
        }
    }
}

struct Faulty(Fault, AtomicI64);

impl Faulty {
    fn with(fault: Fault) -> Faulty {
        Faulty(fault, AtomicI64::new(0))
    }
    fn luck(&self, fault: Fault) {
        assert!(self.0 != fault, "no luck");
    }
}

impl Model for Faulty {
    type State = State;
    type Call = Option<i64>; // to be written; None: read
    type Result = i64;

    fn initial(&self) -> Vec<State> {
        self.luck(InitialPanics);
        if self.0 == InitialIsEmpty {
            vec![]
        } else {
            vec![State(0, self.0)]
        }
    }
    fn step(&self, state: &State, call: &Option<i64>, result: Option<&i64>) -> Vec<State> {
        self.luck(StepPanics);
        let next = call.unwrap_or(state.0);
        let next = if self.0 == StepContradicts {
            self.1.fetch_add(1, Ordering::Relaxed)
        } else {
            next
        };
        match result {
            Some(result) if call.is_none() && *result != state.0 => vec![],
            _ => vec![State(next, self.0)],
        }
    }
    fn key(&self, call: &Option<i64>) -> Option<u64> {
        self.luck(KeyPanics);
        (self.0 == SometimesKeyed && call.is_none()).then_some(1)
    }
    fn pure(&self, call: &Option<i64>, _: Option<&i64>) -> bool {
        self.luck(PurePanics);
        call.is_none()
    }
    fn bytes(&self, _: &State) -> usize {
        self.luck(BytesPanics);
        8
    }
    fn describe_state(&self, state: &State) -> String {
        self.luck(DescribePanics);
        format!("{:?}", state)
    }
    fn describe_call(&self, call: &Option<i64>) -> String {
        self.luck(DescribeCallPanics);
        format!("{:?} with a \0", call)
    }
}

/// Writes and reads of three processes, the last of which sees `seen`.
fn operations(seen: i64) -> Vec<Operation<Option<i64>, i64>> {
    let mut all: Vec<_> = (1..20)
        .flat_map(|i| {
            let (a, b) = (
                Operation::new(0, Some(i % 4), 10 * i),
                Operation::new(1, None, 10 * i + 1),
            );
            [a.returns(0, 10 * i + 5), b.returns(i % 4, 10 * i + 6)]
        })
        .collect();
    all.push(Operation::new(2, None, 1000).returns(seen, 1001));
    all
}

fn tried(fault: Fault, seen: i64) -> std::thread::Result<Result<(), Error>> {
    let (operations, model) = (operations(seen), Faulty::with(fault));
    catch_unwind(AssertUnwindSafe(|| {
        let verdict = check_model(&operations, &model, &Options::default())?;
        let path = std::env::temp_dir().join(format!("linchpin-rust-misuse-{}-{:?}.html", std::process::id(), fault));
        let reported = verdict.report(&path, "");
        std::fs::remove_file(&path).unwrap();
        println!("{}", verdict.text()?);
        reported
    }))
}

#[test]
fn a_model_without_faults_is_decided() {
    for seen in [3, 4] {
        tried(No, seen).unwrap().unwrap();
    }
}

#[test]
fn panics_go_on_where_the_check_was_called() {
    let everywhere = [
        InitialPanics,
        StepPanics,
        EqualPanics,
        HashPanics,
        DropPanics,
        KeyPanics,
        PurePanics,
        DescribeCallPanics,
    ];
    for fault in everywhere {
        for seen in [3, 4] {
            let panic = tried(fault, seen).expect_err(&format!("{:?}", fault));
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"no luck"), "{:?}", fault);
        }
    }
    // Only violations tell of states.
    assert!(tried(DescribePanics, 4).is_err());
    // Only where there is much are states measured.
    for seen in [3, 4] {
        assert!(tried(BytesPanics, seen).map_or(true, |decided| decided.is_ok()));
    }
}

#[test]
fn a_model_that_contradicts_itself_is_an_error() {
    let cases = [
        (StepContradicts, "two answers to one question"),
        (HashScatters, "the hash of a state changes"),
        (HashesDiffer, "two states that are equal and have different hashes"),
        (InitialIsEmpty, "gave no state"),
        (
            SometimesKeyed,
            "Faulty has a key for some operations and none for others",
        ),
    ];
    for (fault, message) in cases {
        let error = tried(fault, 3).unwrap().expect_err(&format!("{:?}", fault));
        assert_eq!(error.code, "model");
        assert!(error.message.contains(message), "{}", error);
    }
}

#[test]
fn operations_that_are_none_are_errors() {
    let model = Faulty::with(No);
    let backwards = [Operation::new(0, None, 5).returns(0, 1)];
    assert!(check_model(&backwards, &model, &Options::default()).is_err());
    let stranger = [Operation::new(1 << 31, None, 5)];
    assert_eq!(
        check_model(&stranger, &model, &Options::default()).unwrap_err().code,
        "bad_number"
    );
}

/// A register whose steps ask the library something else.
struct Asking;

impl Model for Asking {
    type State = i64;
    type Call = Option<i64>;
    type Result = i64;

    fn initial(&self) -> Vec<i64> {
        vec![0]
    }

    fn step(&self, state: &i64, call: &Option<i64>, result: Option<&i64>) -> Vec<i64> {
        let nested = check_model(&operations(3), &Faulty::with(No), &Options::default()).unwrap().is_linearizable();
        assert!(nested);
        match (call, result) {
            (Some(value), _) => vec![*value],
            (None, Some(seen)) if seen != state => vec![],
            _ => vec![*state],
        }
    }
}

#[test]
fn a_step_may_check() {
    for seen in [3, 4] {
        let operations = operations(seen);
        let verdict = check_model(&operations, &Asking, &Options::default()).unwrap();
        assert_eq!(verdict.is_linearizable(), seen == 3);
    }
}

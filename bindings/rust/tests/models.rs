//! Models of one's own: what they may be, and what they decide.

use linchpin::{check, check_model, History, Kind, Model, Operation, Options, Process, Stop, Value};
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Call {
    Write(i64),
    WriteEither(i64, i64),
    Read,
}
type Register = Operation<Call, Option<i64>>;

/// One that begins with any of these.
struct Registers(Vec<i64>);

impl Model for Registers {
    type State = i64;
    type Call = Call;
    type Result = Option<i64>;

    fn initial(&self) -> Vec<i64> {
        self.0.clone()
    }
    fn step(&self, state: &i64, call: &Call, result: Option<&Option<i64>>) -> Vec<i64> {
        match *call {
            Call::Write(value) => vec![value],
            Call::WriteEither(one, other) => vec![one, other],
            Call::Read if result.map_or(true, |result| *result == Some(*state)) => vec![*state],
            Call::Read => vec![],
        }
    }
    fn pure(&self, call: &Call, _: Option<&Option<i64>>) -> bool {
        *call == Call::Read
    }
}

fn write(value: i64, time: i64) -> Register {
    Operation::new(0, Call::Write(value), time).returns(None, time + 1)
}
fn read(value: i64, time: i64) -> Register {
    Operation::new(0, Call::Read, time).returns(Some(value), time + 1)
}

fn kind(operations: &[Register], beginnings: &[i64]) -> Kind {
    check_model(operations, &Registers(beginnings.to_vec()), &Options::default())
        .unwrap()
        .kind()
}

#[test]
fn a_register_is_decided_with_evidence() {
    let right = [
        write(1, 0),
        write(2, 2),
        read(2, 4),
        Operation::new("b", Call::Write(9), 5),
        read(9, 6),
    ];
    let model = Registers(vec![0]);
    let verdict = check_model(&right, &model, &Options::default()).unwrap();
    assert!(verdict.is_linearizable() && verdict.verified());
    assert_eq!(verdict.witness(), [0, 1, 2, 3, 4]);

    let wrong = [write(1, 0), write(2, 2), read(1, 4)];
    let verdict = check_model(&wrong, &model, &Options::default()).unwrap();
    assert_eq!(
        (verdict.kind(), verdict.blocked(), verdict.verified()),
        (Kind::Violation, Some(2), true)
    );
    let text = verdict.text().unwrap();
    assert!(
        text.contains("Registers") && text.contains("Write(2)") && text.contains("Some(1)"),
        "{}",
        text
    );
    assert_eq!(verdict.objects().count(), 1);
    let path = std::env::temp_dir().join(format!("linchpin-rust-model-{}.html", std::process::id()));
    verdict.report(&path, "mine").unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().contains("mine"));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn no_operations_are_linearizable() {
    assert_eq!(kind(&[], &[0]), Kind::Linearizable);
}

#[test]
fn a_step_may_lead_to_several_states() {
    for (seen, expected) in [(3, Kind::Linearizable), (4, Kind::Linearizable), (5, Kind::Violation)] {
        let operations = [
            Operation::new(0, Call::WriteEither(3, 4), 0).returns(None, 1),
            read(seen, 2),
        ];
        assert_eq!(kind(&operations, &[0]), expected);
        let both = [operations[0].clone(), operations[1].clone(), read(7 - seen, 4)];
        assert_eq!(kind(&both, &[0]), Kind::Violation);
    }
}

#[test]
fn an_object_may_begin_in_several_states() {
    assert_eq!(kind(&[read(5, 0), read(5, 2)], &[0, 5]), Kind::Linearizable);
    assert_eq!(kind(&[read(5, 0), read(0, 2)], &[0, 5]), Kind::Violation);
    assert_eq!(kind(&[read(5, 0)], &[0]), Kind::Violation);
}

#[test]
fn lost_results_may_have_been_any() {
    let lost = Operation::new(0, Call::Read, 2).loses_result(3);
    assert_eq!(kind(&[write(1, 0), lost, read(1, 4)], &[0]), Kind::Linearizable);
}

/// Keys apart, each with a text; states without a size of their own.
struct Store {
    apart: bool,
}

impl Model for Store {
    type State = Option<String>;
    type Call = (u64, Option<String>); // a key, and what is put there; None: get
    type Result = Option<String>;

    fn initial(&self) -> Vec<Option<String>> {
        vec![None]
    }
    fn step(&self, state: &Self::State, (_, put): &Self::Call, result: Option<&Self::Result>) -> Vec<Self::State> {
        match put {
            Some(text) => vec![Some(text.clone())],
            None if result.map_or(true, |result| result == state) => vec![state.clone()],
            None => vec![],
        }
    }
    fn key(&self, (key, _): &Self::Call) -> Option<u64> {
        self.apart.then_some(*key)
    }
    fn pure(&self, (_, put): &Self::Call, _: Option<&Self::Result>) -> bool {
        put.is_none()
    }
    fn name(&self) -> String {
        "shelf".to_string()
    }
    fn describe_state(&self, state: &Self::State) -> String {
        state
            .as_ref()
            .map_or("empty".to_string(), |text| format!("holding {}", text))
    }
    fn describe_call(&self, (key, put): &Self::Call) -> String {
        put.as_ref()
            .map_or(format!("get {}", key), |text| format!("put {} at {}", text, key))
    }
    fn bytes(&self, state: &Self::State) -> usize {
        std::mem::size_of_val(state) + state.as_ref().map_or(0, String::capacity)
    }
}

#[test]
fn keys_are_decided_apart() {
    let mut operations: Vec<_> = (0..2000)
        .map(|i| Operation::new("a", (i as u64 % 50, Some(i.to_string())), 2 * i).returns(None, 2 * i + 1))
        .collect();
    for i in 0..50 {
        let got = Some((1950 + i).to_string());
        operations.push(Operation::new("b", (i as u64, None), 5000 + i).returns(got, 5001 + i));
    }
    let several_threads = Options {
        threads: 4,
        ..Options::default()
    };
    for options in [Options::default(), several_threads] {
        assert!(check_model(&operations, &Store { apart: true }, &options)
            .unwrap()
            .is_linearizable());
        assert!(!check_model(&operations, &Store { apart: false }, &options)
            .unwrap()
            .is_linearizable());
    }
    operations.push(Operation::new("c", (7, None), 9000).returns(Some("7".to_string()), 9001));
    let verdict = check_model(&operations, &Store { apart: true }, &Options::default()).unwrap();
    assert!(verdict.core().contains(&(operations.len() - 1)));
    let text = verdict.text().unwrap();
    assert!(
        text.contains("shelf") && text.contains("get 7") && text.contains("at 7"),
        "{}",
        text
    );
}

static ALIVE: AtomicIsize = AtomicIsize::new(0);
static MADE: AtomicIsize = AtomicIsize::new(0);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Counted(i64);

impl Counted {
    fn new(value: i64) -> Counted {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        MADE.fetch_add(1, Ordering::SeqCst);
        Counted(value)
    }
}
impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Counter;

impl Model for Counter {
    type State = Counted;
    type Call = i64; // is added
    type Result = i64; // the sum

    fn initial(&self) -> Vec<Counted> {
        vec![Counted::new(0)]
    }
    fn step(&self, state: &Counted, amount: &i64, result: Option<&i64>) -> Vec<Counted> {
        let sum = state.0 + amount;
        assert!(sum < 1000, "too much");
        if result.map_or(true, |result| *result == sum) {
            vec![Counted::new(sum)]
        } else {
            vec![]
        }
    }
}

#[test]
fn states_are_given_back_once() {
    let add = |amount, sum, time| Operation::new(Process::Unknown, amount, time).returns(sum, time + 3);
    for (last, kind) in [(6, Kind::Linearizable), (7, Kind::Violation)] {
        let operations = [add(1, 1, 0), add(2, 3, 1), add(3, last, 2), add(last, 2 * last, 10)];
        let made = MADE.load(Ordering::SeqCst);
        {
            let verdict = check_model(&operations, &Counter, &Options::default()).unwrap();
            assert_eq!(verdict.kind(), kind);
            verdict.text().unwrap();
        }
        assert!(MADE.load(Ordering::SeqCst) > made);
        assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
    }
    let operations = [add(1000, 1000, 0)]; // panics
    assert!(std::panic::catch_unwind(|| check_model(&operations, &Counter, &Options::default()).is_ok()).is_err());
    assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
}

/// A state of no size is no address of its own.
struct Nothing;

impl Model for Nothing {
    type State = ();
    type Call = ();
    type Result = ();

    fn initial(&self) -> Vec<()> {
        vec![()]
    }
    fn step(&self, _: &(), _: &(), _: Option<&()>) -> Vec<()> {
        vec![(), ()]
    }
}

#[test]
fn states_calls_and_results_may_have_no_size() {
    let operations: Vec<_> = (0..20).map(|i| Operation::new(i, (), 0).returns((), 5)).collect();
    assert!(check_model(&operations, &Nothing, &Options::default())
        .unwrap()
        .is_linearizable());
}

struct Slow;

impl Model for Slow {
    type State = u64;
    type Call = u64;
    type Result = ();

    fn initial(&self) -> Vec<u64> {
        vec![0]
    }
    fn step(&self, state: &u64, call: &u64, _: Option<&()>) -> Vec<u64> {
        std::thread::sleep(Duration::from_millis(5));
        vec![state.wrapping_mul(31).wrapping_add(*call)]
    }
}

#[test]
fn another_thread_ends_the_check_of_a_model() {
    let operations: Vec<_> = (0..200)
        .map(|i| Operation::new(i as u32, i, 0).returns((), 9))
        .collect();
    let stop = Stop::new();
    let options = Options {
        stop: Some(stop.clone()),
        time_limit: Some(Duration::from_secs(20)), // as long as a failure takes
        ..Options::default()
    };
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(60));
        stop.request();
    });
    let verdict = check_model(&operations, &Slow, &options).unwrap();
    assert_eq!((verdict.kind(), verdict.reason()), (Kind::Unknown, "cancelled".into()));
    thread.join().unwrap();
}

#[test]
fn past_the_time_limit_the_verdict_is_unknown() {
    let mut operations: Vec<_> = (0..200)
        .map(|i| Operation::new(i as u32, i, 0).returns((), 9))
        .collect();
    operations.push(Operation::new("a", 200, 10).returns((), 11));
    let limits = Options {
        time_limit: Some(Duration::from_millis(60)),
        ..Options::default()
    };
    let verdict = check_model(&operations, &Slow, &limits).unwrap();
    assert_eq!((verdict.kind(), verdict.reason().as_str()), (Kind::Unknown, "time"));
}

/// Small numbers without a crate.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as i64
    }
}

#[test]
fn the_builtin_type_and_the_model_agree() {
    let histories = std::env::var("LINCHPIN_RANDOM")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(500);
    let (mut dice, mut seen) = (Dice(0x9e37_79b9), [0, 0]);
    for _ in 0..histories {
        let mut builder = History::builder("register initial=0");
        let mut operations: Vec<Register> = Vec::new();
        for process in 0..3u32 {
            let mut time = dice.below(3);
            for _ in 0..3 {
                let (end, value, writes) = (time + 1 + dice.below(6), dice.below(3), dice.below(2) == 0);
                let call = if writes { Call::Write(value) } else { Call::Read };
                let mut operation = Operation::new(process, call, time);
                let arguments = if writes { vec![value.into()] } else { vec![] };
                let number = builder.call(process, if writes { "write" } else { "read" }, &arguments, time);
                let pending = dice.below(10) == 0;
                if !pending && !writes && dice.below(10) == 0 {
                    operation = operation.loses_result(end);
                    builder.returns(number, Value::Unknown, end);
                } else if !pending {
                    operation = operation.returns(if writes { None } else { Some(value) }, end);
                    builder.returns(number, if writes { Value::None } else { value.into() }, end);
                }
                operations.push(operation);
                if pending {
                    break;
                }
                time = end + dice.below(3);
            }
        }
        let ours = kind(&operations, &[0]);
        let theirs = check(&builder.finish().unwrap(), None, &Options::default())
            .unwrap()
            .kind();
        assert_eq!(ours, theirs, "{:#?}", operations);
        seen[usize::from(ours == Kind::Violation)] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{:?}", seen);
}

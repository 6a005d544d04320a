//! Built-in types: histories, values, files, errors and evidence.

use linchpin::{check, Annotation, Builder, Error, History, Kind, Options, Process, ReadOptions, Stop, Value, Verify};
use std::path::PathBuf;
use std::time::Duration;

fn sequential(builder: &mut Builder, method: &str, arguments: &[Value], result: impl Into<Value>, time: i64) -> usize {
    let operation = builder.call(0, method, arguments, time);
    builder.returns(operation, result, time + 1);
    operation
}

/// enqueue 1, enqueue 2, and a dequeue that gets `got`.
fn queue_that_gives(got: i64) -> History {
    let mut builder = History::builder("queue");
    sequential(&mut builder, "enqueue", &[1.into()], (), 0);
    sequential(&mut builder, "enqueue", &[2.into()], (), 4);
    sequential(&mut builder, "dequeue", &[], got, 6);
    builder.finish().unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("linchpin-rust-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn a_violation_has_its_evidence() {
    let verdict = check(&queue_that_gives(2), "queue", &Options::default()).unwrap();
    assert_eq!(verdict.kind(), Kind::Violation);
    assert!(!verdict.is_linearizable());
    assert_eq!(verdict.core(), [0, 1, 2]);
    assert_eq!((verdict.blocked(), verdict.verified()), (Some(2), true));
    assert!(verdict.witness().is_empty() && verdict.context().is_empty() && verdict.reason().is_empty());
    assert!(verdict.sentence().contains("came too early"), "{}", verdict.sentence());
    assert_eq!(verdict.decider(), "queue-monitor");
    assert!(verdict.text().unwrap().contains("enqueue"));
    assert_eq!(verdict.to_string(), verdict.text().unwrap());
    assert!(verdict.json().unwrap().contains("\"verdict\":\"violation\""));
    assert!(format!("{:?}", verdict).contains("Violation"));
}

#[test]
fn a_linearizable_history_has_its_order() {
    let verdict = check(&queue_that_gives(1), None, &Options::default()).unwrap();
    assert!(verdict.is_linearizable() && verdict.verified());
    assert_eq!(verdict.witness(), [0, 1, 2]);
    assert!(verdict.core().is_empty() && verdict.sentence().is_empty());
    assert_eq!(verdict.blocked(), None);
}

#[test]
fn values_of_every_kind_come_back_as_they_are() {
    let values = [
        Value::Nil,
        true.into(),
        false.into(),
        0.into(),
        i64::MIN.into(),
        i64::MAX.into(),
        "text".into(),
        "".into(),
        "ä\n\"\0".into(),
        Value::from(vec![1, 2]),
        Value::List(vec![
            1.into(),
            "a".into(),
            Value::List(vec![Value::Nil]),
            Value::List(vec![]),
        ]),
    ];
    for written in &values {
        for read in &values {
            let mut builder = History::builder("register");
            sequential(&mut builder, "write", std::slice::from_ref(written), Value::None, 0);
            sequential(&mut builder, "read", &[], read.clone(), 2);
            let verdict = check(&builder.finish().unwrap(), None, &Options::default()).unwrap();
            assert_eq!(verdict.is_linearizable(), written == read, "{:?} {:?}", written, read);
        }
    }
}

#[test]
fn pending_operations_and_lost_results_are_open() {
    let mut builder = History::builder("register initial=0");
    builder.call("a", "write", &[7.into()], 0); // never returns
    sequential(&mut builder, "read", &[], 7, 1);
    sequential(&mut builder, "read", &[], Value::Unknown, 3);
    assert!(check(&builder.finish().unwrap(), None, &Options::default())
        .unwrap()
        .is_linearizable());
}

#[test]
fn processes_are_numbers_names_or_unknown() {
    let mut builder = History::builder("register initial=0");
    let named = builder.call("client", "write", &[1.into()], 0);
    let numbered = builder.call(3, "write", &[2.into()], 0);
    let unknown = builder.call(Process::Unknown, "write", &[3.into()], 0);
    for operation in [named, numbered, unknown] {
        builder.returns(operation, (), 9);
    }
    assert!(check(&builder.finish().unwrap(), None, &Options::default())
        .unwrap()
        .is_linearizable());
}

#[test]
fn several_objects_are_told_apart() {
    let mut builder = History::builder(None);
    builder.object_type("x", "register");
    builder.object_type("y", "queue");
    let write = builder.call_on("x", "a", "write", &[1.into()], 0);
    builder.returns(write, (), 1);
    let dequeue = builder.call_on("y", "a", "dequeue", &[], 2);
    builder.returns(dequeue, 2, 3);
    let verdict = check(
        &builder.finish().unwrap(),
        None,
        &Options {
            all: true,
            ..Options::default()
        },
    )
    .unwrap();
    assert_eq!((verdict.kind(), verdict.core()), (Kind::Violation, vec![dequeue]));
    let objects: Vec<_> = verdict
        .objects()
        .map(|object| (object.name(), object.kind(), object.witness()))
        .collect();
    assert_eq!(objects[0], ("x".to_string(), Kind::Linearizable, vec![write]));
    assert_eq!(objects[1], ("y".to_string(), Kind::Violation, vec![]));
    for object in verdict.objects() {
        assert!(!object.decider().is_empty() && !object.why().is_empty() && object.refused().is_empty());
        assert_eq!(object.sentence().is_empty(), object.kind() == Kind::Linearizable);
        assert!(
            object.blocked().is_none() || object.core() == [dequeue],
            "{:?} {:?}",
            object,
            object.longest()
        );
    }
}

#[track_caller]
fn code(made: Result<impl Sized, Error>) -> String {
    made.err().expect("an error").code
}

#[test]
fn errors_say_what_is_wrong() {
    let mut builder = History::builder("queue");
    sequential(&mut builder, "fly", &[], (), 0);
    let unknown = builder
        .finish()
        .and_then(|history| check(&history, None, &Options::default()).map(drop));
    assert_eq!(code(unknown), "unknown_method");

    assert_eq!(
        code(check(&queue_that_gives(1), "cue", &Options::default())),
        "unknown_type"
    );
    let misspelt = History::builder("cue").finish().unwrap();
    assert!(misspelt.is_empty());
    let mut builder = History::builder(None);
    builder.object_type("x", "queue =");
    assert!(builder.finish().is_err(), "that is no type");

    let wrong = Options {
        decider: Some("guess".to_string()),
        ..Options::default()
    };
    assert!(check(&queue_that_gives(1), None, &wrong).is_err());

    let mut builder = History::builder("queue");
    let operation = builder.call(0, "dequeue", &[], 5);
    builder.returns(operation, 1, 1);
    assert!(builder.finish().is_err(), "it returned before its call");
    let mut builder = History::builder("queue");
    builder.returns(7, 1, 1);
    assert_eq!(code(builder.finish()), "return_without_call");
    let mut builder = History::builder("queue");
    builder.call(0, "enqueue", &[Value::Unknown], 5);
    assert!(builder.finish().is_err(), "arguments are known");
    let mut builder = History::builder("queue");
    builder.call(1 << 31, "dequeue", &[], 5);
    assert_eq!(code(builder.finish()), "bad_number");
    let mut builder = History::builder("queue");
    let promised = builder.call(1, "dequeue", &[], 5);
    builder.returns(promised, 1, i64::MAX);
    builder.returns(promised, 2, 9);
    assert_eq!(code(builder.finish()), "return_without_call");
    let mut builder = History::builder("queue");
    builder.call(1, "dequeue", &[], i64::MAX);
    assert_eq!(code(builder.finish()), "bad_number");
    let mut builder = History::builder("queue");
    builder.call_on("x", 1, "dequeue", &[], 5);
    builder.call_on("y", 2, "dequeue", &[], 5);
    builder.call(3, "dequeue", &[], 5);
    let unnamed = builder.finish().unwrap_err();
    assert_eq!(unnamed.code, "missing_field");
    assert!(unnamed.message.starts_with("operation 2: "), "{}", unnamed);
    let nested = |deep| (0..deep).fold(Value::from(1), |inner, _| Value::List(vec![inner]));
    let mut builder = History::builder("register");
    builder.call(1, "write", &[nested(64)], 5);
    assert!(builder.finish().is_ok());
    for deep in [65, 10000] {
        let mut builder = History::builder("register");
        builder.call(1, "write", &[nested(deep)], 5);
        assert_eq!(code(builder.finish()), "too_large");
    }
    let mut builder = History::builder("queue");
    builder.call("a", "de\0queue", &[], 5);
    assert_eq!(code(builder.finish()), "bad_arguments");
    assert_eq!(code(History::builder("que\0ue").finish()), "bad_arguments");

    let missing = History::read("/no/such/file").unwrap_err();
    assert_eq!((missing.code.as_str(), missing.file.as_str()), ("io", "/no/such/file"));
    let shown: Box<dyn std::error::Error> = Box::new(missing);
    assert!(shown.to_string().starts_with("/no/such/file: "), "{}", shown);
}

#[test]
fn histories_are_parsed_from_memory() {
    let text = queue_that_gives(2).write("text").unwrap();
    let history = History::parse(&text).unwrap();
    assert_eq!(history.write("text").unwrap(), text);
    assert_eq!(
        check(&history, None, &Options::default()).unwrap().kind(),
        Kind::Violation
    );
    let as_bag = ReadOptions {
        type_name: Some("bag".to_string()),
        ..ReadOptions::default()
    };
    let bag = History::parse_with(&text, &as_bag).unwrap();
    assert_eq!(
        check(&bag, None, &Options::default()).unwrap().kind(),
        Kind::Linearizable
    );
    assert_eq!(History::parse("").unwrap_err().code, "truncated");
    assert_eq!(
        History::parse("# linchpin 1\n# type: queue\n0 5 1 dequeue -> 1\n")
            .unwrap_err()
            .line,
        3
    );
    let little = ReadOptions {
        memory_limit: Some(0),
        ..ReadOptions::default()
    };
    assert!(History::parse_with(&text, &little).is_err());
}

#[test]
fn files_are_read_and_written() {
    let path = scratch("queue.txt");
    std::fs::write(&path, queue_that_gives(2).write("text").unwrap()).unwrap();
    let history = History::read(&path).unwrap();
    assert_eq!((history.len(), history.is_empty()), (3, false));
    assert_eq!(
        check(&history, None, &Options::default()).unwrap().kind(),
        Kind::Violation
    );
    let of_none = ReadOptions {
        type_name: Some("nonsense".to_string()),
        ..ReadOptions::default()
    };
    let nonsense =
        History::read_with(&path, &of_none).and_then(|read| check(&read, None, &Options::default()).map(drop));
    assert_eq!(code(nonsense), "unknown_type");
    let little = ReadOptions {
        memory_limit: Some(0),
        ..ReadOptions::default()
    };
    assert!(History::read_with(&path, &little).is_err());
    assert!(queue_that_gives(2).write("parchment").is_err());

    std::fs::write(&path, "# linchpin 1\n# type: queue\n???\n").unwrap();
    let wrong = History::read(&path).unwrap_err();
    assert!(
        wrong.line > 0 && wrong.to_string().contains(&format!("queue.txt:{}:", wrong.line)),
        "{}",
        wrong
    );

    let report = scratch("report.html");
    let verdict = check(&queue_that_gives(2), None, &Options::default()).unwrap();
    verdict.report(&report, "lost order").unwrap();
    assert!(std::fs::read_to_string(&report).unwrap().contains("lost order"));
    assert_eq!(code(verdict.report("/no/such/folder/report.html", "")), "io");
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

#[test]
fn options_are_obeyed() {
    let history = queue_that_gives(1);
    let bare = Options {
        witness: false,
        verify: Verify::Never,
        ..Options::default()
    };
    let verdict = check(&history, None, &bare).unwrap();
    assert!(verdict.is_linearizable() && verdict.witness().is_empty() && !verdict.verified());
    let thorough = Options {
        verify: Verify::Thoroughly,
        threads: 1,
        ..Options::default()
    };
    assert!(check(&history, None, &thorough).unwrap().verified());

    // What touches at one tick is concurrent, or is not.
    let mut builder = History::builder("register initial=0");
    let write = builder.call("a", "write", &[1.into()], 0);
    builder.returns(write, (), 5);
    let read = builder.call("b", "read", &[], 5);
    builder.returns(read, 0, 6);
    let history = builder.finish().unwrap();
    assert!(check(&history, None, &Options::default()).unwrap().is_linearizable());
    let first = Options {
        response_first: true,
        ..Options::default()
    };
    assert!(!check(&history, None, &first).unwrap().is_linearizable());
}

#[test]
fn past_a_limit_the_verdict_is_unknown() {
    let mut builder = History::builder("register");
    for i in 0..400 {
        let operation = builder.call(
            i,
            if i % 2 == 0 { "read" } else { "write" },
            &vec![1.into(); (i % 2) as usize],
            0,
        );
        builder.returns(
            operation,
            if i % 2 == 0 {
                Value::Int((i % 7).into())
            } else {
                Value::None
            },
            9,
        );
    }
    let limits = Options {
        time_limit: Some(Duration::ZERO),
        decider: Some("search".to_string()),
        ..Options::default()
    };
    match check(&builder.finish().unwrap(), None, &limits) {
        Ok(verdict) => assert!(
            verdict.kind() == Kind::Violation || verdict.reason() == "time",
            "{:?}",
            verdict
        ),
        Err(error) => panic!("{}", error),
    }
}

/// Compare-and-sets that overlap all and succeed: an order of them is a walk over the edges of a graph in two parts, and no
/// search sees within a minute that there is none.
fn hard() -> History {
    const NODES: i64 = 24;
    let mut builder = History::builder("cas-register initial=0");
    for graph in 0..2 {
        for step in [1, 3, 5, 7] {
            for node in 0..NODES {
                let edge = [graph * NODES + node, graph * NODES + (node + step) % NODES];
                let operation = builder.call(Process::Unknown, "cas", &edge.map(Value::from), 1);
                builder.returns(operation, true, 10);
            }
        }
    }
    builder.finish().unwrap()
}

#[test]
fn another_thread_ends_checks() {
    let history = hard();
    let stop = Stop::new();
    let options = Options {
        stop: Some(stop.clone()),
        time_limit: Some(Duration::from_secs(20)), // as long as a failure takes
        ..Options::default()
    };
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        stop.request();
        stop.request();
    });
    // The second time it was requested before.
    for _ in 0..2 {
        let verdict = check(&history, None, &options).unwrap();
        assert_eq!((verdict.kind(), verdict.reason()), (Kind::Unknown, "cancelled".into()));
    }
    thread.join().unwrap();
}

#[test]
fn histories_and_verdicts_go_to_other_threads() {
    let history = queue_that_gives(2);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let history = history.clone();
            std::thread::spawn(move || check(&history, None, &Options::default()).unwrap())
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap().core(), [0, 1, 2]);
    }
    assert!(!linchpin::version().is_empty());
}

#[test]
fn what_contradicts_itself_is_an_error_in_words_of_this_crate() {
    let wrong = |build: fn(&mut linchpin::Builder)| {
        let mut builder = History::builder(None);
        builder.call_on("q", "a", "enqueue", &[1.into()], 1);
        build(&mut builder);
        builder.finish().unwrap_err()
    };
    let annotation = wrong(|builder| {
        builder.annotate(&Annotation {
            end: Some(-5),
            text: "partition".to_string(),
            ..Annotation::default()
        })
    });
    assert_eq!(annotation.code, "bad_arguments");
    assert!(
        annotation.message.contains("\"partition\" ends at -5, and begins at 0"),
        "{}",
        annotation
    );
    let types = wrong(|builder| {
        builder.object_type("q", "queue");
        builder.object_type("q", "queue");
        builder.object_type("q", "queue capacity=2");
    });
    assert_eq!(types.code, "bad_option");
    assert!(
        types
            .message
            .contains("'q' is given two types, 'queue' and 'queue capacity=2'"),
        "{}",
        types
    );
    for error in [
        wrong(|builder| builder.returns(7, (), 2)),
        wrong(|builder| builder.field(7, "server", "n1")),
    ] {
        assert_eq!(error.code, "return_without_call");
        assert!(error.hint.contains("the number that its call gave"), "{}", error);
    }
}

#[test]
fn operations_carry_fields_and_histories_annotations() {
    let mut builder = History::builder("queue");
    let enqueue = sequential(&mut builder, "enqueue", &[1.into()], (), 0);
    let dequeue = sequential(&mut builder, "dequeue", &[], Value::Nil, 4);
    builder.field(dequeue, "error", "timed out");
    builder.field(dequeue, "revision", 7);
    builder.annotate(&Annotation {
        begin: 3,
        end: Some(9),
        text: "partition".to_string(),
        process: Some("4".to_string()),
        colour: None,
    });
    builder.annotate(&Annotation {
        begin: i64::MIN,
        text: "started".to_string(),
        ..Annotation::default()
    });
    let history = builder.finish().unwrap();
    assert_eq!(history.fields(enqueue), "");
    assert_eq!(history.fields(dequeue), "error \"timed out\", revision 7");
    let text = String::from_utf8(history.write("text").unwrap()).unwrap();
    assert!(text.contains("# annotation 3 9 \"partition\" process=4\n"), "{}", text);
    assert_eq!(History::parse(&text).unwrap().fields(dequeue), history.fields(dequeue));
    let verdict = check(&history, None, &Options::default()).unwrap();
    assert!(verdict.text().unwrap().contains("revision 7"), "{}", verdict);
    // Not in the folder of the other tests, which is removed by one of them.
    let path = std::env::temp_dir().join(format!("linchpin-rust-limited-{}.html", std::process::id()));
    verdict.report_within(&path, "limited", 1).unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() > 100_000);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_field_of_no_operation_is_an_error() {
    let mut builder = History::builder("queue");
    builder.field(3, "server", "n1");
    assert_eq!(builder.finish().unwrap_err().code, "return_without_call");
}

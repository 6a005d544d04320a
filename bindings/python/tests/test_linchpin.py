"""The Python package, as its users use it: python3 -m unittest, with LINCHPIN_LIBRARY."""

import array
import collections
import contextlib
import fractions
import gc
import importlib.util
import io
import os
import pathlib
import re
import tempfile
import unittest

import linchpin

try:
    import numpy
except ImportError:
    numpy = None

LOST_ORDER = [
    ("a", 0, 3, "enqueue", 1, None),
    ("b", 4, 5, "enqueue", 2, None),
    ("a", 6, 7, "dequeue", (), 2),
]


class Types(unittest.TestCase):
    def test_a_violation_has_its_evidence(self):
        verdict = linchpin.check(LOST_ORDER, type="queue")
        self.assertEqual(verdict.kind, "violation")
        self.assertFalse(verdict)
        self.assertEqual((verdict.core, verdict.blocked, verdict.verified), ([0, 1, 2], 2, True))
        self.assertIn("came too early", verdict.sentence)
        self.assertIn("process a", str(verdict))
        self.assertEqual(verdict.decider, "queue-monitor")
        told = verdict.json()
        self.assertEqual((told["verdict"], told["objects"][0]["core"]), ("violation", [0, 1, 2]))
        self.assertEqual(told["objects"][0]["explanation"]["core"][0]["method"], "enqueue")

    def test_a_linearizable_history_has_its_order(self):
        verdict = linchpin.check([*LOST_ORDER[:2], ("a", 6, 7, "dequeue", (), 1)], type="queue")
        self.assertTrue(verdict)
        self.assertEqual(verdict.witness, [0, 1, 2])
        self.assertEqual((verdict.core, verdict.blocked), ([], None))

    def test_mappings_and_missing_ends(self):
        records = [
            {"process": 1, "call": 0, "return": None, "method": "write", "arguments": [7]},
            {"process": 2, "call": 1, "return": 2, "method": "read", "result": 7},
            {"process": 2, "call": 3, "return": 4, "method": "read", "result": linchpin.UNKNOWN},
        ]
        self.assertTrue(linchpin.check(records, type="register"))

    def test_promised_results(self):
        # It never returned 7, since it would have added 3 to 0; so the read saw nothing of it.
        promised = [(0, 1, None, "fetch_and_add", (3,), 7), (1, 2, 3, "read", (), 3)]
        self.assertFalse(linchpin.check(promised, type="counter"))
        for result in (0, None, linchpin.NONE, linchpin.UNKNOWN):
            with self.subTest(result=result):
                self.assertTrue(linchpin.check([promised[0][:5] + (result,), promised[1]], type="counter"))

    def test_what_never_returned_without_a_result_promises_none(self):
        def taken(returned, *result):  # the queue is empty for c if b took what a put there
            return [("a", 0, 1, "enqueue", 1), ("b", 2, returned, "dequeue", (), *result), ("c", 5, 6, "dequeue", (), None)]

        for returned in (None, linchpin.PENDING):
            for result in ((), (None,), (linchpin.NONE,), (linchpin.UNKNOWN,), (1,)):
                with self.subTest(returned=returned, result=result):
                    self.assertTrue(linchpin.check(taken(returned, *result), type="queue"))
            self.assertFalse(linchpin.check(taken(returned, 2), type="queue"))
        history = linchpin.history.history_of([record for record in taken(None) if record[0] != "b"], "queue")
        history.returns(history.call("b", "dequeue", time=2), time=linchpin.PENDING)
        self.assertTrue(linchpin.check(history))

    def test_what_is_misspelt_or_out_of_range_is_an_error(self):
        write = (0, 1, 2, "write", (1,))
        for records in ([{"process": 0, "call": 1, "retrun": 2, "method": "write", "arguments": (1,)}],
                        [(0, 1 << 63, (1 << 63) + 1, "write", (1,))], [(0, 1.5, 2, "write", (1,))],
                        [(0, 1, 2, "write\0x", (1,))], [(0, 1, 2, "write", ("\ud800",))],
                        [(*write, None, None, None, "more")], [(0, [1], 2, "write", (1,))], [(0, 1, int, "write", (1,))],
                        [(*write, None, None, ["server"])], [(*write, None, None, {1: 1})], None):
            with self.subTest(records=records), self.assertRaises(linchpin.Error):
                linchpin.check(records, type="register")
        for limit in ({"time_limit": -1}, {"time_limit": float("nan")}, {"time_limit": "5"}, {"time_limit": 10**400},
                      {"memory_limit": -1}, {"memory_limit": 1e9}, {"memory_limit": (1 << 64) + 1},
                      {"threads": -1}, {"threads": None}, {"threads": 1.5}, {"threads": (1 << 32) + 1}):
            with self.subTest(limit=limit), self.assertRaises(linchpin.Error) as caught:
                linchpin.check([write], type="register", **limit)
            self.assertIn(*limit, str(caught.exception))
        for limit in ({"time_limit": 0}, {"time_limit": fractions.Fraction(5)}, {"memory_limit": 1 << 40}, {"threads": 2}):
            with self.subTest(limit=limit):
                self.assertTrue(linchpin.check([write], type="register", **limit))

    def test_nothing_is_cut_to_size(self):
        history = linchpin.History("queue")
        operation = history.call("a", "enqueue", 1, time=0)
        far = (1 << 64) + operation
        verdict = linchpin.check(LOST_ORDER, type="queue")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "queue")
            with open(path, "w", encoding="utf-8") as file:
                file.write("# linchpin 1\n# type: queue\n")
            page = os.path.join(folder, "page")
            for refused in (lambda: history.returns(far, time=1), lambda: history.returns("0", time=1),
                            lambda: history.carries(far, server="n1"), lambda: history.annotate(1 << 64, "x"),
                            lambda: history.annotate(0, "x", end=1 << 64), lambda: history.annotate(-(1 << 63), "x"),
                            lambda: history.annotate(0.5, "x"), lambda: linchpin.read(path + "\0.txt"), lambda: linchpin.read(5),
                            lambda: linchpin.read(path, memory_limit=(1 << 64) + 1), lambda: linchpin.read(path, format="te\0xt"),
                            lambda: linchpin.parse("# linchpin 1\n", memory_limit=-1), lambda: linchpin.parse("\ud800"),
                            lambda: linchpin.parse(None), lambda: verdict.report(page + "\0.html"),
                            lambda: verdict.report(page, "a\0b"), lambda: verdict.report(page, None),
                            lambda: verdict.report(page, limit=-1), lambda: verdict.report(page, limit=(1 << 64) + 5)):
                self.assertRaises(linchpin.Error, refused)
            self.assertEqual(os.listdir(folder), ["queue"])
            self.assertEqual(len(linchpin.read(pathlib.Path(path))), 0)
        self.assertEqual(history.to_text(), "# linchpin 1\n# type: queue\na 0 - enqueue 1\n")
        for refused in (lambda: history.to_text(5), lambda: history.fields("0")):
            self.assertRaises(linchpin.Error, refused)

    def test_what_a_history_refuses(self):
        def refused(code, *calls):
            history = linchpin.History("queue")
            for process, (name, time, *results) in enumerate(calls):
                operation = history.call(process, "dequeue", time=time, object=name)
                for result, returned in results:
                    history.returns(operation, result, time=returned)
            with self.assertRaises(linchpin.Error) as raised:
                linchpin.check(history)
            self.assertEqual(raised.exception.code, code)
            return str(raised.exception)

        self.assertIn("operation 2: dequeue() pending does not say which object it is on",
                      refused("missing_field", ("x", 1), ("y", 1), (None, 1)))
        refused("return_without_call", (None, 1, (1, linchpin.PENDING), (2, 5)))
        refused("bad_number", (None, linchpin.PENDING))
        deep, own = 1, []
        for _ in range(65):
            deep = [deep]
        own.append(own)
        for value in (deep, own):
            with self.assertRaises(linchpin.Error) as raised:
                linchpin.check([(0, 0, 1, "write", (value,))], type="register")
            self.assertEqual(raised.exception.code, "too_large")
        self.assertTrue(linchpin.check([(0, 0, 1, "write", deep)], type="register"))  # the list of arguments: 64 in it

    def test_values_of_every_kind(self):
        for value in (None, True, False, 0, -(1 << 63), (1 << 63) - 1, "text", "", "ä\n\"", [1, "a", [None]]):
            with self.subTest(value=value):
                records = [(0, 0, 1, "write", (value,)), (0, 2, 3, "read", (), value)]
                self.assertTrue(linchpin.check(records, type="register"))
                records.append((0, 4, 5, "read", (), "another"))
                self.assertFalse(linchpin.check(records, type="register"))
        with self.assertRaises(linchpin.Error):
            linchpin.check([(0, 0, 1, "write", (1 << 63,))], type="register")
        with self.assertRaises(linchpin.Error):
            linchpin.check([(0, 0, 1, "write", (object(),))], type="register")

    def test_what_stands_for_a_value(self):
        for value, plain in ((bytearray(b"ab"), b"ab"), (memoryview(b"ab"), b"ab"), (collections.UserString("ab"), "ab"),
                             (collections.UserList([1]), [1]), (collections.deque([1]), [1]), (range(2), [0, 1])):
            with self.subTest(value=value):
                self.assertTrue(linchpin.check([(0, 0, 1, "write", (value,)), (0, 2, 3, "read", (), plain)], type="register"))
        for value in (memoryview(array.array("q", [1])), memoryview(b"abcd").cast("B", (2, 2)), 1.0, {1}):
            with self.subTest(value=value), self.assertRaises(linchpin.Error) as caught:
                linchpin.check([(0, 0, 1, "write", (value,))], type="register")
            self.assertIn("no value of an operation", str(caught.exception))

    @unittest.skipIf(numpy is None, "NumPy is missing (Debian: python3-numpy)")
    def test_values_of_numpy(self):
        added = [("a", 0, 1, "add", 5, True), ("a", 2, 3, "contains", 5, numpy.bool_(True))]
        self.assertTrue(linchpin.check(added, type="set"))
        self.assertFalse(linchpin.check([*added, ("a", 4, 5, "contains", 5, numpy.bool_(False))], type="set"))
        for value, plain in ((numpy.bool_(True), True), (numpy.array(False), False), (numpy.int8(5), 5), (numpy.uint64(5), 5),
                             (numpy.array(5, "u2"), 5), (numpy.str_("x"), "x"), (numpy.array("x"), "x"), (numpy.bytes_(b"x"), "x")):
            with self.subTest(value=value):
                self.assertTrue(linchpin.check([(0, 0, 1, "write", (value,)), (0, 2, 3, "read", (), plain)], type="register"))
        for value in (numpy.float64(1), numpy.datetime64(5, "ns"), numpy.timedelta64(5, "ns"), numpy.array([1]), numpy.array([1, 2]),
                      numpy.array([True]), numpy.array([]), numpy.array(1.0), numpy.ma.masked, numpy.ma.array(5, mask=True),
                      numpy.complex128(1), numpy.void(b"x"), numpy.uint64(1 << 63)):
            with self.subTest(value=value), self.assertRaises(linchpin.Error):
                linchpin.check([(0, 0, 1, "write", (value,))], type="register")

    def test_errors_say_what_is_wrong(self):
        with self.assertRaises(linchpin.Error) as caught:
            linchpin.check([(0, 0, 1, "fly")], type="queue")
        self.assertEqual(caught.exception.code, "unknown_method")
        with self.assertRaises(linchpin.Error) as caught:
            linchpin.check(LOST_ORDER, type="cue")
        self.assertEqual(caught.exception.code, "unknown_type")
        with self.assertRaises(linchpin.Error):
            linchpin.check([(0, 5, 1, "dequeue")], type="queue")
        for odd in ({"model": 3}, {"model": dict}, {"model": Register, "type": "register"}):
            with self.assertRaises(linchpin.Error) as caught:
                linchpin.check(LOST_ORDER, **odd)
            self.assertEqual(caught.exception.code, "bad_option")
        with self.assertRaises(linchpin.Error) as caught:
            linchpin.check([("too", "few")], type="queue")
        self.assertIn("operation 0", str(caught.exception))

    def test_processes_are_one_where_they_are_equal(self):
        class Worker:
            def __str__(self):
                return "worker"

        def overlapping(*processes):
            return [(process, i, 10 + i, "enqueue", i) for i, process in enumerate(processes)]

        for model in ({"type": "queue"}, {"model": Register}):
            for processes in ((1, 1.0), (1, True), (1.0, True), ("a", "a"), (("n", 1), ("n", 1.0)), (1 << 31, float(1 << 31))):
                with self.subTest(processes=processes, **model), self.assertRaises(linchpin.Error) as caught:
                    linchpin.check(overlapping(*processes), **model)
                self.assertEqual(caught.exception.code, "overlapping_operations")
            for processes in ((1, "1"), ("1", 1, b"1"), (1, "1", "1 (2)"), (Worker(), "worker", Worker()), (("n", 1), "('n', 1)"),
                              (None, None, "None"), (-1, "-1")):
                with self.subTest(processes=processes, **model):
                    linchpin.check(overlapping(*processes), **model)
            for process in ([1], {}, ([],)):
                with self.subTest(process=process, **model), self.assertRaises(linchpin.Error) as caught:
                    linchpin.check(overlapping(process), **model)
                self.assertIn("not hashable", str(caught.exception))
        history = linchpin.history.history_of(overlapping(1, "1", "b"), "queue")
        history.annotate(5, "restarted", process="1")
        text = history.to_text()
        self.assertIn('\n1 0 10 enqueue 0\n"1 (2)" 1 11 enqueue 1\nb 2 12 enqueue 2\n', text)
        self.assertIn('"restarted" process="1 (2)"', text)

    def test_several_objects(self):
        records = [(0, 0, 1, "write", 1, linchpin.NONE, "x"), (0, 2, 3, "read", (), 2, "y")]
        verdict = linchpin.check(records, type="register")
        self.assertEqual(verdict.core, [1])

    def test_files_and_texts(self):
        history = linchpin.History("queue")
        operation = history.call("a", "enqueue", 5, time=1)
        history.returns(operation, time=2)
        history.call(None, "dequeue", time=3)
        self.assertEqual(len(history), 2)
        with self.assertRaises(linchpin.Error):
            history.call("a", "dequeue", time=4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "queue.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(history.to_text())
            self.assertTrue(linchpin.check(linchpin.read(path)))
            report = os.path.join(folder, "report.html")
            linchpin.check(LOST_ORDER, type="queue").report(report, "lost order")
            with open(report, encoding="utf-8") as file:
                self.assertIn("lost order", file.read())
            for format in ("text", "jsonl"):
                parsed = linchpin.parse(history.to_text(format))
                self.assertEqual(parsed.to_text(), history.to_text())
        self.assertEqual(linchpin.check(linchpin.parse(b"# linchpin 1\n0 1 2 dequeue -> 1\n", "text", "queue")).core, [0])
        with self.assertRaises(linchpin.Error) as caught:
            linchpin.parse("# linchpin 1\n# type: queue\n0 5 2 dequeue -> 1\n")
        self.assertEqual((caught.exception.code, caught.exception.line), ("response_before_call", 3))
        with self.assertRaises(linchpin.Error) as caught:
            linchpin.read("/no/such/file")
        self.assertEqual((caught.exception.code, caught.exception.source), ("io", "/no/such/file"))

    def test_a_notebook_shows_the_timeline(self):
        page = linchpin.check(LOST_ORDER, type="queue")._repr_html_()
        self.assertTrue(page.startswith("<iframe"))
        self.assertIn("history-0", page)

    def test_limits(self):
        records = [(i, 0, 100, "write" if i % 2 else "read", (i % 3,) if i % 2 else (), linchpin.NONE if i % 2 else i % 5)
                   for i in range(60)]
        self.assertIn(linchpin.check(records, type="register", time_limit=0.2).kind, ("violation", "unknown"))


class Register(linchpin.Model):
    initial = 0

    def step(self, state, operation):
        if operation.method == "write":
            return operation.arguments[0]
        return state if operation.returns(state) else self.IMPOSSIBLE

    def pure(self, operation):
        return operation.method == "read"


class Coin(linchpin.Model):
    """Begins on either side; a throw leads to either."""

    initial = linchpin.Model.any_of(["heads", "tails"])

    def step(self, state, operation):
        if operation.method == "throw":
            return self.any_of(["heads", "tails"])
        return state if operation.returns(state) else self.IMPOSSIBLE


class Store(linchpin.Model):
    """Keys apart, states that have no hash of their own."""

    initial = None

    def step(self, state, operation):
        if operation.method == "put":
            return [operation.arguments[1]]
        return state if operation.returns(state and state[0]) else self.IMPOSSIBLE

    def key(self, operation):
        return operation.arguments[0]


class Models(unittest.TestCase):
    def test_a_register(self):
        records = [("a", 0, 3, "write", 1), ("b", 4, 5, "read", (), 1), ("c", 6, None, "write", 9), ("a", 7, 8, "read", (), 9)]
        self.assertTrue(linchpin.check(records, model=Register))
        verdict = linchpin.check([*records, ("a", 10, 11, "read", (), 1)], model=Register())
        self.assertEqual((verdict.kind, verdict.blocked), ("violation", 4))
        self.assertIn("write(9)", str(verdict))
        self.assertIn("Register", str(verdict))

    def test_several_states(self):
        look = [("a", 0, 1, "look", (), "tails"), ("a", 2, 3, "look", (), "tails")]
        self.assertTrue(linchpin.check(look, model=Coin))
        turned = [*look, ("a", 4, 5, "look", (), "heads")]
        self.assertFalse(linchpin.check(turned, model=Coin))
        self.assertTrue(linchpin.check([*turned, ("b", 4, 5, "throw", (), linchpin.UNKNOWN)], model=Coin))

    def test_promised_results(self):
        class Adder(linchpin.Model):
            initial = 0

            def step(self, state, operation):
                if not operation.returns(state):
                    return self.IMPOSSIBLE
                return state + operation.arguments[0] if operation.method == "add" else state

        # It never returned 7, since it would have added 1 to 0.
        seen = ("b", 10, 11, "get", (), 1)
        for returned in (None, linchpin.PENDING):
            self.assertFalse(linchpin.check([("a", 0, returned, "add", 1, 7), seen], model=Adder))
            for result in ((), (0,), (None,), (linchpin.NONE,), (linchpin.UNKNOWN,)):
                with self.subTest(returned=returned, result=result):
                    self.assertTrue(linchpin.check([("a", 0, returned, "add", 1, *result), seen], model=Adder))

    def test_keys(self):
        records = [("a", 2 * i, 2 * i + 1, "put", (i % 50, i)) for i in range(2000)]
        records += [("b", 5000 + i, 5001 + i, "get", (i,), 1950 + i) for i in range(0, 50, 2)]
        self.assertTrue(linchpin.check(records, model=Store))
        self.assertFalse(linchpin.check([*records, ("c", 9000, 9001, "get", (7,), 7)], model=Store))

    def test_keys_are_told_apart_by_equality(self):
        keys = [-1, -2, 0, 2**61 - 1, "x", ("x", 1)]  # some of them have one hash
        records = [("a", 2 * i, 2 * i + 1, "put", (key, i)) for i, key in enumerate(keys)]
        records += [("b", 100 + i, 101 + i, "get", (key,), i) for i, key in enumerate(keys)]
        self.assertTrue(linchpin.check(records, model=Store))

    def test_states_that_are_changed_are_an_error(self):
        class Log(linchpin.Model):
            initial = [0]

            def equal(self, left, right):
                return left == right

            def step(self, state, operation):
                state.append(operation.arguments[0])
                return state

        with self.assertRaises(linchpin.Error) as caught:
            linchpin.check([("a", 0, 1, "add", 1), ("a", 2, 3, "add", 2)], model=Log)
        self.assertEqual(caught.exception.code, "model")

    def test_what_a_model_raises_comes_out(self):
        class Broken(Register):
            def step(self, state, operation):
                raise ZeroDivisionError("no luck")

        class Odd(Register):
            def equal(self, left, right):
                raise LookupError("not comparable")

        records = [("a", 0, 1, "write", 1), ("a", 2, 3, "write", 2), ("a", 4, 5, "read", (), 2)]
        with self.assertRaises(ZeroDivisionError):
            linchpin.check(records, model=Broken)
        with self.assertRaises(LookupError):
            linchpin.check(records, model=Odd)

    def test_texts_of_a_model_are_texts(self):
        class Undescribed(Register):
            def describe(self, state):
                return "\ud800"

        class Numbered(Register):
            def describe(self, state):
                return state

        read = ("a", 0, 1, "read", (), 5)
        named = [type("Register", (Register,), {"name": name}) for name in ("\ud800", "a\0b", 5)]
        for model in (Undescribed, Numbered, *named):
            with self.subTest(model=model, name=model.name), self.assertRaises(linchpin.Error):
                str(linchpin.check([read], model=model))
        for method in ("\ud800", "a\0b"):
            with self.subTest(method=method), self.assertRaises(linchpin.Error):
                linchpin.check([("a", 0, 1, method)], model=Register)

        class Loud(Register):
            def step(self, state, operation):
                raise LookupError("\ud800")

        self.assertRaises(LookupError, linchpin.check, [read], model=Loud)

    def test_a_model_that_contradicts_itself_is_an_error(self):
        class Moody(Register):
            moods = 0

            def step(self, state, operation):
                self.moods += 1
                return self.moods

        class Scattered(Register):
            hashes = 0

            def hash(self, state):
                self.hashes += 1
                return self.hashes

        class Unequal(linchpin.Model):
            initial = [0]
            hash = staticmethod(id)

            def equal(self, left, right):
                return left == right

            def step(self, state, operation):
                return list(operation.arguments or state)

        cases = ((Moody, "two answers"), (Scattered, "the hash of a state changes"), (Unequal, "different hashes"))
        for model, message in cases:
            with self.subTest(model=model), self.assertRaises(linchpin.Error) as caught:
                linchpin.check([("a", 0, 1, "write", 1), ("a", 2, 3, "write", 1), ("a", 4, 5, "read", (), 1)], model=model)
            self.assertEqual(caught.exception.code, "model")
            self.assertIn(message, str(caught.exception))

    def test_a_state_that_is_changed_in_place_is_an_error(self):
        class Sum:  # without == and a hash of its own
            def __init__(self):
                self.value = 0

        class Sums(linchpin.Model):
            def initial(self):
                return Sum()

            def step(self, state, operation):
                if operation.method == "get":
                    return state if operation.returns(state.value) else self.IMPOSSIBLE
                state.value += 1
                return state

        class EqualSums(Sums):
            def equal(self, left, right):
                return left.value == right.value

        class Shared(Sums):  # inside of what cannot be changed itself
            def initial(self):
                return (Sum(),)

            def step(self, state, operation):
                return state if super().step(state[0], operation) is not self.IMPOSSIBLE else self.IMPOSSIBLE

        class HashedSums(EqualSums):
            def hash(self, state):
                return 1

        for model in (Sums, EqualSums, HashedSums, Shared):
            with self.subTest(model=model), self.assertRaises(linchpin.Error) as caught:
                linchpin.check([("a", 0, 1, "add", ()), ("a", 2, 3, "get", (), 1)], model=model())
            self.assertEqual(caught.exception.code, "model")
            self.assertIn("changed the state", str(caught.exception))

        class Remembers(Sums):  # what it keeps for itself, and equal does not look at
            def hash(self, state):
                return state.value

            def equal(self, left, right):
                return left.value == right.value

            def step(self, state, operation):
                state.asked = operation.method
                if operation.method == "get":
                    return state if operation.returns(state.value) else self.IMPOSSIBLE
                after = Sum()
                after.value = state.value + 1
                return after

        self.assertTrue(linchpin.check([("a", 0, 1, "add", ()), ("a", 2, 3, "get", (), 1)], model=Remembers()))

    def test_a_step_may_check(self):
        class Asking(Register):
            def step(self, state, operation):
                records = [("a", 0, 1, "enqueue", 1), ("a", 2, 3, "dequeue", (), 1)]
                if not linchpin.check(records, type="queue"):
                    raise AssertionError(records)
                return super().step(state, operation)

        records = [("a", 0, 1, "write", 1), ("a", 2, 3, "write", 2), ("a", 4, 5, "read", (), 2)]
        self.assertTrue(linchpin.check(records, model=Asking))
        self.assertFalse(linchpin.check([*records, ("a", 6, 7, "read", (), 1)], model=Asking))

    def test_states_are_given_back(self):
        from linchpin.model import Running

        running = Running(Register(), [("a", 2 * i, 2 * i + 1, "write", i) for i in range(300)])
        library = linchpin.library.library
        library.verdict_free(running.check(linchpin.library.Options()))
        gc.collect()
        self.assertEqual(running._states, {})

    def test_the_builtin_type_and_the_model_agree(self):
        import random

        dice = random.Random(7)
        seen = {"linearizable": 0, "violation": 0}
        for _ in range(200):
            records = []
            for process in range(3):
                time = dice.randrange(3)
                for _ in range(3):
                    end = time + 1 + dice.randrange(6)
                    value = dice.randrange(3)
                    write = dice.random() < 0.5
                    records.append((process, time, None if dice.random() < 0.1 else end, "write" if write else "read",
                                    (value,) if write else (), linchpin.NONE if write else value))
                    if records[-1][2] is None:
                        break
                    time = end + 1 + dice.randrange(3)
            model = linchpin.check(records, model=Register).kind
            self.assertEqual(model, linchpin.check(records, type="register initial=0").kind, records)
            seen[model] += 1
        self.assertTrue(all(seen.values()), seen)


class Documentation(unittest.TestCase):
    def test_the_examples_run(self):
        page = pathlib.Path(__file__).parents[3] / "docs" / "bindings" / "python.md"
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        self.assertGreaterEqual(len(blocks), 4)
        if importlib.util.find_spec("numpy") is None:
            blocks = [block for block in blocks if "import numpy" not in block]
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec("\n".join(blocks), names)  # each goes on where the one before ended
            from linchpin import check

            with self.assertRaises(AssertionError):
                names["test_queue"](lambda history, type: self.assertTrue(check(history, type)))


class WhatOperationsCarry(unittest.TestCase):
    def test_of_a_type(self):
        records = [
            {"process": 0, "call": 0, "return": 1, "method": "enqueue", "arguments": (1,), "fields": {"server": "n1"}},
            (1, 2, 3, "dequeue", (), None, None, {"error": "timed out", "revision": 7}),
        ]
        history = linchpin.history.history_of(records, "queue")
        history.annotate(1, "partition", end=3, process=4, colour="red")
        history.annotate(2, "started")
        self.assertEqual([history.fields(0), history.fields(1)], ["server n1", 'error "timed out", revision 7'])
        with self.assertRaises(IndexError):
            history.fields(2)
        named = {"operation": 1, "self": 2, "name": 3}
        self.assertEqual(linchpin.history.history_of([(*LOST_ORDER[0], None, named)], "queue").fields(0), "operation 1, self 2, name 3")
        text = history.to_text()
        self.assertIn('# annotation 1 3 "partition" process=4 colour=red\n# annotation 2 - "started"\n', text)
        self.assertEqual(linchpin.parse(text).fields(1), history.fields(1))
        verdict = linchpin.check(history)
        self.assertEqual(verdict.kind, "violation")
        self.assertIn("server n1", str(verdict))

    def test_of_a_model(self):
        written = (0, 0, 1, "write", (1,), linchpin.NONE, None, {"trace": "7a"})
        verdict = linchpin.check([written, (0, 2, 3, "read", (), 5)], model=Register())
        self.assertEqual(verdict.kind, "violation")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            verdict.report(path, limit=1)
            self.assertGreater(os.path.getsize(path), 100000)


if __name__ == "__main__":
    unittest.main()

"""Histories from arrays."""

import array
import random
import unittest

import linchpin
from linchpin.columns import _Given

try:
    import numpy
except ImportError:
    numpy = None

QUEUE = {"enqueue": (1, None), "dequeue": (0, int)}


def lost_order(make):
    """Two values enqueued one after the other, and the second dequeued first; a dequeue that never returns."""
    return linchpin.from_arrays("queue", methods=QUEUE, method=make([0, 0, 1, 1]), call=make([10, 30, 50, 70]),
                                response=make([20, 40, 60, linchpin.PENDING]), process=make([0, 1, 0, 2]),
                                arguments=[make([1, 2, 0, 0])], result=make([0, 0, 2, 0]))


class Columns(unittest.TestCase):
    def test_lists_and_arrays_are_taken(self):
        for make in (list, tuple, lambda numbers: array.array("q", numbers), lambda numbers: array.array("l", numbers)):
            verdict = linchpin.check(lost_order(make))
            self.assertEqual((verdict.kind, verdict.core), ("violation", [0, 1, 2]))

    def test_it_is_the_history_of_single_calls(self):
        dice = random.Random(5)
        rows, method, values, results, nil, unknown = [], [], [], [], [], []
        for i in range(500):
            value, process = dice.randrange(-9, 9), dice.randrange(-1, 3)
            kind = dice.choice(("write", "read", "nil", "lost"))
            rows.append((None if process < 0 else process, 3 * i, 3 * i + 2, "write" if kind == "write" else "read",
                         (value,) if kind == "write" else (),
                         {"write": linchpin.NONE, "read": value, "nil": None, "lost": linchpin.UNKNOWN}[kind]))
            method.append(0 if kind == "write" else 1)
            values.append(value)
            results.append(value)
            nil.append(kind == "nil")
            unknown.append(kind == "lost")
        history = linchpin.History("register")
        for process, call, response, name, arguments, result in rows:
            history.returns(history.call(process, name, *arguments, time=call), result, time=response)
        columns = linchpin.from_arrays(
            "register", methods={"write": (1, None), "read": (0, int)}, method=method, call=[row[1] for row in rows],
            response=[row[2] for row in rows], process=[-1 if row[0] is None else row[0] for row in rows],
            arguments=[values], result=results, nil=nil, unknown=unknown)
        self.assertEqual(columns.to_text(), history.to_text())

    def test_booleans_and_objects(self):
        history = linchpin.from_arrays(
            "set", methods={"add": (1, bool), "contains": (1, bool)}, method=[0, 1, 1], call=[0, 10, 20],
            response=[1, 11, 21], arguments=[[7, 7, 7]], result=[1, 1, 0], object=[0, 0, 1], objects=["left", "right"])
        self.assertIn("object=left add 7 -> true", history.to_text())
        self.assertTrue(linchpin.check(history))

    def test_what_is_wrong_is_told(self):
        good = {"methods": QUEUE, "method": [0, 1], "call": [0, 2], "response": [1, 3], "arguments": [[5, 0]], "result": [0, 5]}
        self.assertTrue(linchpin.check(linchpin.from_arrays("queue", **good)))
        for change, words in [({"method": [0, 2]}, "operation 1 has the method 2"),
                              ({"methods": {}, "nil": [0, 0]}, "operation 0 has the method 0, and there are 0"),
                              ({"nil": [0, 0], "method": [7, 0]}, "operation 0 has the method 7"), ({"result": None}, "no column of results"),
                              ({"response": [1]}, "response has 1 entries"), ({"call": [0, "x"]}, "call is no sequence"),
                              ({"call": [0, 1 << 63]}, "call is no sequence"), ({"call": 5}, "call is no sequence"),
                              ({"nil": [0, float("nan")]}, "nil is no sequence"), ({"unknown": ["no", "no"]}, "unknown is no sequence"),
                              ({"nil": [1]}, "nil has 1 entries"), ({"nil": [0, 0, 0]}, "nil has 3 entries"),
                              ({"method": [0.0, 1.0], "nil": [0, 0]}, "method is no sequence"),
                              ({"method": [0], "nil": [0, 0]}, "method has 1 entries"), ({"result": b"\0" * 16}, "result has 16 entries"),
                              ({"arguments": []}, "enqueue takes 1 arguments"),
                              ({"methods": {"enqueue": (1, None), "dequeue": (0, str)}}, "dequeue returns None, int or bool"),
                              ({"methods": {"enqueue": (1, None), "dequeue": (0, [])}}, "dequeue returns None, int or bool"),
                              ({"methods": {"enqueue": ((1 << 64) + 1, None), "dequeue": (0, int)}}, "does not fit in 64 bits"),
                              ({"methods": {"enqueue": (-1, None), "dequeue": (0, int)}}, "arguments of enqueue is -1"),
                              ({"methods": {"enqueue": (1.0, None), "dequeue": (0, int)}}, "arguments of enqueue is an integer"),
                              ({"methods": {"enqueue": 1, "dequeue": (0, int)}}, "enqueue is described by 1"),
                              ({"process": [0, 1 << 31]}, "process 2147483648")]:
            with self.subTest(change=change), self.assertRaises(linchpin.Error) as caught:
                linchpin.from_arrays("queue", **{**good, **change})
            self.assertIn(words, str(caught.exception))

    def test_bytes_are_their_integers(self):
        for make in (bytes, bytearray, iter):
            verdict = linchpin.check(linchpin.from_arrays("queue", methods=QUEUE, method=make([0, 0, 1]), call=make([10, 30, 50]),
                                                          response=[20, 40, 60], arguments=[make([1, 2, 0])], result=make([0, 0, 2])))
            self.assertEqual(verdict.core, [0, 1, 2])

    def test_several_tables_and_calls_make_one_history(self):
        history = lost_order(list)
        operation = history.call("b", "dequeue", time=100)
        history.returns(operation, 1, time=110)
        self.assertEqual((operation, len(history)), (4, 5))


@unittest.skipIf(numpy is None, "NumPy is missing (Debian: python3-numpy)")
class NumPy(unittest.TestCase):
    def test_arrays_of_64_bits_are_read_in_place(self):
        rows = numpy.zeros(10, dtype=[("tick", "i8"), ("small", "i2"), ("value", "i8")])
        rows["value"] = range(10)
        for values, stride in [(numpy.arange(10), 8), (numpy.arange(20)[::2], 16), (numpy.arange(10)[::-1], -8),
                               (rows["value"], rows.dtype.itemsize), (numpy.broadcast_to(numpy.int64(3), 10), 0)]:
            column = _Given(10).column("values", values)
            self.assertEqual((column.data or 0, column.stride), (values.__array_interface__["data"][0], stride))

    def test_others_are_copied(self):
        for dtype in ("i4", "u1", "u4", "u8", ">u8", "bool", ">i8"):
            verdict = linchpin.check(linchpin.from_arrays(
                "queue", methods=QUEUE, method=numpy.array([0, 1], dtype), call=[0, 2], response=[1, 3],
                arguments=[numpy.array([1, 0], dtype)], result=numpy.array([0, 1], dtype)))
            self.assertTrue(verdict, dtype)
        for wrong, message in ((numpy.array([0.0, 1.0]), "call has float64"), (numpy.array([[0], [1]]), "call has 2 dimensions"),
                               (numpy.array([0, 1], object), "call has object"), (numpy.array([0, 1], "M8[ns]"), "call has datetime64"),
                               (numpy.array([0, 1 << 63], "u8"), "call[1], 9223372036854775808, does not fit")):
            with self.assertRaises(linchpin.Error) as caught:
                linchpin.from_arrays("queue", methods=QUEUE, method=[0, 1], call=wrong, response=[1, 3], arguments=[[1, 0]],
                                     result=[0, 1])
            self.assertIn(message, str(caught.exception))

    def test_what_is_masked_is_missing(self):
        def masked(values, *places, dtype="i8"):
            return numpy.ma.array(values, dtype=dtype, mask=[place in places for place in range(len(values))])

        def text(**columns):
            good = {"method": [0, 1, 1], "call": [0, 2, 5], "response": [1, 3, 6], "arguments": [[1, 0, 0]], "result": [0, 1, 2]}
            return linchpin.from_arrays("queue", methods=QUEUE, **{**good, **columns}).to_text().splitlines()[2:]

        for dtype in ("i8", "i1", "u8"):
            self.assertEqual(text(response=masked([1, 3, 6], 1, dtype=dtype)), text(response=[1, linchpin.PENDING, 6]))
            self.assertEqual(text(result=masked([0, 99, 2], 0, 1, dtype=dtype)), text(unknown=[0, 1, 0]))
            self.assertEqual(text(process=masked([1, 1, 1], 2, dtype=dtype)), text(process=[1, 1, -1]))
        self.assertEqual(text(result=masked([0, 99, 2], 1), nil=[0, 1, 0]), text(nil=[0, 1, 0]))
        self.assertEqual(text(result=masked([0, 1, 2]), call=masked([0, 2, 5])), text())
        for columns in ({"call": masked([0, 2, 5], 1)}, {"method": masked([0, 1, 1], 1)}, {"arguments": [masked([1, 0, 0], 1)]},
                        {"nil": masked([0, 0, 0], 1)}, {"unknown": masked([0, 0, 0], 1)}):
            with self.subTest(columns=columns), self.assertRaises(linchpin.Error) as caught:
                text(**columns)
            self.assertIn("[1] is masked", str(caught.exception))
        with self.assertRaises(linchpin.Error) as caught:
            text(result=masked([0], 0))
        self.assertIn("result has 1 entries", str(caught.exception))

    def test_a_mask_is_of_integers(self):
        for mask in (numpy.array([0, numpy.nan]), numpy.array(["", "x"]), numpy.array([None, True])):
            with self.subTest(mask=mask), self.assertRaises(linchpin.Error) as caught:
                linchpin.from_arrays("queue", methods=QUEUE, method=[0, 1], call=[0, 2], response=[1, 3], arguments=[[1, 0]],
                                     result=[0, 1], nil=mask)
            self.assertIn("nil has", str(caught.exception))

    def test_strides_are_followed(self):
        rows = numpy.zeros(4, dtype=[("name", "i1"), ("call", "i8"), ("response", "i8"), ("method", "i8"), ("value", "i8")])
        rows["call"], rows["response"] = [10, 30, 50, 70], [20, 40, 60, linchpin.PENDING]
        rows["method"], rows["value"] = [0, 0, 1, 1], [1, 2, 2, 0]
        history = linchpin.from_arrays("queue", methods=QUEUE, arguments=[rows["value"]], result=rows["value"],
                                       **{name: rows[name] for name in ("call", "response", "method")})
        del rows
        verdict = linchpin.check(history)
        self.assertEqual((verdict.kind, verdict.core), ("violation", [0, 1, 2]))

    def test_a_million_operations(self):
        count = 1_000_000
        number = numpy.arange(count)
        value = number // 2
        history = linchpin.from_arrays("queue", methods=QUEUE, method=number % 2, call=10 * number, response=10 * number + 15,
                                       process=number % 4, arguments=[value], result=value)
        self.assertEqual(len(history), count)
        self.assertTrue(linchpin.check(history, witness=False))


if __name__ == "__main__":
    unittest.main()

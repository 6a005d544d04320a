"""Histories: operations with the times of their calls and returns."""

import ctypes
from collections import UserString
from collections.abc import Mapping, Sequence

from linchpin.library import (NO_PROCESS, NONE as _NO_INDEX, Error, Value, as_count, as_integer, as_name, as_path, as_text,
                              checked, library)


class _Marker:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return self._name


UNKNOWN = _Marker("linchpin.UNKNOWN")  # a result that was lost
NONE = _Marker("linchpin.NONE")  # the method returns nothing; None is nil, "nothing there"
PENDING = (1 << 63) - 1  # the response of an operation that never returned
_MOST_NESTING = 64  # as deep as the library takes lists


class History:
    """Operations, added in any order.

        history = linchpin.History("queue")
        operation = history.call("a", "enqueue", 1, time=0)
        history.returns(operation, time=3)
    """

    def __init__(self, type=None):
        self._processes, self._process_names = {}, set()
        self._builder = library.builder_new(None if type is None else as_name(type))
        self._finished = None
        self._kept = []  # what a model's operations point to

    def __del__(self):
        if getattr(self, "_builder", None):
            library.builder_free(self._builder)
        if getattr(self, "_finished", None):
            library.history_free(self._finished)

    def call(self, process, method, *arguments, time, object=None):
        """An operation is called; its number. `process`: anything hashable: what is equal is one, and what is not is another;
        None: nobody knows. `object`: a name; once a history has several objects, every call has one. It is pending (it may
        have taken effect at any time from then on, or never) until `returns`."""
        values = (Value * len(arguments))(*(self._value(argument) for argument in arguments))
        name = None if object is None else as_name(object)
        return library.call(self._open(), self._process(process)[0], name, as_name(method), values, len(arguments), as_integer(time))

    def returns(self, operation, result=NONE, *, time):
        """It returns. Once. Without a result, or with None (nil), True, False, an integer, text, a list, or UNKNOWN.
        At PENDING it never did, and a result is a promised one: if it took effect, it would have returned that."""
        operation, time = as_integer(operation, "an operation"), as_integer(time)
        if result is NONE and time == PENDING:
            result = UNKNOWN  # nothing is promised, not even to return nothing
        library.__dict__["return"](self._open(), operation, self._value(result), time)

    def carries(self, operation, /, **fields):
        """What it carries beside its arguments and result, for people: `history.carries(operation, server="n1")`. Values
        as those of arguments; None: nothing."""
        self._carry(operation, fields)

    def _carry(self, operation, fields):
        operation = as_integer(operation, "an operation")
        for name, value in fields.items():
            library.field(self._open(), operation, as_name(name), self._value(value))

    def annotate(self, begin, text, end=None, process=None, colour=None):
        """Something beside the operations, which reports draw: a fault, or a call that did not happen. `colour`: one of CSS."""
        begin = as_integer(begin)
        end = as_integer(begin - 1 if end is None else end)
        colour = None if colour is None else as_name(str(colour))
        library.annotate(self._open(), begin, end, as_name(text), self._process(process)[1], colour)

    def fields(self, operation):
        """What an operation carries, as text: "server n1, error timeout"."""
        operation = as_integer(operation, "an operation")
        if not 0 <= operation < len(self):
            raise IndexError(operation)
        pointer = library.operation_fields(self.handle(), operation)
        text = ctypes.string_at(pointer).decode(errors="surrogateescape")
        library.free(pointer)
        return text

    def append(self, columns):
        """Operations by columns; the number of the first."""
        first = library.append(self._open(), *columns.given())
        if first == _NO_INDEX:
            self.handle()  # raises what is wrong with them
        return first

    def __len__(self):
        return library.history_size(self.handle())

    def to_text(self, format="text"):
        """The history in a format that Linchpin reads."""
        size = ctypes.c_size_t()
        pointer = checked(library.history_write, self.handle(), as_name(format), ctypes.byref(size))
        content = ctypes.string_at(pointer, size.value)
        library.free(pointer)
        return content.decode(errors="surrogateescape")

    def handle(self):
        """For this package: the finished history. Nothing can be added from then on."""
        if self._finished is None:
            builder, self._builder = self._open(), None
            self._finished = checked(library.builder_finish, builder)
        return self._finished

    def _open(self):
        if self._builder is None:
            raise Error("unsupported", "the history has been checked, so nothing can be added")
        return self._builder

    def _process(self, process):
        """Its number and its name, which is its text. Those that are not equal may have one text: all but the first have a
        number behind it."""
        if process is None:
            return NO_PROCESS, None
        try:
            known = self._processes.get(process)
        except TypeError:
            raise Error("bad_arguments", f"the process {process!r} is not hashable", "name it by a number, a text or a tuple") from None
        if known is None:
            name, count = str(process), 1
            while name in self._process_names:
                count += 1
                name = f"{process} ({count})"
            encoded = as_name(name)
            known = self._processes[process] = library.process(self._open(), encoded), encoded
            self._process_names.add(name)
        return known

    def _value(self, value, depth=0):
        if value is None:
            return library.nil()
        if value is UNKNOWN:
            return library.unknown()
        if value is NONE:
            return library.none()
        value = _plain(value)
        if isinstance(value, bool):
            return library.boolean(value)
        if isinstance(value, int):
            return library.integer(self._open(), as_integer(value, "a value"))
        if isinstance(value, str):
            value = as_text(value)
        if isinstance(value, bytes):
            return library.string(self._open(), value, len(value))
        if isinstance(value, Sequence) and not isinstance(value, memoryview):
            if depth == _MOST_NESTING:
                raise Error("too_large", "lists are nested too deeply", f"values nest up to {_MOST_NESTING} deep")
            values = (Value * len(value))(*(self._value(element, depth + 1) for element in value))
            return library.list(self._open(), values, len(values))
        raise Error("bad_arguments", f"{value!r} is no value of an operation",
                    "integers, text, booleans, None, and lists of these; an array has `tolist()`")


def _plain(value):
    """What stands for a value of Python's own, as that value; others as they are. NumPy's scalars, and its arrays of no
    dimension, are known by what they have: NumPy need not be there."""
    if isinstance(value, (int, str, bytes, list, tuple)):
        return value
    if isinstance(value, UserString):
        return str(value)
    if isinstance(value, bytearray) or (isinstance(value, memoryview) and value.format in ("B", "b", "c") and value.ndim == 1):
        return bytes(value)
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():
        value = value[()]  # of an array what is in it, of a scalar itself
        if "bool" in str(getattr(value, "dtype", "")):
            return bool(value)  # its __index__ gives 1 and 0
    try:
        return value.__index__()
    except (AttributeError, TypeError):
        return value


def read(path, format=None, type=None, memory_limit=0):
    """The history in a file of any format that `linchpin formats` lists."""
    return _finished(library.history_read_within, as_path(path), format=format, type=type, memory_limit=memory_limit)


def parse(content, format=None, type=None, memory_limit=0):
    """The same of text or bytes that are what is in such a file."""
    if not isinstance(content, bytes):
        content = as_text(content)
    return _finished(library.history_parse, content, len(content), format=format, type=type, memory_limit=memory_limit)


def _finished(make, *arguments, format, type, memory_limit):
    history = History.__new__(History)
    history._builder = history._finished = None
    history._processes, history._process_names, history._kept = {}, set(), []
    encoded = [None if text is None else as_name(text) for text in (format, type)]
    history._finished = checked(make, *arguments, *encoded, as_count(memory_limit, "memory_limit"))
    return history


_NAMES = {"process", "call", "return", "returned", "method", "arguments", "result", "object", "fields"}


def rows_of(records):
    """(process, call, return, method, arguments, result, object, fields) of each record: a mapping with these names, or a
    sequence in this order, from the fourth on optional. `return`: None or PENDING: it never did, and is given as PENDING.
    A result other than None beside it is a promised one: if it took effect, it would have returned that; without, it is
    UNKNOWN. `fields`: a mapping of what it carries besides."""
    try:
        numbered = enumerate(records)
    except TypeError:
        raise Error("bad_arguments", f"{records!r} is no history", "pass a sequence of operations, or a linchpin.History") from None
    for number, record in numbered:
        try:
            if isinstance(record, Mapping):
                unknown = set(record) - _NAMES
                if unknown:
                    raise Error("bad_arguments", f"operation {number}: there is no {min(map(repr, unknown))} of an operation",
                                "names: " + ", ".join(sorted(_NAMES)))
                returned = record.get("return", record.get("returned"))
                row = (record.get("process"), record["call"], returned, record["method"], record.get("arguments", ()),
                       record.get("result", NONE), record.get("object"), record.get("fields"))
            else:
                process, call, returned, method, *rest = record
                row = (process, call, returned, method, *rest, *((), NONE, None, None)[len(rest):])
                if len(row) > 8:
                    raise ValueError("it has more than eight parts")
            if not isinstance(row[7], (Mapping, type(None))):
                raise TypeError("its fields are no mapping of names to values")
        except (KeyError, ValueError, TypeError) as error:
            raise Error("bad_arguments", f"operation {number}: {record!r} is not one: {error!r}",
                        "(process, call, return, method, arguments, result), or a mapping with these names") from None
        process, call, returned, method, arguments, result, name, fields = row
        returned = PENDING if returned is None else as_integer(returned)
        if returned == PENDING and (result is None or result is NONE):
            result = UNKNOWN
        yield process, call, returned, method, arguments, result, name, fields


def history_of(records, type=None):
    """A History of records; a History as it is."""
    if isinstance(records, History):
        return records
    history = History(type)
    for process, call, returned, method, arguments, result, name, fields in rows_of(records):
        if not isinstance(arguments, (tuple, list)):
            arguments = (arguments,)
        operation = history.call(process, method, *arguments, time=call, object=name)
        if (returned != PENDING or result is not UNKNOWN) and operation != _NO_INDEX:
            history.returns(operation, result, time=returned)
        if fields and operation != _NO_INDEX:
            history._carry(operation, fields)
    return history

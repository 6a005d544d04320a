"""Histories from arrays of numbers, NumPy's above all, without a call for each operation and without copying.

    history = linchpin.from_arrays("queue", methods={"enqueue": (1, None), "dequeue": (0, int)}, method=codes,
                                   call=calls, response=responses, arguments=[values], result=values)
"""

import array
import ctypes

from linchpin.history import PENDING, History
from linchpin.library import Column, Columns, Error, Method, as_count, as_name

_RESULTS = {None: 0, int: 1, bool: 2}  # linchpin_result
_NIL, _UNKNOWN = 3, 4
_DESCRIBED = "methods={name: (how many arguments it takes, what it returns: None, int or bool)}"


class _Given:
    """The arrays as C sees them, which live as long as this does."""

    def __init__(self, count):
        self.count = count
        self._kept = []

    def column(self, name, values):
        if values is None:
            return Column()
        values = _in_place(name, values)
        described = values.__array_interface__ if hasattr(values, "__array_interface__") else None
        if described is None:
            address, length = values.buffer_info()
            stride = 8
        else:
            address, (length,) = described["data"][0], described["shape"]
            stride = (described["strides"] or (8,))[0]
        if length != self.count:
            raise Error("bad_arguments", f"{name} has {length} entries, and call has {self.count}")
        self._kept.append(values)
        return Column(address, stride)


def _in_place(name, values):
    """As they are, if they are integers of 64 bits in an array of one dimension; else a copy that is."""
    described = getattr(values, "__array_interface__", None)
    if described is None and hasattr(values, "__array__"):
        values = values.__array__()  # a column of a table
        described = values.__array_interface__
    if described is None:
        if isinstance(values, array.array) and values.typecode == "q":
            return values
        try:
            return array.array("q", values)
        except (TypeError, OverflowError) as error:
            raise Error("bad_number", f"{name} is no sequence of integers of 64 bits: {error}") from None
    if len(described["shape"]) != 1:
        raise Error("bad_arguments", f"{name} has {len(described['shape'])} dimensions, and not one")
    import numpy

    if values.dtype == numpy.int64 and values.dtype.isnative:
        return values
    if not numpy.can_cast(values.dtype, numpy.int64, "safe"):
        raise Error("bad_number", f"{name} has {values.dtype}, which is no integer of 64 bits")
    return values.astype(numpy.int64)


def _kinds(count, methods, method, nil, unknown):
    """What each result is, where two arrays say of which operations it is nil, or was lost."""
    if len(methods) == 0:
        return None  # the library says what is wrong
    try:
        import numpy
    except ImportError:
        numpy = None
    if numpy is None:
        kinds = array.array("q", (methods[code].result if 0 <= code < len(methods) else 0 for code in method))
        for mask, kind in ((nil, _NIL), (unknown, _UNKNOWN)):
            for number, marked in enumerate(mask if mask is not None else ()):
                if marked:
                    kinds[number] = kind
        return kinds
    table = numpy.array([each.result for each in methods], dtype=numpy.int64)
    kinds = table.take(numpy.asarray(method), mode="clip")  # the library says which codes are none
    for name, mask, kind in (("nil", nil, _NIL), ("unknown", unknown, _UNKNOWN)):
        if mask is None:
            continue
        mask = numpy.asarray(mask, dtype=bool)
        if mask.shape != (count,):
            raise Error("bad_arguments", f"{name} has the shape {mask.shape}, and call has {count} entries")
        kinds[mask] = kind
    return kinds


class _Table:
    def __init__(self, *, call, response, method, methods, process, arguments, result, nil, unknown, object, objects):
        given = self._given = _Given(len(call))
        self._methods = (Method * len(methods))()
        for place, (name, described) in zip(self._methods, methods.items()):
            try:
                count, returns = described
            except (TypeError, ValueError):
                raise Error("bad_arguments", f"{name} is described by {described!r}", _DESCRIBED) from None
            if not any(returns is each for each in _RESULTS):
                raise Error("bad_arguments", f"{name} returns None, int or bool, and not {returns!r}", _DESCRIBED)
            place.name, place.result = as_name(name), _RESULTS[returns]
            place.arguments = as_count(count, f"the number of arguments of {name}")
        kind = None
        if nil is not None or unknown is not None:
            kind = _kinds(given.count, self._methods, method, nil, unknown)
        self._arguments = (Column * len(arguments))(
            *(given.column(f"arguments[{i}]", each) for i, each in enumerate(arguments)))
        self._objects = (ctypes.c_char_p * len(objects))(*(as_name(name) for name in objects))
        columns = {"call": call, "response": response, "method": method, "process": process, "object": object,
                   "result": result, "kind": kind}
        self._columns = Columns(
            size=ctypes.sizeof(Columns), arguments=self._arguments, argument_count=len(arguments), methods=self._methods,
            method_count=len(methods), objects=self._objects, object_count=len(objects),
            **{name: given.column(name, values) for name, values in columns.items()})

    def given(self):
        return ctypes.byref(self._columns), self._given.count


def from_arrays(type=None, *, call, response, method, methods, process=None, arguments=(), result=None, nil=None,
                unknown=None, object=None, objects=()):
    """A History of operations by columns: arrays of integers, one entry an operation. Those of 64 bits (NumPy's int64, also
    a column of a structured array, or array.array("q")) are read in place; others are copied first.

    methods: {name: (how many arguments it takes, what it returns: None, int or bool)}; `method` has the places of the
    names in it, from 0. arguments: a column for each argument. response: PENDING where it never returned; its
    result is not looked at then. process: negative: nobody knows; absent: of none. result: for methods that return int
    or bool. nil, unknown: booleans: the result is None ("nothing there"), or was lost. object: places in `objects`,
    names, where there are several."""
    history = History(type)
    history.append(_Table(call=call, response=response, method=method, methods=methods, process=process,
                          arguments=arguments, result=result, nil=nil, unknown=unknown, object=object, objects=objects))
    return history

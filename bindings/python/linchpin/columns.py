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
_MISSING = {"response": PENDING, "process": -1, "result": 0}  # what stands where a mask hides a number
_DESCRIBED = "methods={name: (how many arguments it takes, what it returns: None, int or bool)}"


class _Given:
    """The arrays as C sees them, which live as long as this does."""

    def __init__(self, count):
        self.count = count
        self._kept = []

    def integers(self, name, values):
        """One for each operation."""
        values = _in_place(name, values)
        if len(values) != self.count:
            raise Error("bad_arguments", f"{name} has {len(values)} entries, and call has {self.count}")
        return values

    def column(self, name, values):
        if values is None:
            return Column()
        values = self.integers(name, values)
        self._kept.append(values)
        if isinstance(values, array.array):
            return Column(values.buffer_info()[0], 8)
        described = values.__array_interface__
        return Column(described["data"][0], (described["strides"] or (8,))[0])


def _in_place(name, values):
    """As they are, if they are integers of 64 bits in an array of one dimension; else a copy that is."""
    if not hasattr(values, "__array_interface__") and hasattr(values, "__array__"):
        values = values.__array__()  # a column of a table
    described = getattr(values, "__array_interface__", None)
    if described is None:
        if isinstance(values, array.array) and values.typecode == "q":
            return values
        try:
            return array.array("q", list(values))  # of bytes themselves it would take the memory
        except (TypeError, OverflowError) as error:
            raise Error("bad_number", f"{name} is no sequence of integers of 64 bits: {error}") from None
    if len(described["shape"]) != 1:
        raise Error("bad_arguments", f"{name} has {len(described['shape'])} dimensions, and not one")
    import numpy

    mask = _mask_of(values)
    if mask is not None:
        return _filled(name, values, mask)
    values = numpy.ma.getdata(values)
    if values.dtype == numpy.int64 and values.dtype.isnative:
        return values
    if values.dtype.kind == "u":
        too_large = values > numpy.uint64((1 << 63) - 1)
        if too_large.any():
            place = too_large.argmax()
            raise Error("bad_number", f"{name}[{place}], {values[place]}, does not fit in 64 bits with a sign")
    elif not numpy.can_cast(values.dtype, numpy.int64, "safe"):
        raise Error("bad_number", f"{name} has {values.dtype}, and not integers")
    return values.astype(numpy.int64)


def _mask_of(values):
    """Where NumPy's mask says that there is nothing. None: nowhere."""
    if not hasattr(values, "__array_interface__"):
        return None
    import numpy

    mask = numpy.ma.getmask(values)
    return mask if mask.any() else None


def _filled(name, values, mask):
    if name not in _MISSING:
        raise Error("bad_arguments", f"{name}[{mask.argmax()}] is masked",
                    "what is missing may be a response, a result or a process: `filled` gives others a value")
    filled = _in_place(name, values.filled(0))  # which is of every type; a copy
    filled[mask] = _MISSING[name]
    return filled


def _kinds(given, methods, method, result, nil, unknown):
    """What each result is, where masks say of which operations it is nil, or was lost. None: as the methods say."""
    lost = _mask_of(result)
    if len(methods) == 0 or (lost is None and nil is None and unknown is None):
        return None  # without methods the library says what is wrong
    method = given.integers("method", method)
    marks = [(given.integers(name, mask), kind) for name, mask, kind in (("nil", nil, _NIL), ("unknown", unknown, _UNKNOWN))
             if mask is not None]
    try:
        import numpy
    except ImportError:
        kinds = array.array("q", (methods[code].result if 0 <= code < len(methods) else 0 for code in method))
        for mask, kind in marks:
            for number, marked in enumerate(mask):
                if marked:
                    kinds[number] = kind
        return kinds
    table = numpy.array([each.result for each in methods], dtype=numpy.int64)
    kinds = table.take(numpy.asarray(method), mode="clip")  # the library says which codes are none
    if lost is not None:
        given.integers("result", result)
        kinds[lost & (kinds != _RESULTS[None])] = _UNKNOWN
    for mask, kind in marks:
        kinds[numpy.asarray(mask).astype(bool)] = kind
    return kinds


class _Table:
    def __init__(self, *, call, response, method, methods, process, arguments, result, nil, unknown, object, objects):
        call = _in_place("call", call)
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
        kind = _kinds(given, self._methods, method, result, nil, unknown)
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
    a column of a structured array, or array.array("q")) are read in place; others are copied first. Of NumPy's masked
    arrays, a response that is masked is PENDING, a result was lost, and a process is not known; others may not be masked.

    methods: {name: (how many arguments it takes, what it returns: None, int or bool)}; `method` has the places of the
    names in it, from 0. arguments: a column for each argument. response: PENDING where it never returned; its
    result is not looked at then. process: negative: nobody knows; absent: of none. result: for methods that return int
    or bool. nil, unknown: booleans: the result is None ("nothing there"), or was lost. object: places in `objects`,
    names, where there are several."""
    history = History(type)
    history.append(_Table(call=call, response=response, method=method, methods=methods, process=process,
                          arguments=arguments, result=result, nil=nil, unknown=unknown, object=object, objects=objects))
    return history

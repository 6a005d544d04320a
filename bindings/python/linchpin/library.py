"""The shared library behind everything: liblinchpin_c, found by its name or where LINCHPIN_LIBRARY says."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_ssize_t, c_uint, c_uint32, c_uint64, c_void_p

NONE = ctypes.c_size_t(-1).value  # LINCHPIN_NONE
NO_PROCESS = 0xFFFFFFFF  # LINCHPIN_NO_PROCESS


class Value(ctypes.Structure):
    _fields_ = [("bits", c_uint64)]


class Options(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("type", c_char_p),
        ("decider", c_char_p),
        ("time_limit", c_double),
        ("memory_limit", c_size_t),
        ("threads", c_uint),
        ("response_first", c_int),
        ("all", c_int),
        ("no_witness", c_int),
        ("verify", c_int),
        ("no_verify", c_int),
        ("stop", c_void_p),
    ]

    def __init__(self):
        super().__init__(ctypes.sizeof(self))  # the rest is zero: the defaults


class Step(ctypes.Structure):
    _fields_ = [("call", c_void_p), ("result", c_void_p), ("returned", c_int)]


class Column(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("stride", c_ssize_t)]


class Method(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("arguments", c_size_t), ("result", c_int)]


class Columns(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        *((name, Column) for name in ("call", "response", "method", "process", "object", "result", "kind")),
        ("arguments", POINTER(Column)),
        ("argument_count", c_size_t),
        ("methods", POINTER(Method)),
        ("method_count", c_size_t),
        ("objects", POINTER(c_char_p)),
        ("object_count", c_size_t),
    ]


INITIAL = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
STEP = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(Step), c_void_p)
EQUAL = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)
HASH = ctypes.CFUNCTYPE(c_uint64, c_void_p, c_void_p)
RELEASE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
BYTES = ctypes.CFUNCTYPE(c_size_t, c_void_p, c_void_p)
DESCRIBE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)
KEY = ctypes.CFUNCTYPE(c_uint64, c_void_p, POINTER(Step))
PURE = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Step))


class ModelTable(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("user", c_void_p),
        ("initial", INITIAL),
        ("step", STEP),
        ("equal", EQUAL),
        ("hash", HASH),
        ("release", RELEASE),
        ("bytes", BYTES),
        ("describe", DESCRIBE),
        ("key", KEY),
        ("pure", PURE),
        ("threads", c_int),
        ("shared", c_int),
    ]


class Error(Exception):
    """Something is wrong with an input, an option or a model. `code` as in machine output ("unknown_method")."""

    def __init__(self, code, message, hint="", source="", line=0, column=0):
        place = "".join(f"{part}:" for part in (source, line, column) if part)
        super().__init__(f"{place} {message}".strip() + (f"\nhint: {hint}" if hint else ""))
        self.code, self.message, self.hint, self.source = code, message, hint, source
        self.line, self.column = line, column


def as_text(value):
    """The bytes of a text, which may hold what no UTF-8 has."""
    try:
        return value.encode()
    except (AttributeError, UnicodeEncodeError) as error:
        raise Error("bad_arguments", f"{value!r} is no text: {error}") from None


def as_name(value):
    """Text for the library, which reads it up to a NUL."""
    return _without_nul(as_text(value), value)


def as_path(value):
    """The same of a path."""
    try:
        path = os.fsencode(value)
    except (TypeError, UnicodeEncodeError) as error:
        raise Error("bad_arguments", f"{value!r} is no path: {error}") from None
    return _without_nul(path, value)


def _without_nul(encoded, value):
    if b"\0" in encoded:
        raise Error("bad_arguments", f"{value!r} holds a NUL", "names and paths hold none")
    return encoded


def as_integer(value, what="a time"):
    """An integer of 64 bits, which ctypes would cut to size without a word."""
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        raise Error("bad_number", f"{what} is an integer, and not {value!r}") from None
    if not -(1 << 63) <= number < 1 << 63:
        raise Error("bad_number", f"{what}, {number}, does not fit in 64 bits")
    return number


def as_count(value, what, most=(1 << 63) - 1):
    """The same from 0."""
    number = as_integer(value, what)
    if not 0 <= number <= most:
        raise Error("bad_option", f"{what} is {number}", f"an integer from 0 to {most}")
    return number


_ERROR = POINTER(c_void_p)
_FUNCTIONS = {
    "version": (c_char_p, []),
    "error_code": (c_char_p, [c_void_p]),
    "error_message": (c_char_p, [c_void_p]),
    "error_hint": (c_char_p, [c_void_p]),
    "error_source": (c_char_p, [c_void_p]),
    "error_line": (c_uint64, [c_void_p]),
    "error_column": (c_uint64, [c_void_p]),
    "error_free": (None, [c_void_p]),
    "none": (Value, []),
    "nil": (Value, []),
    "unknown": (Value, []),
    "boolean": (Value, [c_int]),
    "integer": (Value, [c_void_p, c_int64]),
    "string": (Value, [c_void_p, c_char_p, c_size_t]),
    "list": (Value, [c_void_p, POINTER(Value), c_size_t]),
    "builder_new": (c_void_p, [c_char_p]),
    "builder_free": (None, [c_void_p]),
    "object_type": (c_int, [c_void_p, c_char_p, c_char_p]),
    "process": (c_uint32, [c_void_p, c_char_p]),
    "call": (c_size_t, [c_void_p, c_uint32, c_char_p, c_char_p, POINTER(Value), c_size_t, c_int64]),
    "return": (None, [c_void_p, c_size_t, Value, c_int64]),
    "field": (None, [c_void_p, c_size_t, c_char_p, Value]),
    "annotate": (None, [c_void_p, c_int64, c_int64, c_char_p, c_char_p, c_char_p]),
    "operation_fields": (c_void_p, [c_void_p, c_size_t]),
    "call_opaque": (c_size_t, [c_void_p, c_uint32, c_void_p, c_char_p, c_int64]),
    "return_opaque": (None, [c_void_p, c_size_t, c_void_p, c_char_p, c_int64]),
    "append": (c_size_t, [c_void_p, POINTER(Columns), c_size_t]),
    "builder_finish": (c_void_p, [c_void_p, _ERROR]),
    "history_read_within": (c_void_p, [c_char_p, c_char_p, c_char_p, c_size_t, _ERROR]),
    "history_parse": (c_void_p, [c_char_p, c_size_t, c_char_p, c_char_p, c_size_t, _ERROR]),
    "history_write": (c_void_p, [c_void_p, c_char_p, POINTER(c_size_t), _ERROR]),
    "history_size": (c_size_t, [c_void_p]),
    "history_free": (None, [c_void_p]),
    "free": (None, [c_void_p]),
    "stop_new": (c_void_p, []),
    "stop_request": (None, [c_void_p]),
    "stop_free": (None, [c_void_p]),
    "check": (c_void_p, [c_void_p, POINTER(Options), _ERROR]),
    "check_model": (c_void_p, [c_void_p, POINTER(ModelTable), POINTER(Options), _ERROR]),
    "verdict_free": (None, [c_void_p]),
    "verdict_kind": (c_int, [c_void_p]),
    "verdict_reason": (c_char_p, [c_void_p]),
    "verdict_objects": (c_size_t, [c_void_p]),
    "verdict_text": (c_void_p, [c_void_p, c_void_p, _ERROR]),
    "verdict_json": (c_void_p, [c_void_p, c_void_p, _ERROR]),
    "verdict_report_within": (c_int, [c_void_p, c_void_p, c_char_p, c_char_p, c_size_t, _ERROR]),
    "object_name": (c_char_p, [c_void_p, c_size_t]),
    "object_kind": (c_int, [c_void_p, c_size_t]),
    "object_decider": (c_char_p, [c_void_p, c_size_t]),
    "object_why": (c_char_p, [c_void_p, c_size_t]),
    "object_sentence": (c_char_p, [c_void_p, c_size_t]),
    "object_core": (POINTER(c_uint32), [c_void_p, c_size_t, POINTER(c_size_t)]),
    "object_context": (POINTER(c_uint32), [c_void_p, c_size_t, POINTER(c_size_t)]),
    "object_witness": (POINTER(c_uint32), [c_void_p, c_size_t, POINTER(c_size_t)]),
    "object_blocked": (c_size_t, [c_void_p, c_size_t]),
    "object_verified": (c_int, [c_void_p, c_size_t]),
    "successor": (None, [c_void_p, c_void_p]),
    "fail": (None, [c_void_p, c_char_p]),
    "expired": (c_int, [c_void_p]),
    "write": (None, [c_void_p, c_char_p, c_size_t]),
}


class _Library:
    """Its functions, without the prefix that C needs."""

    def __init__(self):
        path = os.environ.get("LINCHPIN_LIBRARY", "liblinchpin_c.so.0")
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(
                f"cannot load {path}: {error}; install liblinchpin-c0, or set LINCHPIN_LIBRARY to the library's path"
            ) from None
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, f"linchpin_{name}", None)
            if function is None:
                raise ImportError(f"{path} is older than this package: it has no linchpin_{name}; install the same version")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


library = _Library()


def version():
    """Of the library, as text."""
    return library.version().decode()


def checked(call, *arguments):
    """What a function that may fail returns; raises its error."""
    error = c_void_p()
    result = call(*arguments, ctypes.byref(error))
    if error.value is None:
        return result
    text = [getattr(library, f"error_{part}")(error).decode(errors="replace") for part in ("code", "message", "hint", "source")]
    place = library.error_line(error), library.error_column(error)
    library.error_free(error)
    raise Error(*text, *place)


def text_of(pointer):
    """The text behind a pointer that linchpin_free wants back."""
    text = ctypes.string_at(pointer).decode(errors="replace")
    library.free(pointer)
    return text

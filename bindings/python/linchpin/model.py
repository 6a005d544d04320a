"""Models of your own: what an object does when its operations run one after the other."""

import contextlib
import copy
import ctypes
import sys
import threading
import time
import types

from linchpin.history import NONE, PENDING, UNKNOWN, History, rows_of
from linchpin.library import (BYTES, DESCRIBE, EQUAL, HASH, INITIAL, KEY, PURE, RELEASE, STEP, Error, ModelTable,
                              as_integer, as_name, as_text, checked, library)
from linchpin.library import NONE as _NO_INDEX


class Operation:
    """What a model is asked about. `result`: linchpin.UNKNOWN where any is possible: it was lost, or the operation never
    returned, and promised none."""

    __slots__ = ("arguments", "method", "result")

    def __init__(self, method, arguments, result):
        self.method, self.arguments, self.result = method, arguments, result

    @property
    def returned(self):
        return self.result is not UNKNOWN

    def returns(self, value):
        """Whether it may have returned that."""
        return self.result is UNKNOWN or self.result == value

    def __repr__(self):
        call = f"{self.method}({', '.join(map(repr, self.arguments))})"
        return call if self.result is UNKNOWN or self.result is NONE else f"{call} -> {self.result!r}"


class Model:
    """To be inherited from. States are never changed: a step makes new ones. They are compared with == and hashed.

        class Register(linchpin.Model):
            initial = 0

            def step(self, state, operation):
                if operation.method == "write":
                    return operation.arguments[0]          # the next state
                if operation.returns(state):
                    return state                           # the same one
                return linchpin.Model.IMPOSSIBLE           # the operation cannot run here

    Where a step is not determined: `return linchpin.Model.any_of(states)`.
    """

    IMPOSSIBLE = type("Impossible", (), {"__repr__": lambda self: "linchpin.Model.IMPOSSIBLE"})()
    name = None  # of the type, in one word; None: the class's
    initial = None  # the state in which the object begins; Model.any_of(...): one of several

    class any_of(tuple):
        """Several states, any of which is possible."""

        def __new__(cls, states):
            return super().__new__(cls, states)

    def step(self, state, operation):
        """The state after the operation, IMPOSSIBLE, or any_of several."""
        raise NotImplementedError

    def equal(self, left, right):
        return left == right

    def hash(self, state):
        """Equal states have equal hashes. None: they have none, and comparing takes longer."""
        try:
            return hash(state)
        except TypeError:
            return hash(repr(state))

    def key(self, operation):
        """The part of the object that the operation touches; parts do not know of each other, and each begins as
        `initial` says. None: there is one."""
        return None

    def pure(self, operation):
        """Whether the operation changes no state in which it is possible: a promise that makes deciding faster."""
        return False

    def describe(self, state):
        return repr(state)


_AUDITED_STEPS, _AUDITED_SECONDS = 256, 0.5  # as long as that costs little


def _contents(value, within=()):
    """What a value holds, as something that can be compared."""
    if id(value) in within:
        return "itself"
    within = (*within, id(value))
    if isinstance(value, (list, tuple)):
        return (type(value), *(_contents(each, within) for each in value))
    if isinstance(value, (set, frozenset)):
        return (type(value), frozenset(_contents(each, within) for each in value))
    if isinstance(value, dict):
        return (type(value), frozenset((_contents(key, within), _contents(held, within)) for key, held in value.items()))
    slots = []
    for each in type(value).__mro__:
        named = getattr(each, "__slots__", ())
        slots.extend([named] if isinstance(named, str) else named)
    held = {slot: getattr(value, slot) for slot in slots if hasattr(value, slot)} | getattr(value, "__dict__", {})
    if held and not isinstance(value, (type, types.FunctionType, types.ModuleType)):
        return (type(value), _contents(held, within))
    try:
        hash(value)
    except TypeError:
        return (type(value), repr(value))
    return value


class Running:
    """A model while a history is decided by it: the tables behind the pointers that the library hands around."""

    def __init__(self, model, records):
        if isinstance(records, History):
            raise Error("unsupported", "a model decides records, not a History",
                        "pass the operations as tuples or mappings: their arguments and results are the model's own")
        self.model = model
        self.raised = None
        self._states, self._free = {}, []
        self._next = 1
        self._calls, self._results = {}, {}
        self._call_list, self._result_list = [None], [None]
        self.history = History()
        for process, call, returned, method, arguments, result, name, fields in rows_of(records):
            if name is not None:
                raise Error("unsupported", "a model decides one object", "let the model's `key` tell parts apart")
            if not isinstance(arguments, (tuple, list)):
                arguments = (arguments,)
            operation = self._add(process, call, returned, method, tuple(arguments), result)
            if fields and operation != _NO_INDEX:
                self.history._carry(operation, fields)
        self._operations, self._keys = {}, {}
        self._audits, self._audit_seconds = _AUDITED_STEPS, 0
        self._table = self._make_table()

    def check(self, options):
        verdict = failure = None
        try:
            with self._interrupts_kept():
                verdict = checked(library.check_model, self.history.handle(), ctypes.byref(self._table), ctypes.byref(options))
        except Error as error:
            failure = error
        if self.raised is not None:
            library.verdict_free(verdict)
            raised, self.raised = self.raised, None
            raise raised
        if failure is not None:
            raise failure
        return verdict

    def _add(self, process, call, returned, method, arguments, result):
        history = self.history
        text = Operation(method, arguments, UNKNOWN)
        called = self._number(self._calls, self._call_list, (method, arguments))
        operation = library.call_opaque(history._open(), history._process(process)[0], called, as_name(repr(text)), as_integer(call))
        if operation == _NO_INDEX:
            return operation
        if result is UNKNOWN:
            if returned != PENDING:
                history.returns(operation, UNKNOWN, time=returned)
            return operation
        given = self._number(self._results, self._result_list, result)
        described = b"ok" if result is NONE else as_name(repr(result))
        library.return_opaque(history._open(), operation, given, described, returned)
        return operation

    @staticmethod
    def _number(numbers, values, value):
        """One number for equal values where that can be told."""
        try:
            # 1, 1.0 and True are equal, and are not the same to everybody.
            key = (repr(value), value)
            known = numbers.get(key)
        except TypeError:
            key = known = None
        if known is None:
            known = len(values)
            values.append(value)
            if key is not None:
                numbers[key] = known
        return known

    def _operation(self, step):
        key = (step.call, step.result if step.returned else -1)
        known = self._operations.get(key)
        if known is None:
            method, arguments = self._call_list[step.call]
            result = self._result_list[step.result] if step.returned else UNKNOWN
            known = self._operations[key] = Operation(method, arguments, result)
        return known

    def _hold(self, state):
        if self._free:
            number = self._free.pop()
        else:
            number, self._next = self._next, self._next + 1
        self._states[number] = state
        return number

    def _guarded(self, out, body, otherwise=0):
        """No exception passes through C: the first is kept, and ends the check."""
        if self.raised is not None:
            return 1
        try:
            return body()
        except BaseException as error:  # noqa: B902: KeyboardInterrupt as well
            self.raised = error
            if out is not None:
                library.fail(out, f"{type(error).__name__}: {error}".encode(errors="replace"))
                return 1
            return otherwise

    def _audited(self, state, operation):
        """A step that is found out if it changes its state: that has to stay equal to a copy. What equals no copy, as an
        object that is compared by its address, has to hold the same."""
        self._audits -= 1
        model, began = self.model, time.perf_counter()
        try:
            before = copy.deepcopy(state)
            by_equal = bool(model.equal(before, state))
        except Exception:  # noqa: B902: a state may hold anything
            by_equal = False
        held = None if by_equal else _contents(state)
        self._audit_seconds += time.perf_counter() - began
        if self._audit_seconds > _AUDITED_SECONDS:
            self._audits = 0
        made = model.step(state, operation)
        if not model.equal(before, state) if by_equal else _contents(state) != held:
            raise Error("model", f"the model's step on {operation} has changed the state that it was given",
                        "let a step make a new state")
        return made

    @contextlib.contextmanager
    def _interrupts_kept(self):
        """What a signal's handler raises in a callback outside of _guarded, as on the way there, ends the check as well.
        ctypes prints it and goes on with any number for a result, which could be a wrong verdict."""
        if threading.current_thread() is not threading.main_thread():  # where handlers do not run
            yield
            return
        before, thread = sys.unraisablehook, threading.get_ident()

        def keep(what):
            if threading.get_ident() != thread or "ctypes callback" not in (what.err_msg or ""):
                before(what)
            elif self.raised is None:
                self.raised = what.exc_value

        sys.unraisablehook = keep
        try:
            yield
        finally:
            sys.unraisablehook = before

    def _make_table(self):
        model = self.model

        def put(out, made):
            for state in made if isinstance(made, Model.any_of) else (made,):
                library.successor(out, self._hold(state))
            return 0

        def initial(_, out):
            return self._guarded(out, lambda: put(out, model.initial() if callable(model.initial) else model.initial))

        def step(_, state, operation, out):
            def run():
                asked = self._operation(operation.contents)
                made = self._audited(self._states[state], asked) if self._audits else model.step(self._states[state], asked)
                if made is Model.IMPOSSIBLE:
                    return 0
                return put(out, made)

            return self._guarded(out, run)

        def equal(_, left, right):
            return self._guarded(None, lambda: int(bool(model.equal(self._states[left], self._states[right]))))

        def hashed(_, state):
            return self._guarded(None, lambda: (model.hash(self._states[state]) or 0) & 0xFFFFFFFFFFFFFFFF)

        def release(_, state):
            del self._states[state]
            self._free.append(state)

        def describe(_, state, out):
            def run():
                text = as_text(model.describe(self._states[state]))
                library.write(out, text, len(text))
                return 0

            self._guarded(None, run)

        def key(_, operation):
            # A number of its own, not a hash: -1 and -2 have the same.
            return self._guarded(None, lambda: self._keys.setdefault(model.key(self._operation(operation.contents)),
                                                                     len(self._keys)))

        def pure(_, operation):
            return self._guarded(None, lambda: int(bool(model.pure(self._operation(operation.contents)))))

        table = ModelTable(size=ctypes.sizeof(ModelTable), name=as_name(model.name or type(model).__name__))
        table.initial, table.step, table.equal = INITIAL(initial), STEP(step), EQUAL(equal)
        table.hash, table.release, table.describe = HASH(hashed), RELEASE(release), DESCRIBE(describe)
        table.pure = PURE(pure)
        if type(model).key is not Model.key:
            table.key = KEY(key)
        table.bytes = BYTES()
        return table

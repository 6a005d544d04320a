"""Checks that are ended: by Ctrl-C, by what a signal's handler raises, by a Stop."""

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

import linchpin
from linchpin import stop
from linchpin.library import Options, library
from linchpin.model import Running

LONG = {"type": "cas-register initial=0", "time_limit": 60}


def hard():
    """Compare-and-sets that overlap all and succeed: an order of them is a walk over the edges of a graph in two parts,
    and no search sees within a minute that there is none."""
    return [(None, 1, 10, "cas", (24 * graph + node, 24 * graph + (node + step) % 24), True)
            for graph in range(2) for step in (1, 3, 5, 7) for node in range(24)]


# Of a program that is interrupted, also where the tests themselves run in a shell's background.
HEARS = """
import signal, linchpin, test_stop
def interrupt(*_):
    print("heard", flush=True)
    raise KeyboardInterrupt
signal.signal(signal.SIGINT, interrupt)
test_stop.once_begun(lambda: print("begun", flush=True))
"""


def once_begun(call):
    """Calls it in the main thread, when that has handed over its next check to another one."""
    begin = stop._Worker.begin

    def begin_and_call(worker, work):
        stop._Worker.begin = begin
        begin(worker, work)
        call()

    stop._Worker.begin = begin_and_call


class Raised(Exception):
    pass


class Signals(unittest.TestCase):
    def interrupted(self, program, signals=1):
        """What the program prints at last, which gets so many SIGINT once its first check has begun; and how long that
        took."""
        with subprocess.Popen([sys.executable, "-B", "-c", HEARS + program], stdout=subprocess.PIPE, text=True,
                              cwd=os.path.dirname(os.path.abspath(__file__)),
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}) as process:
            self.assertEqual(process.stdout.readline(), "begun\n")
            began = time.monotonic()
            for _ in range(signals):
                time.sleep(0.2)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.stdout.readline(), "heard\n")
            said, _ = process.communicate(timeout=90)
            return process.returncode, said, time.monotonic() - began

    def test_an_interrupt_ends_a_check(self):
        code, said, seconds = self.interrupted("""if True:
            history = test_stop.hard()
            try:
                print(linchpin.check(history, **test_stop.LONG).kind)
            except KeyboardInterrupt:
                print("interrupted")
            print(linchpin.check(history[:20], type="cas-register initial=0").kind)
            """)
        self.assertEqual((code, said), (0, "interrupted\nlinearizable\n"))
        self.assertLess(seconds, 20)

    def test_an_interrupt_is_not_for_other_checks_with_the_same_stop(self):
        code, said, seconds = self.interrupted("""if True:
            stop = linchpin.Stop()
            try:
                linchpin.check(test_stop.hard(), stop=stop, **test_stop.LONG)
            except KeyboardInterrupt:
                print(linchpin.check(test_stop.hard()[:20], type="cas-register initial=0", stop=stop).kind)
            """)
        self.assertEqual((code, said), (0, "linearizable\n"))
        self.assertLess(seconds, 20)

    def test_interrupts_that_follow_change_nothing(self):
        code, said, _ = self.interrupted("""if True:
            import threading
            # The check ends only when the second interrupt has come.
            heard, twice, request = [], threading.Event(), linchpin.Stop.request
            def interrupt_and_count(*_):
                heard.append(True)
                if len(heard) == 2:
                    twice.set()
                interrupt()
            signal.signal(signal.SIGINT, interrupt_and_count)
            def request_later(stop):
                twice.wait()
                request(stop)
            linchpin.Stop.request = lambda stop: threading.Thread(target=request_later, args=[stop]).start()
            try:
                linchpin.check(test_stop.hard(), **test_stop.LONG)
            except KeyboardInterrupt:
                print("interrupted", len(linchpin.stop._idle))  # its thread has ended the check
            """, signals=2)
        self.assertEqual((code, said), (0, "interrupted 1\n"))

    def handle_alarms(self, handler):
        before = signal.signal(signal.SIGALRM, handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)

    def alarm(self, handler):
        """Once, while the next check runs."""
        self.handle_alarms(handler)
        self.addCleanup(setattr, stop._Worker, "begin", stop._Worker.begin)
        once_begun(lambda: signal.setitimer(signal.ITIMER_REAL, 0.2))

    def test_what_a_handler_raises_ends_a_check(self):
        def handler(*_):
            raise Raised

        self.alarm(handler)
        freed = self.freed()
        with self.assertRaises(Raised):
            linchpin.check(hard(), **LONG)
        self.assertEqual(len(freed), 1)

    def freed(self):
        """The verdicts that are freed from now on."""
        verdicts, free = [], library.verdict_free
        self.addCleanup(setattr, library, "verdict_free", free)
        library.verdict_free = lambda verdict: (verdicts.append(verdict), free(verdict))
        return verdicts

    def test_what_is_raised_while_a_check_is_handed_over(self):
        def raises(*_):
            raise Raised

        freed = self.freed()
        begin = stop._Worker.begin
        self.addCleanup(setattr, stop._Worker, "begin", begin)
        for before in (True, False):
            if before:
                stop._Worker.begin = raises
            else:
                once_begun(raises)
            began = time.monotonic()
            with self.assertRaises(Raised):
                linchpin.check(hard(), **LONG)
            self.assertLess(time.monotonic() - began, 20)
            stop._Worker.begin = begin
        self.assertLessEqual(len(freed), 1)
        self.assertTrue(linchpin.check(hard()[:20], LONG["type"]))

    def test_a_handler_that_raises_nothing_does_not(self):
        heard = []
        self.alarm(lambda *_: heard.append(linchpin.check(hard()[:20], LONG["type"]).kind))  # a check within a check
        verdict = linchpin.check(hard(), LONG["type"], time_limit=0.5)
        self.assertEqual((verdict.kind, verdict.reason, heard), ("unknown", "time", ["linearizable"]))

    def test_a_handler_may_request_a_stop(self):
        ended = linchpin.Stop()
        self.alarm(lambda *_: ended.request())
        verdict = linchpin.check(hard(), stop=ended, **LONG)
        self.assertEqual((verdict.kind, verdict.reason), ("unknown", "cancelled"))

    def test_no_interrupt_is_lost_in_a_model(self):
        class Counter(linchpin.Model):
            initial = 0

            def step(self, state, operation):
                return state + 1 if operation.returns(state) else self.IMPOSSIBLE

        raised = []

        def handler(*_):
            raised.append(KeyboardInterrupt())
            raise raised[-1]

        self.handle_alarms(handler)
        records = [(None, 2 * i, 2 * i + 1, "increment", (), i) for i in range(1000)]
        dice = random.Random(7)
        gc.disable()  # it may run a __del__ at any time, in which Python itself loses what a handler raises
        self.addCleanup(gc.enable)
        for trial in range(100):
            running = Running(Counter(), records)
            before = len(raised)
            try:
                signal.setitimer(signal.ITIMER_REAL, dice.uniform(0.001, 0.02))
                verdict = running.check(Options())
                seen = None
                signal.setitimer(signal.ITIMER_REAL, 0)
            except BaseException as error:  # noqa: B902: whatever it is
                seen = error
            else:
                library.verdict_free(verdict)  # a __del__ does so elsewhere: not while an alarm may come
            self.assertIs(seen, None if len(raised) == before else raised[-1], trial)


class Stops(unittest.TestCase):
    def test_another_thread_ends_checks(self):
        ended = linchpin.Stop()
        timer = threading.Timer(0.2, ended.request)
        timer.start()
        for _ in range(2):  # the second time it was requested before
            verdict = linchpin.check(hard(), stop=ended, **LONG)
            self.assertEqual((verdict.kind, verdict.reason), ("unknown", "cancelled"))
        timer.join()
        ended.request()
        self.assertTrue(linchpin.check([("a", 0, 1, "write", 1)], type="register"))

    def test_the_main_thread_ends_a_check_of_another(self):
        ended, verdicts = linchpin.Stop(), []
        thread = threading.Thread(target=lambda: verdicts.append(linchpin.check(hard(), stop=ended, **LONG)))
        thread.start()
        time.sleep(0.2)
        ended.request()
        thread.join()
        self.assertEqual(verdicts[0].reason, "cancelled")

    def test_a_model_is_ended_too(self):
        ended = linchpin.Stop()

        class Counter(linchpin.Model):
            initial = 0

            def step(self, state, operation):
                ended.request()
                return state + 1

        verdict = linchpin.check([(None, 1, 10, "add", (i,)) for i in range(2000)], model=Counter, stop=ended)
        self.assertEqual((verdict.kind, verdict.reason), ("unknown", "cancelled"))

    def test_a_stop_is_one(self):
        for odd in (True, 1, "now", linchpin.Stop):
            with self.subTest(stop=odd), self.assertRaises(linchpin.Error) as caught:
                linchpin.check([], type="queue", stop=odd)
            self.assertEqual(caught.exception.code, "bad_option")


class Workers(unittest.TestCase):
    def check(self):
        self.assertTrue(linchpin.check(hard()[:20], LONG["type"]))

    def test_one_thread_is_kept_for_a_while(self):
        self.addCleanup(setattr, stop, "_KEPT_SECONDS", stop._KEPT_SECONDS)
        stop._KEPT_SECONDS = 60
        stop._idle.clear()
        self.check()
        kept = list(stop._idle)
        self.assertEqual(len(kept), 1)
        stop._KEPT_SECONDS = 0.1
        self.check()
        self.assertIn(stop._idle, (kept, []))
        late = time.monotonic() + 60
        while stop._idle and time.monotonic() < late:
            time.sleep(0.1)
        self.assertEqual(stop._idle, [])
        self.check()

    def test_other_threads_check_by_themselves(self):
        stop._idle.clear()
        verdicts = []
        thread = threading.Thread(target=lambda: verdicts.append(linchpin.check(hard()[:20], LONG["type"])))
        thread.start()
        thread.join()
        self.assertTrue(verdicts[0])
        self.assertEqual(stop._idle, [])

    def test_a_forked_process_checks(self):
        self.check()
        child = os.fork()
        if child == 0:
            os._exit(0 if linchpin.check(hard()[:20], LONG["type"]).kind == "linearizable" else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_without_threads_checks_are_called_directly(self):
        def none(*_):
            raise RuntimeError("can't start new thread")

        before, stop.start_new_thread = stop.start_new_thread, none
        stop._idle.clear()
        try:
            self.check()
        finally:
            stop.start_new_thread = before

    def test_errors_are_those_of_the_library(self):
        with self.assertRaises(linchpin.Error) as caught:
            linchpin.check(hard(), type="cue")
        self.assertEqual(caught.exception.code, "unknown_type")


if __name__ == "__main__":
    unittest.main()

"""A campaign of the command over Dask: python -m linchpin.fleet check|depth|stress|explore ARGUMENTS...

Each task is one shard: a worker runs `linchpin COMMAND --shard I/N --json` and gives back what it printed. Tasks are
handed out as workers become free, and the tasks of a worker that is lost run again on another one. The shards go to a
folder, where a campaign that was interrupted is resumed, and `linchpin merge` makes one answer of them: a task that
fails for good is a shard that is missing, and the campaign is then incomplete, never clean.

It wants Dask's `distributed` (Debian: python3-distributed), and the command on each worker, by its name or where
LINCHPIN_COMMAND says. Inputs are files that all workers see under the same names.
"""

import argparse
import asyncio
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

COMMANDS = ("check", "depth", "stress", "explore")
SHARDS_A_WORKER = 16  # so that the last worker to end does not keep the others waiting
RETRIES = 5  # of a task whose worker is lost; Dask's own count of such losses stands beside it
VIOLATION, WRONG, INCOMPLETE, INTERRUPTED = 1, 2, 3, 130


class TaskFailed(Exception):
    """The command gave no shard: a usage error, an input that shards cannot have, or a signal."""


def run_shard(command, arguments, number, of, program, folder):
    """One task. The shard's output, whole, as bytes. Raises TaskFailed where there is none."""
    program = os.environ.get("LINCHPIN_COMMAND", program)
    words = [program, command, *arguments, "--shard", f"{number}/{of}", "--json"]
    try:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   cwd=folder, preexec_fn=_end_with_parent)
    except OSError as error:
        raise TaskFailed(f"cannot run {program}: {error.strerror}; LINCHPIN_COMMAND may say where it is") from None
    output, said = process.communicate()
    if not is_whole(output):
        raise TaskFailed(f"shard {number} of {of} ended with {process.returncode} and is not whole: "
                         f"{said.decode(errors='replace').strip()}")
    return output


_C = ctypes.CDLL(None)  # before any fork
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def _end_with_parent():
    """The command ends when its worker does, however that ends (Linux)."""
    _C.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def is_whole(output):
    """Whether the output of a shard ends with its end. `merge` looks at its checksum."""
    if not output.startswith(b'{"shard":') or not output.endswith(b"\n"):
        return False
    last = output[output.rfind(b"\n", 0, -1) + 1:]
    return last.startswith(b'{"end":')


def has_violation(output):
    last = output[output.rfind(b"\n", 0, -1) + 1:]
    return json.loads(last)["end"]["exit_code"] == VIOLATION


class Fleet:
    """One campaign: its tasks, and the folder where their shards go."""

    def __init__(self, options, arguments, folder):
        self.options, self.arguments, self.folder = options, arguments, pathlib.Path(folder)
        self.failures = []

    def path(self, number):
        return self.folder / f"shard-{number}.jsonl"

    def fits(self, number, head):
        """Whether the folder has that shard of this campaign, whole."""
        try:
            found = self.path(number).read_bytes()
        except FileNotFoundError:
            return False
        return is_whole(found) and json.loads(found[: found.index(b"\n")])["shard"] == head

    def save(self, number, output):
        """Under its name only when it is whole, so that an interrupt leaves nothing that looks so."""
        partial = self.path(number).with_suffix(".partial")
        partial.write_bytes(output)
        partial.replace(self.path(number))

    def run(self, client):
        """Hands out what is not there yet. True: all tasks were answered."""
        from distributed import as_completed
        of = self.options.shards
        wanted = list(range(1, of + 1))
        # Which shards the folder may keep is told by the first task's head, which is that of the campaign.
        kept = any(self.folder.glob("shard-*.jsonl"))
        futures = {self.submit(client, number): number for number in (wanted[:1] if kept else wanted)}
        done = stopped = 0
        queue = as_completed(list(futures), raise_errors=False)
        for future in queue:
            number = futures.pop(future)
            try:
                # A worker that is lost takes what it had finished with it, and then that is run again.
                output = future.result()
            except (Exception, asyncio.CancelledError) as error:  # whatever it is, this shard is missing
                self.failures.append(f"{error}")
                if kept and number == wanted[0]:
                    return False
            else:
                self.save(number, output)
                stopped = stopped or (self.options.stop_on_violation and has_violation(output))
                if kept and number == wanted[0]:
                    head = json.loads(output[: output.index(b"\n")])["shard"]
                    for other in wanted[1:]:
                        if self.fits(other, {**head, "number": other}):
                            done += 1
                        elif not stopped:
                            added = self.submit(client, other)
                            futures[added] = other
                            queue.add(added)
            done += 1
            future.release()
            self.progress(done, of)
            if stopped:
                client.cancel(list(futures), force=True)
                print(f"\na violation was found: {of - done} shards were left out", file=sys.stderr)
                return False
        return not self.failures

    def submit(self, client, number):
        options = self.options
        return client.submit(run_shard, options.command, self.arguments, number, options.shards, options.program,
                             os.getcwd(), pure=False, retries=RETRIES)

    def progress(self, done, of):
        if sys.stderr.isatty():
            print(f"\r{done} of {of} shards", end="\n" if done == of else "", file=sys.stderr, flush=True)

    def merge(self):
        words = [self.options.program, "merge"]
        for name in ("report", "junit", "sarif"):
            if getattr(self.options, name):
                words += [f"--{name}", getattr(self.options, name)]
        words += ["--json"] if self.options.json else []
        words += ["--no-times"] if self.options.no_times else []
        shards = [str(self.path(number)) for number in range(1, self.options.shards + 1) if self.path(number).exists()]
        if not shards:
            return WRONG
        return subprocess.run([*words, *shards], check=False).returncode


def parse(words):
    parser = argparse.ArgumentParser(
        prog="python -m linchpin.fleet", description="Run linchpin check, depth, stress or explore over Dask.",
        epilog="All other arguments are those of the command. Exit codes: those of linchpin merge.")
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of Dask's scheduler, tcp://HOST:8786; without: workers here")
    parser.add_argument("--workers", type=int, metavar="N", help="without --scheduler: so many (default: one a processor)")
    parser.add_argument("--shards", type=int, metavar="N", help=f"tasks (default: {SHARDS_A_WORKER} a worker)")
    parser.add_argument("--output", metavar="DIR", help="keep the shards there; those that are there are not run again")
    parser.add_argument("--stop-on-violation", action="store_true", help="the first violation stops the rest")
    parser.add_argument("--program", default=os.environ.get("LINCHPIN_COMMAND", "linchpin"), help="the command")
    for name in ("report", "junit", "sarif"):
        parser.add_argument(f"--{name}", metavar="FILE", help="as linchpin merge has it")
    parser.add_argument("--json", action="store_true", help="as linchpin merge has it")
    parser.add_argument("--no-times", action="store_true", help="as linchpin merge has it")
    options, arguments = parser.parse_known_args(words)
    for wrong in ("--shard", "--resume"):
        if any(word == wrong or word.startswith(wrong + "=") for word in arguments):
            parser.error(f"{wrong} is what each task gets: --shards, --output")
    if options.shards is not None and options.shards < 1 or options.workers is not None and options.workers < 1:
        parser.error("there is at least one shard, and one worker")
    return options, [word for word in arguments if word != "--"]


def main(words=None):
    options, arguments = parse(words)
    try:
        import distributed
    except ImportError:
        print("error: Dask's distributed is not installed\n  hint: apt install python3-distributed", file=sys.stderr)
        return WRONG
    if shutil.which(options.program) is None:
        print(f"error: there is no command '{options.program}'\n  hint: LINCHPIN_COMMAND says where it is", file=sys.stderr)
        return WRONG
    options.program = shutil.which(options.program)
    # A worker that is lost says nothing of its task: the machine may be one that goes away at any time.
    import dask
    dask.config.set({"distributed.scheduler.allowed-failures": RETRIES})
    cluster = None
    if options.scheduler is None:
        cluster = distributed.LocalCluster(n_workers=options.workers or os.cpu_count(), threads_per_worker=1,
                                           processes=True, dashboard_address=None)
    try:
        with distributed.Client(cluster or options.scheduler) as client:
            if options.shards is None:
                options.shards = SHARDS_A_WORKER * max(1, len(client.scheduler_info()["workers"]))
            if options.output:
                os.makedirs(options.output, exist_ok=True)
                return campaign(options, arguments, options.output, client)
            with tempfile.TemporaryDirectory(prefix="linchpin-fleet-") as folder:
                return campaign(options, arguments, folder, client)
    except KeyboardInterrupt:
        print("interrupted" + (f": the same command goes on from {options.output}" if options.output else ""),
              file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG
    finally:
        if cluster is not None:
            cluster.close()


def campaign(options, arguments, folder, client):
    fleet = Fleet(options, arguments, folder)
    whole = fleet.run(client)
    for failure in dict.fromkeys(fleet.failures):
        print(f"error: {failure}", file=sys.stderr)
    code = fleet.merge()
    # merge cannot know of what was left out where no shard tells how many there are.
    return INCOMPLETE if code == 0 and not whole else code


if __name__ == "__main__":
    # By the module's own name, so that workers find the tasks' functions in the package.
    from linchpin.fleet import main as run
    sys.exit(run())

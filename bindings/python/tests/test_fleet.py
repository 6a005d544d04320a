"""python -m linchpin.fleet: over local workers of Dask, with LINCHPIN_COMMAND. Skipped where either is missing."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.environ.get("LINCHPIN_COMMAND", "")
PACKAGE = pathlib.Path(__file__).parent.parent
MISSING = ("Dask's distributed is missing (Debian: python3-distributed)" if not importlib.util.find_spec("distributed")
           else "" if os.path.exists(COMMAND) else "LINCHPIN_COMMAND names no command")


def generate(path, count, seed, violation="none"):
    """`count` short histories in a file."""
    subprocess.run([COMMAND, "generate", "queue", "-n", "20", "-p", "3", "--histories", str(count), "--format", "jsonl",
                    "--seed", str(seed), "--violation", violation, "-o", str(path)], check=True)


@unittest.skipIf(MISSING, MISSING)
class Fleet(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.inputs = pathlib.Path(self.folder.name) / "inputs"
        self.inputs.mkdir()

    def fleet(self, *words, workers=2, command=COMMAND):
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "LINCHPIN_COMMAND": str(command)}
        return subprocess.Popen([sys.executable, "-m", "linchpin.fleet", *words, "--workers", str(workers)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)

    def command_that_ends_its_worker(self, *shards):
        """The command, but the first time that it is to run one of `shards`, the worker that asks ends as a machine that is
        lost would. Also: a folder with an entry for each worker that ended so."""
        command, ended = pathlib.Path(self.folder.name) / "command", pathlib.Path(self.folder.name) / "ended"
        ended.mkdir()
        cases = "\n".join(f'*"--shard {shard} "*) mkdir "{ended}/{shard.replace("/", "-")}" 2>/dev/null && kill -9 $PPID ;;'
                          for shard in shards)
        command.write_text(f'#!/bin/sh\ncase "$*" in\n{cases}\nesac\nexec "{COMMAND}" "$@"\n')
        command.chmod(0o755)
        return command, ended

    def alone(self):
        """What one process says, in the words of merge."""
        one = pathlib.Path(self.folder.name) / "one.jsonl"
        with open(one, "wb") as file:
            subprocess.run([COMMAND, "check", self.inputs, "--json", "--shard", "1/1"], stdout=file, check=False)
        return subprocess.run([COMMAND, "merge", "--json", "--no-times", one], capture_output=True, text=True, check=False)

    def test_the_answer_is_that_of_one_process_also_when_workers_are_killed(self):
        for i in range(40):
            generate(self.inputs / f"{i}.jsonl", 40, 1 + 40 * i, "anywhere" if i % 20 == 7 else "none")
        shards = pathlib.Path(self.folder.name) / "shards"
        command, ended = self.command_that_ends_its_worker("3/20", "11/20")
        fleet = self.fleet("check", str(self.inputs), "--json", "--no-times", "--shards", "20", "--output", str(shards),
                           workers=3, command=command)
        output, said = fleet.communicate(timeout=300)
        self.assertEqual(len(list(ended.iterdir())), 2, said)
        alone = self.alone()
        self.assertEqual(fleet.returncode, 1, said)
        self.assertEqual(alone.returncode, 1)
        self.assertEqual(sorted(output.splitlines()), sorted(alone.stdout.splitlines()), said)
        # Shards that are there are not run again.
        before = {path: path.stat().st_mtime_ns for path in shards.glob("shard-*.jsonl")}
        again = self.fleet("check", str(self.inputs), "--json", "--no-times", "--shards", "20", "--output", str(shards))
        self.assertEqual(again.communicate(timeout=300)[0], output)
        same = [path for path in before if path.stat().st_mtime_ns == before[path]]
        self.assertEqual(len(same), 19, "the first one tells which campaign it is")

    def test_a_violation_stops_the_rest_on_request(self):
        for i in range(12):
            generate(self.inputs / f"{i}.jsonl", 200, 1 + 200 * i, "anywhere")
        fleet = self.fleet("check", str(self.inputs), "--stop-on-violation", "--shards", "12", workers=1)
        output, said = fleet.communicate(timeout=300)
        self.assertEqual(fleet.returncode, 1, said)
        self.assertIn("shards were left out", said)
        self.assertIn("incomplete: ", output)

    def test_a_task_that_fails_leaves_the_campaign_incomplete(self):
        generate(self.inputs / "0.jsonl", 2, 1)
        fleet = self.fleet("check", str(self.inputs), "--no-such-option", "--shards", "2", workers=1)
        output, said = fleet.communicate(timeout=300)
        self.assertEqual(fleet.returncode, 2, output)
        self.assertIn("--no-such-option", said)

    def test_stress_runs_too(self):
        fleet = self.fleet("stress", "locked-queue", "--rounds", "9", "--shards", "3", "--json", workers=1)
        output, said = fleet.communicate(timeout=300)
        lines = [json.loads(line) for line in output.splitlines()]
        self.assertEqual(fleet.returncode, 0, said)
        self.assertEqual(sum(line.get("rounds", 0) for line in lines), 9)
        self.assertEqual(lines[-1]["merged"]["verdict"], "linearizable")


if __name__ == "__main__":
    unittest.main()

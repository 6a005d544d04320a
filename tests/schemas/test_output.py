"""What the command writes with --json is what the schemas say: all of it, and nothing else.

Published schemas let later versions add properties. Here a property that is not named is a failure, so that whoever
adds one names it."""

import pathlib
import re
import shutil
import tempfile
import unittest
import unittest.mock

import support

# For the search alone.
HARD = ["generate", "multi-register", "--values", "2", "-n", "3000", "-p", "40", "--violation", "late", "--seed", "3"]
LONG = ["generate", "priority-queue", "--values", "3", "-n", "20000", "-p", "40"]  # nothing decides it in a millisecond
OMITTED = "# linchpin 1\n# type: queue\na 1 - dequeue\nb 2 3 enqueue 1\nb 4 5 dequeue -> 1\n"
LATE = ["generate", "mutex", "-n", "300", "-p", "3", "--violation", "late", "--seed", "2"]
ORDERS = """# linchpin 1
# type: register initial=0
a 1 2 @version=2 write 1
b 3 4 @version=1 write 2
c 5 6 @version=3 read -> 2
"""
FIELDS = '# linchpin 1\n# type: register\n0 1 2 @server=n1 read -> 5\n'
INCOMPLETE = '# linchpin 1\n# type: queue\n# annotation 3 - "missing: the disk was full"\n0 1 2 dequeue -> 1\n'


def properties_of(name):
    """The names of the properties that the schema has anywhere."""
    found = set()

    def walk(schema):
        if isinstance(schema, list):
            for each in schema:
                walk(each)
        elif isinstance(schema, dict):
            found.update(schema.get("properties", {}))
            for value in schema.values():
                walk(value)

    walk(support.schema_of(name))
    return found


def told_in(value, found):
    """The names of properties that have a value somewhere in it: neither null nor empty."""
    if isinstance(value, dict):
        for key, each in value.items():
            if each not in (None, "", [], {}):
                found.add(key)
            told_in(each, found)
    elif isinstance(value, list):
        for each in value:
            told_in(each, found)
    return found


class Output(unittest.TestCase):
    def conform(self, name, lines):
        self.assertTrue(lines)
        for line in lines:
            self.assertIsNone(support.complaint(name, line), line)
            self.assertEqual(support.unnamed(name, line), [], line)

    def unsealed(self, answers):
        """Answers of a shard as they are without shards."""
        for answer in answers:
            self.assertRegex(answer.pop("seal"), "^[0-9a-f]{16}$")
        return answers

    def everything_is_told(self, name, lines, never=()):
        """So that no part of the schema is left untried."""
        self.assertEqual(properties_of(name) - told_in(lines, set()), set(never))

    def inputs(self):
        files = [path for path in sorted((support.ROOT / "examples").iterdir()) if path.is_file()]
        return files + [path for path in sorted((support.ROOT / "tests/cli/inputs").rglob("*")) if path.is_file()]

    def test_check(self):
        every = (0, 1, 2, 3)
        check = lambda *arguments, **options: support.lines_of(  # noqa: E731
            support.run("check", "--json", *arguments, codes=every, **options))
        lines = check("--all", "--verify", *self.inputs()) + check("--no-verify", "--no-witness", *self.inputs())
        with tempfile.TemporaryDirectory() as folder:
            lines += check("--save", folder, support.ROOT / "examples/queue-violation.txt")
            hard = pathlib.Path(folder) / "hard.txt"
            hard.write_text(support.run(*HARD), encoding="utf-8")
            lines += check("--time-limit", "100ms", "--decider", "search", hard)
            with unittest.mock.patch.dict("os.environ", TMPDIR=folder):  # the command keeps what it could not decide
                lines += check("--decider", "planted-witness", "examples/queue-violation.txt")
        lines += check("--order-by", "version", "-", text=ORDERS)
        lines += check("-", text=FIELDS)
        lines += check("-", text=INCOMPLETE) + check("-", text=support.run(*LATE))
        lines += check("--decider", "stack-monitor", "examples/queue-violation.txt", "no-such-file")
        self.conform("check-1", lines)
        self.everything_is_told("check-1", lines, {"depth"})
        kinds = {(line.get("verdict"), line.get("reason")) for line in lines}
        self.assertLessEqual({("linearizable", ""), ("violation", ""), ("unknown", "time"), ("unknown", "internal"),
                              (None, None)}, kinds)

    def test_the_names_are_those_of_the_headers(self):
        definitions = support.schema_of("check-1")["$defs"]
        header = (support.ROOT / "include/linchpin/verdict.hpp").read_text(encoding="utf-8")

        def names(of):
            body = re.search(rf"enum class {of} : \S+ {{(.*?)}};", header, re.DOTALL).group(1)
            return re.findall(r"\b([a-z_]+)\b\s*(?:,|$)", re.sub(r"//.*", "", body).strip())

        self.assertEqual(definitions["kind"]["enum"], names("Verdict"))
        self.assertEqual(definitions["reason"]["enum"], ["" if name == "none" else name for name in names("Reason")])
        for name in support.names():
            text = (support.ROOT / "docs/schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
            if '"linearizable"' in text and name != "check-1":
                self.assertIn('["linearizable", "violation", "unknown"]', text)

    def test_what_contradicts_itself_is_refused(self):
        """The schema says more than which properties there are."""
        good = support.lines_of(support.run("check", "--json", "examples/queue.txt", "examples/queue-violation.txt"))
        changes = [
            (0, lambda line: line.pop("verdict")),
            (0, lambda line: line.update(verdict="maybe")),
            (0, lambda line: line.update(reason="time")),
            (0, lambda line: line.update(operations=-1)),
            (0, lambda line: line.update(error={"code": "syntax", "line": 1, "column": 1, "message": "", "hint": ""})),
            (0, lambda line: line["objects"][0].update(core=[1])),
            (0, lambda line: line["objects"][0].update(witness_checked=False)),
            (0, lambda line: line["objects"][0].update(explanation=good[1]["objects"][0]["explanation"])),
            (1, lambda line: line["objects"][0].update(core=["first"])),
            (1, lambda line: line["objects"][0].update(witness_checked=True)),
            (1, lambda line: line["objects"][0].update(blocked=1.5)),
            (1, lambda line: line["objects"][0]["explanation"]["core"][0].update(arguments=[1])),
            (1, lambda line: line["objects"][0].pop("sentence")),
        ]
        for number, (which, change) in enumerate(changes):
            line = support.lines_of(support.run("check", "--json", "examples/queue.txt",
                                                "examples/queue-violation.txt"))[which]
            self.assertIsNone(support.complaint("check-1", line))
            change(line)
            self.assertIsNotNone(support.complaint("check-1", line), f"change {number}")

    def test_later_versions_may_add_properties(self):
        line = support.lines_of(support.run("check", "--json", "examples/queue.txt"))[0]
        line["objects"][0]["more"] = line["more"] = 1
        self.assertIsNone(support.complaint("check-1", line))
        self.assertEqual(support.unnamed("check-1", line), ["/objects[]/more", "/more"])

    def test_shards_and_what_they_are_merged_into(self):
        files = ["examples/queue.txt", "examples/queue-violation.txt", "examples/two-locks.txt"]
        with tempfile.TemporaryDirectory() as folder:
            shards = [pathlib.Path(folder) / f"{number}.jsonl" for number in (1, 2)]
            for number, path in enumerate(shards, 1):
                path.write_text(support.run("check", "--json", "--all", "--shard", f"{number}/2", *files), encoding="utf-8")
            lines = [line for path in shards for line in support.lines_of(path.read_text(encoding="utf-8"))]
            beside = [line for line in lines if "file" not in line]
            self.assertEqual(len(beside), 4)
            answers = [line for line in lines if "file" in line]
            self.conform("check-1", self.unsealed(answers))
            beside += [support.lines_of(support.run("merge", "--json", *given))[-1] for given in (shards, shards[:1])]
            self.conform("shard-1", beside)
            self.everything_is_told("shard-1", beside)
            parts = pathlib.Path(folder) / "parts"
            support.run("split", "-", "-o", parts, "--parts", "2", text=support.run("generate", "map", "-n", "50"))
            manifest = support.lines_of((parts / "split.json").read_text(encoding="utf-8").replace("\n", ""))
        self.conform("split-1", manifest)
        self.everything_is_told("split-1", manifest)

    def test_depth_and_witness(self):
        inputs = ["examples/queue.txt", "examples/queue-violation.txt", "examples/two-locks.txt"]
        lines = support.lines_of(support.run("depth", "--json", "--by-segment", "--true-depth", *inputs, "no-such-file",
                                             codes=(2,)))
        lines += support.lines_of(support.run("depth", "--json", "--time-limit", "1ms", "-", text=support.run(*LONG)))
        lines += support.lines_of(support.run("depth", "--json", "--count-all", "examples/queue.txt"))
        lines += support.lines_of(support.run("depth", "--json", "-", text=OMITTED))
        self.conform("depth-1", lines)
        self.everything_is_told("depth-1", lines)
        with tempfile.TemporaryDirectory() as folder:
            witness = pathlib.Path(folder) / "witness.json"
            support.run("check", "-q", "--witness", witness, *inputs, "-", text=OMITTED)
            lines = support.lines_of(witness.read_text(encoding="utf-8"))
        self.assertEqual(len(lines), 4)
        self.conform("witness-1", lines)
        self.everything_is_told("witness-1", lines)

    def test_types_and_formats(self):
        for name in ("types", "formats"):
            lines = support.lines_of(support.run(name, "--json"))
            self.conform(f"{name}-1", lines)
            self.everything_is_told(f"{name}-1", lines)
            self.assertEqual(len({line["name"] for line in lines}), len(lines))

    def test_reach(self):
        if shutil.which("spin") is None or shutil.which("cc") is None:
            self.skipTest("no model can be explored: spin or cc is not installed")
        reach = lambda model, *arguments: support.lines_of(support.run(  # noqa: E731
            "reach", "--json", "--type", "priority-queue ties=fifo", f"examples/models/{model}", *arguments))
        lines = reach("locked.pml", "--capacity", "1", "--priorities", "1") + reach("wrong_empty.pml", "--capacity", "2")
        lines += reach("locked.pml", "--time-limit", "1ms")
        self.assertEqual([line["verdict"] for line in lines], ["linearizable", "violation", "unknown"])
        self.conform("reach-1", lines)
        self.everything_is_told("reach-1", lines)

    def test_stress(self):
        if "\n  stress " not in support.run("--help"):
            self.skipTest("this build has no linchpin stress")
        lines = support.lines_of(support.run("stress", "--json", "--rounds", "20", "-n", "20", "locked-queue"))
        # With stress points: it is found in few rounds.
        lines += support.lines_of(support.run("stress", "--json", "--time", "60", "planted-early-unlock"))
        self.assertEqual([line["verdict"] for line in lines], ["linearizable", "violation"])
        self.conform("stress-1", lines)
        self.assertEqual(set(support.schema_of("stress-1")["required"]), set(lines[0]))

    def test_explore(self):
        if "\n  explore " not in support.run("--help"):
            self.skipTest("this build has no linchpin explore")
        # Not in every build: another processor, or sanitizers.
        if "cannot run" in support.run("explore", "locked-queue", "--beyond", "0", codes=(0, 2)):
            self.skipTest("this build cannot explore")
        lines = []
        for arguments in (["locked-queue", "--beyond", "0"], ["planted-lost-update", "--strategy", "dpor"],
                          ["planted-missing-release", "--memory", "c++20"], ["locked-queue", "--scenario", "fly"]):
            lines += support.lines_of(support.run("explore", "--json", *arguments, codes=(0, 1, 2, 3)))
        lines += self.unsealed(support.lines_of(support.run("explore", "locked-queue", "--json", "--shard", "1/2"))[1:2])
        self.conform("explore-1", lines)
        self.assertEqual({line["finding"] == "none" for line in lines}, {True, False})
        named = set(support.schema_of("explore-1")["properties"])
        self.assertEqual(named - {key for line in lines for key in line}, set())


if __name__ == "__main__":
    unittest.main()

"""The schema of JSON Lines and its reader agree: what is read conforms, and what does not conform is not read.

What a schema cannot say (docs/formats/jsonl.md) is not tried here: keys that stand twice, 1.0 for an integer, integers
beyond 64 bits in values, what lines say together."""

import copy
import json
import random
import unittest

import support

HEADER = '{"linchpin":1,"type":"register"}'
OPERATION = {"process": "a", "call": 1, "response": 2, "method": "write", "arguments": [7], "result": None,
             "object": None, "fields": {"revision": 3}}
WHOLE = {"linchpin": 1, "type": "register initial=0", "operations": [["a", 1, 2, "write", [7], None, None, {"revision": 3}]]}
OF_THE_READER = {"syntax", "bad_number", "missing_field", "encoding", "truncated", "unsupported"}
NO_OPTION = "is not an option of a type"  # what is no NAME=VALUE; that a type has no such option is said otherwise

# (what is wrong, a line): neither conforms nor is read.
WRONG = [
    ("no object", [1, 2]),
    ("no object", "text"),
    ("no object", None),
    ("another version", {"linchpin": 2}),
    ("a version in quotes", {"linchpin": "1"}),
    ("an unknown key of a header", {"linchpin": 1, "typ": "queue"}),
    ("an operation's key in a header", {"linchpin": 1, "call": 1}),
    ("a type that is no text", {"linchpin": 1, "type": 7}),
    ("a type that is null", {"linchpin": 1, "type": None}),
    ("an option without a value", {"linchpin": 1, "type": "queue x"}),
    ("an option without a name", {"linchpin": 1, "type": "queue =3"}),
    ("objects as a list", {"linchpin": 1, "objects": ["a"]}),
    ("an object's type that is no text", {"linchpin": 1, "objects": {"a": 1}}),
    ("an object's option without a value", {"linchpin": 1, "objects": {"a": "queue x"}}),
    ("annotations as an object", {"linchpin": 1, "annotations": {}}),
    ("an annotation that is no object", {"linchpin": 1, "annotations": ["x"]}),
    ("an annotation without a beginning", {"linchpin": 1, "annotations": [{"text": "x"}]}),
    ("an annotation that begins with text", {"linchpin": 1, "annotations": [{"begin": "1"}]}),
    ("an annotation that ends with null", {"linchpin": 1, "annotations": [{"begin": 1, "end": None}]}),
    ("an annotation's text that is a number", {"linchpin": 1, "annotations": [{"begin": 1, "text": 2}]}),
    ("an unknown key of an annotation", {"linchpin": 1, "annotations": [{"begin": 1, "color": "red"}]}),
    ("operations as an object", {"linchpin": 1, "operations": {}}),
    ("an operation that is an object", {"linchpin": 1, "operations": [{}]}),
    ("an operation of three parts", {"linchpin": 1, "operations": [["a", 1, 2]]}),
    ("an operation of nine parts", {"linchpin": 1, "operations": [["a", 1, 2, "read", [], 1, None, {}, 1]]}),
    ("a process that is a list", {"linchpin": 1, "operations": [[[], 1, 2, "read"]]}),
    ("arguments that are null", {"linchpin": 1, "operations": [["a", 1, 2, "read", None]]}),
    ("no method", {"call": 1, "response": 2}),
    ("no call", {"response": 2, "method": "read"}),
    ("no response", {"call": 1, "method": "read"}),
    ("an unknown key", {"call": 1, "response": 2, "method": "read", "rezult": 1}),
    ("a key in capitals", {"Call": 1, "response": 2, "method": "read"}),
    ("a call in quotes", {"call": "1", "response": 2, "method": "read"}),
    ("a call that is null", {"call": None, "response": 2, "method": "read"}),
    ("a fraction as a call", {"call": 1.5, "response": 2, "method": "read"}),
    ("a call that is true", {"call": True, "response": 2, "method": "read"}),
    ("a tick that means never", {"call": 1, "response": 9223372036854775807, "method": "read"}),
    ("a tick of more than 64 bits", {"call": -9223372036854775809, "response": 1, "method": "read"}),
    ("a response in quotes", {"call": 1, "response": "2", "method": "read"}),
    ("a response that is false", {"call": 1, "response": False, "method": "read"}),
    ("a method that is a number", {"call": 1, "response": 2, "method": 7}),
    ("a method that is null", {"call": 1, "response": 2, "method": None}),
    ("a process that is an object", {"process": {}, "call": 1, "response": 2, "method": "read"}),
    ("a process that is true", {"process": True, "call": 1, "response": 2, "method": "read"}),
    ("a fraction as a process", {"process": 0.5, "call": 1, "response": 2, "method": "read"}),
    ("a process of more than 64 bits", {"process": 9223372036854775808, "call": 1, "response": 2, "method": "read"}),
    ("arguments that are no list", {"call": 1, "response": 2, "method": "write", "arguments": 7}),
    ("arguments that are null", {"call": 1, "response": 2, "method": "read", "arguments": None}),
    ("an object's name that is a number", {"call": 1, "response": 2, "method": "read", "object": 1}),
    ("an object as a value", {"call": 1, "response": 2, "method": "write", "arguments": [{"a": 1}]}),
    ("an empty object as a value", {"call": 1, "response": 2, "method": "read", "result": {}}),
    ("an object in a list", {"call": 1, "response": 2, "method": "read", "result": [1, [{"x": True}]]}),
    ("unknown that is false", {"call": 1, "response": 2, "method": "read", "result": {"?": False}}),
    ("unknown that is 1", {"call": 1, "response": 2, "method": "read", "result": {"?": 1}}),
    ("none that is null", {"call": 1, "response": 2, "method": "read", "result": {"none": None}}),
    ("unknown and none", {"call": 1, "response": 2, "method": "read", "result": {"?": True, "none": True}}),
    ("bytes that are a number", {"call": 1, "response": 2, "method": "read", "result": {"bytes": 10}}),
    ("an odd number of digits", {"call": 1, "response": 2, "method": "read", "result": {"bytes": "0"}}),
    ("bytes that are not hex", {"call": 1, "response": 2, "method": "read", "result": {"bytes": "0g"}}),
    ("bytes with a line feed", {"call": 1, "response": 2, "method": "read", "result": {"bytes": "00\n"}}),
    ("bytes with a sign", {"call": 1, "response": 2, "method": "read", "result": {"bytes": "-1"}}),
    ("fields as a list", {"call": 1, "response": 2, "method": "read", "fields": [1]}),
    ("a field that is an object", {"call": 1, "response": 2, "method": "read", "fields": {"error": {"code": 3}}}),
]

# What is at the edges, and is read.
RIGHT = [
    {"linchpin": 1},
    {"linchpin": 1, "type": ""},
    {"linchpin": 1, "type": "  queue  capacity=3\tx= "},
    {"linchpin": 1, "objects": {"": None, "ä\n": "queue"}, "annotations": []},
    {"linchpin": 1, "annotations": [{"begin": 9223372036854775807, "end": -9223372036854775808, "text": "", "process": "", "colour": ""}]},
    {"linchpin": 1, "type": "register", "operations": []},
    {"linchpin": 1, "type": "register", "operations": [[None, 1, None, "read"], ["a", 1, 2, "read", [], None], [3, 1, 2, "read", [], {"?": True}, None, None]]},
    {"call": -9223372036854775808, "response": 9223372036854775806, "method": "read", "result": 18446744073709551615},
    {"process": -9223372036854775808, "call": 1, "response": 1, "method": "read", "result": -9223372036854775808},
    {"process": None, "call": 1, "response": None, "method": "read", "fields": {"a": None, "b": -9223372036854775808, "c": "n1", "d": 1.5, "e": [1, ["x"]], "": True}},
    {"call": 1, "response": 2, "method": "read", "result": 1.5, "fields": None, "object": None},
    {"call": 1, "response": 2, "method": "read", "result": 1e300},
    {"call": 1, "response": 2, "method": "read", "result": {"bytes": "00fFaB"}},
    {"call": 1, "response": 2, "method": "read", "result": {"bytes": ""}},
    {"call": 1, "response": 2, "method": "write", "arguments": [[1, [None, True, ["x"]]]]},
    {"call": 1, "response": 2, "method": "read", "result": {"none": True}},
]


def refuses(error):
    """Whether a line does not follow the grammar. What else check says is about the type, or what lines say together."""
    return error is not None and (error["code"] in OF_THE_READER or NO_OPTION in error["message"])


def read(lines):
    """Of each line as a history: the reader's complaint, or None. In one run, so that thousands are quick."""
    text = ""
    for line in lines:
        header = isinstance(line, dict) and "linchpin" in line
        text += ("" if header else HEADER + "\n") + json.dumps(line) + "\n"
    answers = support.lines_of(support.run("check", "--json", "--no-witness", "--time-limit", "1s", "-", text=text,
                                           codes=(0, 1, 2, 3)))
    assert len(answers) == len(lines), f"{len(answers)} histories of {len(lines)}"
    found = [answer.get("error") for answer in answers]
    return [error if refuses(error) else None for error in found]


class JsonLines(unittest.TestCase):
    def test_what_is_read_conforms(self):
        """Every line of the repository of which the reader takes the whole history, and all that is written."""
        texts = [path.read_text(encoding="utf-8") for folder in ("src/formats/jsonl/examples", "fuzz/corpus/jsonl",
                                                                 "examples", "tests/cli/inputs")
                 for path in sorted((support.ROOT / folder).iterdir())
                 if path.is_file() and path.read_bytes().startswith(b'{"linchpin"')]
        self.assertGreaterEqual(len(texts), 6)
        for path in sorted((support.ROOT / "examples").iterdir()):
            if path.suffix in (".txt", ".edn", ".log", ".hist") and path.stem != "CMakeLists":
                texts.append(support.run("convert", "--to", "jsonl", path, "-"))
        for name in (line["name"] for line in support.lines_of(support.run("types", "--json"))):
            texts.append(support.run("generate", name, "--methods", "all", "-n", "40", "--pending", "2", "--unknown", "0.1",
                                     "--objects", "2", "--format", "jsonl"))
        conforming = 0
        for text in texts:
            groups = []  # of lines: those of one history
            for line in text.splitlines():
                if '"linchpin"' in line or not groups:
                    groups.append([])
                if line.strip():
                    groups[-1].append(line)
            answers = support.lines_of(support.run("check", "--json", "--no-witness", "-", text=text, codes=(0, 1, 2, 3)))
            self.assertEqual(len(answers), len(groups), text[:300])
            for group, answer in zip(groups, answers):
                if refuses(answer.get("error")):
                    continue
                conforming += 1
                for line in group:
                    self.assertIsNone(support.complaint("jsonl-1", json.loads(line)), line)
        self.assertGreater(conforming, 40)

    def test_edges_are_read_and_conform(self):
        for line, error in zip(RIGHT, read(RIGHT)):
            self.assertIsNone(error, line)
            self.assertIsNone(support.complaint("jsonl-1", line), line)

    def test_what_is_wrong_is_refused_by_both(self):
        for (what, line), error in zip(WRONG, read([line for _, line in WRONG])):
            self.assertIsNotNone(error, f"{what} is read: {line}")
            self.assertIsNotNone(support.complaint("jsonl-1", line), f"{what} conforms: {line}")

    def test_lines_that_are_changed_at_random_are_refused_by_both_or_by_none(self):
        dice = random.Random(20261123)
        values = [None, True, False, 0, -1, 2, 1.5, "", "a", "queue x=1", [], [1], {}, {"?": True}, {"none": True},
                  {"bytes": "0a"}, {"bytes": "xy"}, {"a": 1}, {"a": None}, [{"begin": 1}], {"begin": 1}]
        keys = [*OPERATION, "linchpin", "type", "objects", "annotations", "operations", "begin", "?", "other"]

        def places(value, path=()):
            yield path
            inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            for key, each in inner:
                yield from places(each, (*path, key))

        def changed(line):
            path = dice.choice([path for path in places(line) if path])
            inner = line
            for key in path[:-1]:
                inner = inner[key]
            kind = dice.randrange(3)
            if kind == 0:
                inner[path[-1]] = copy.deepcopy(dice.choice(values))
            elif kind == 1:
                del inner[path[-1]]
            elif isinstance(inner, dict):
                inner[dice.choice(keys)] = copy.deepcopy(dice.choice(values))
            else:
                inner.insert(dice.randrange(len(inner) + 1), copy.deepcopy(dice.choice(values)))
            return line

        lines = []
        for number in range(4000):
            line = changed(copy.deepcopy((OPERATION, WHOLE)[number % 2]))
            if dice.random() < 0.3 and any(places(line)) and line:
                line = changed(line)
            lines.append(line)
        refused = 0
        for line, error in zip(lines, read(lines)):
            complaint = support.complaint("jsonl-1", line)
            self.assertEqual(complaint is None, error is None, f"{line}\nschema: {complaint}\nreader: {error}")
            refused += complaint is not None
        self.assertGreater(refused, 1000)
        self.assertLess(refused, 3500)


if __name__ == "__main__":
    unittest.main()

"""The package as pip builds and installs it, without a network and beside whatever else is installed."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

PACKAGE = pathlib.Path(__file__).parents[1]
MISSING = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None]


@unittest.skipIf(MISSING, f"Python lacks {', '.join(MISSING)} (Debian: python3-pip, python3-setuptools, python3-wheel)")
class Wheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_python(self, *arguments, **environment):
        done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                              check=False, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_is_built_installed_and_used(self):
        # A copy: setuptools leaves things beside what it builds.
        source = self.folder / "source"
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info", "tests"))
        self.run_python("-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", self.folder, source)
        (wheel,) = self.folder.glob("linchpin-*-py3-none-any.whl")
        inside = set(zipfile.ZipFile(wheel).namelist())
        self.assertLessEqual({f"linchpin/{path.name}" for path in (PACKAGE / "linchpin").glob("*.py")}, inside)
        target = self.folder / "target"
        self.run_python("-m", "pip", "install", "--no-deps", "--no-index", "--target", target, wheel)
        page = (PACKAGE.parents[1] / "docs" / "bindings" / "python.md").read_text(encoding="utf-8")
        ten_lines = re.search(r"## Ten lines\n\n```python\n(.*?)```", page, re.DOTALL).group(1)
        told = self.run_python("-c", f"{ten_lines}\nprint(linchpin.__file__)", PYTHONPATH=str(target))
        self.assertIn("came too early", told)
        self.assertEqual(pathlib.Path(told.splitlines()[-1]).parent, target / "linchpin")
        names = self.run_python("-c", "import importlib.metadata as metadata; "
                                "print([e.value for e in metadata.distribution('linchpin').entry_points])",
                                PYTHONPATH=str(target))
        self.assertIn("linchpin.pytest_plugin", names)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Runs the examples of the documentation through amp-opt.

Every ```mlir block in README.md and docs/**/*.md of the given root must parse
and verify by itself. A block that starts with `// RUN: amp-opt FLAGS` is run
with those flags; when the next block starts with `// OUTPUT`, the two results
must be the same program. One that starts with `// RUN: not amp-opt FLAGS` must
fail, and one with `// RUN: warn amp-opt FLAGS` must not; each of its lines
`// EXPECT: TEXT` must stand in what is printed to the user. What follows a line
`// FILE: NAME` of such a block, up to its end or the next one, is that file beside
the program. In docs/generated every op must stand in an example of its page, and every pass must have an example of its own. Exits with 1, and one message per mistake, when something is wrong.
"""
import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

FENCE = re.compile(r"^\s*```")
HEADING = re.compile(r"^(#+)\s")
# `amp.op (amp::Op)` of the op reference and `-amp-pass` of the pass reference.
DOCUMENTED = re.compile(r"^### `(amp\.\w+|-amp-[\w-]+)`")


class Example:
    """A ```mlir block: its text, and the line of its opening fence."""

    def __init__(self, line, text):
        self.line = line
        self.text = textwrap.dedent(text)
        first = self.text.lstrip().split("\n", 1)[0].strip()
        run = re.match(r"//\s*RUN:\s*(?:(not|warn)\s+)?amp-opt\b(.*)", first)
        self.flags = shlex.split(run.group(2)) if run else None
        self.kind = run.group(1) if run else None
        self.expected = re.findall(r"^//\s*EXPECT:\s*(.*?)\s*$", self.text, re.MULTILINE)
        # The program, and the files beside it: name, text, name, text.
        program, *files = re.split(r"^//\s*FILE:\s*(\S+)\s*\n", self.text, flags=re.MULTILINE)
        self.files = dict(zip(files[::2], files[1::2]))
        if self.files:
            self.text = program
        self.is_output = bool(re.match(r"//\s*OUTPUT\b", first))


def parse_page(path):
    """Returns the examples of a page, and (name, line, has example) of each
    op and pass that it documents."""
    examples, documented, block, start = [], [], None, 0
    in_other_block = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if FENCE.match(line):
            if block is not None:
                examples.append(Example(start, "\n".join(block)))
                block = None
            elif in_other_block:
                in_other_block = False
            elif line.strip() == "```mlir":
                block, start = [], number
                if documented:
                    documented[-1][2] = True
            else:
                in_other_block = True
        elif block is not None:
            block.append(line)
        elif not in_other_block and HEADING.match(line):
            match = DOCUMENTED.match(line)
            if match:
                documented.append([match.group(1), number, False])
    return examples, documented


def run_amp_opt(tool, flags, text, folder=None):
    return subprocess.run(
        [tool, "--allow-unregistered-dialect", *flags], input=text, capture_output=True, text=True, cwd=folder
    )


def check_diagnostics(tool, example):
    """The mistake of an example of a diagnostic; None if it shows what it says."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in example.files.items():
            (pathlib.Path(folder) / name).write_text(text)
        result = run_amp_opt(tool, example.flags, example.text, folder)
    if result.returncode not in (0, 1):
        return f"amp-opt crashed:\n{result.stderr.rstrip()}"
    if (result.returncode != 0) != (example.kind == "not"):
        return "example was expected to " + ("fail" if example.kind == "not" else "succeed")
    if not example.expected:
        return "example of a diagnostic has no line `// EXPECT: TEXT`"
    for text in example.expected:
        if text not in result.stderr:
            return f"expected '{text}', but found:\n{result.stderr.rstrip()}"
    return None


def amp_opt(tool, flags, text):
    """Runs amp-opt over text; returns (succeeded, output or diagnostics)."""
    result = run_amp_opt(tool, flags, text)
    return result.returncode == 0, result.stdout if result.returncode == 0 else result.stderr


def check_page(tool, path, is_reference):
    """Yields (line, message) for each mistake in the page."""
    examples, documented = parse_page(path)
    if is_reference:
        for subject, line, has_example in documented:
            if not subject.startswith("-"):
                has_example = any(re.search(rf"\b{re.escape(subject)}\b", e.text) for e in examples)
            if not has_example:
                yield line, f"`{subject}` has no example: add a complete ```mlir block to its description"
    previous = None
    for example in examples:
        if example.kind:
            mistake = check_diagnostics(tool, example)
            if mistake:
                yield example.line, mistake
            previous = None
            continue
        succeeded, printed = amp_opt(tool, example.flags or [], example.text)
        if not succeeded:
            yield example.line, f"example does not parse or verify:\n{printed.rstrip()}"
        elif example.is_output:
            if previous is None:
                yield example.line, "`// OUTPUT` needs a block with `// RUN: amp-opt` before it"
            elif printed != previous:
                diff = difflib.unified_diff(
                    printed.splitlines(), previous.splitlines(), "documented", "printed", lineterm=""
                )
                yield example.line, "the output of the example above differs:\n" + "\n".join(diff)
        previous = printed if succeeded and example.flags is not None else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--amp-opt", required=True, type=pathlib.Path, help="the amp-opt to run")
    parser.add_argument("root", type=pathlib.Path, help="the source tree")
    args = parser.parse_args()
    pages = [args.root / "README.md", *sorted((args.root / "docs").glob("**/*.md"))]
    mistakes = examples = 0
    for page in pages:
        name = page.relative_to(args.root)
        examples += len(parse_page(page)[0])
        for line, message in check_page(args.amp_opt.resolve(), page, name.parts[:2] == ("docs", "generated")):
            print(f"{name}:{line}: error: {message}", file=sys.stderr)
            mistakes += 1
    print(f"ran {examples} examples of {len(pages)} pages")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())

"""Opens the page argv[2] in the browser argv[1], and uses it: the script in
`USE` runs in a copy of the page, and fails loudly. Any line on the console is an
error. With argv[3] a picture of the page as it opens is written there."""
import os
import re
import subprocess
import sys
import tempfile

USE = """
<script>
"use strict";
{
  const check = (holds, what) => { if (!holds) throw new Error(what); };
  const shown = () => [...document.querySelectorAll("#ops tbody tr")].filter(row => row.getClientRects().length);
  const cell = (row, column) => row.cells[column].dataset.key;
  const set = (id, value) => {
    const control = document.getElementById(id);
    if (control.type === "checkbox") control.checked = value; else control.value = value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const all = document.querySelectorAll("#ops tbody tr").length;
  const start = shown().length;
  check(start > 0 && start < all, "constants are hidden at first");
  set("borders", true);
  check(shown().length === all, "and shown when asked for");
  set("policy", "lower_precision_fp");
  const lowered = shown().length;
  check(lowered > 0 && lowered < all, "the policy filters");
  check(shown().every(row => row.textContent.includes("lower_precision_fp")), "for that policy");
  set("policy", "");
  set("precision", "low");
  check(shown().length >= lowered && shown().every(row => row.classList.contains("low")), "the precision filters");
  set("precision", "");
  set("words", "MATMUL f16");
  check(shown().length === 1, "all words filter, in any case");
  set("words", "no such words");
  check(shown().length === 0, "nothing is left");
  check(document.getElementById("count").textContent === `0 of ${all} rows`, "and it is counted");
  set("words", "");
  const titles = [...document.querySelectorAll("#ops thead button")].map(button => button.textContent);
  check(["Min", "Max", "Absmax", "NaN", "Inf", "Zero", "Subnormal", "Subnormal in f16"].every(title => titles.includes(title)), "there are ranges");
  const absmax = shown().map(row => Number(cell(row, titles.indexOf("Absmax"))));
  check(absmax.filter(key => key > 0).length > 5 && absmax.includes(-Number.MAX_VALUE), "of some ops, and not of others");
  const buttons = [...document.querySelectorAll("#ops thead button")];
  for (const [column, button] of buttons.entries()) {
    const header = button.closest("th"), isNumber = header.classList.contains("number");
    const compare = (a, b) => isNumber ? Number(a) - Number(b) : a.localeCompare(b, undefined, { numeric: true });
    for (const [order, sign] of [["ascending", 1], ["descending", -1]]) {
      button.click();
      check(header.getAttribute("aria-sort") === order, `column ${column} says that it is ${order}`);
      const keys = shown().map(row => cell(row, column));
      check(keys.every((key, i) => i === 0 || sign * compare(keys[i - 1], key) <= 0), `column ${column} is ${order}`);
    }
    check(document.querySelectorAll("#ops [aria-sort]").length === 1, "one column is sorted");
  }
  check(window.alert.name === "alert" && !window.wasRun, "no text of the program ran");
  document.body.dataset.used = "yes";
}
</script>
"""


def browse(browser, page, *options):
    """The standard output of the browser, once for a start that fails for no reason of ours."""
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                   "--disable-dev-shm-usage", "--enable-logging=stderr", "--log-level=0", "--user-data-dir=" + profile,
                   *options, "file://" + os.path.abspath(page)]
        for attempt in (1, 2):
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=240)
                break
            except subprocess.TimeoutExpired:
                if attempt == 2:
                    raise
    console = re.findall(r".*CONSOLE.*", done.stderr)
    assert not console, "\n".join(console)
    assert done.returncode == 0, done.stderr
    return done.stdout


browser, page, *picture = sys.argv[1:]
text = open(page, encoding="utf-8").read()
assert 'data-used="yes"' not in browse(browser, page, "--dump-dom")
used = page + ".used.html"
with open(used, "w", encoding="utf-8") as file:
    file.write(text.replace("</body>", USE + "</body>"))
assert 'data-used="yes"' in browse(browser, used, "--dump-dom"), "the page could not be used"
# The check of the console is one that can fail.
broken = page + ".broken.html"
with open(broken, "w", encoding="utf-8") as file:
    file.write(text.replace("</body>", "<script>throw new Error('on purpose');</script></body>"))
try:
    browse(browser, broken, "--dump-dom")
except AssertionError as error:
    assert "on purpose" in str(error), error
else:
    sys.exit("an error on the console was not seen")
if picture:
    browse(browser, page, "--window-size=2300,1180", "--screenshot=" + os.path.abspath(picture[0]))
    assert open(picture[0], "rb").read(8) == b"\x89PNG\r\n\x1a\n"

"""Checks the page argv[1]: tags nest, ids and references agree, rows have a cell
for each column, nothing is loaded from elsewhere, and the texts argv[2:] stand in
it as text."""
import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "hr", "img"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack, self.ids, self.refs, self.texts, self.scripts = [], [], [], [], 0
        self.tables, self.labelled = [], 0

    def handle_starttag(self, tag, attrs):
        keys = [key for key, _ in attrs]
        assert len(keys) == len(set(keys)), f"line {self.getpos()[0]}: an attribute of <{tag}> is there twice"
        values = dict(attrs)
        for key in keys:
            assert not key.startswith("on"), f"an inline handler: {key}"
        for key in ("src", "href", "action"):
            assert values.get(key, "data:,") == "data:,", f"<{tag} {key}={values[key]}>"
        if "id" in values:
            self.ids.append(values["id"])
        for key in ("aria-labelledby", "for"):
            if key in values:
                self.refs.append(values[key])
        if tag == "script":
            self.scripts += 1
        if tag in ("input", "select"):
            assert "label" in self.stack, f"<{tag}> has no label"
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append(0)
        if tag in ("td", "th"):
            self.tables[-1][-1] += 1
        if tag == "th":
            assert values.get("scope") in ("row", "col"), "a header without a scope"
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack and self.stack[-1] == tag, f"line {self.getpos()[0]}: </{tag}> in {self.stack}"
        self.stack.pop()

    def handle_data(self, data):
        self.texts.append(data)


text = open(sys.argv[1], encoding="utf-8").read()
assert text.startswith("<!DOCTYPE html>")
assert "{{" not in text and "http:" not in text and "https:" not in text
page = Page()
page.feed(text)
page.close()
assert not page.stack, page.stack
assert len(page.ids) == len(set(page.ids)), page.ids
assert set(page.refs) <= set(page.ids), page.refs
assert page.scripts == 1, page.scripts
for rows in page.tables:
    assert len(rows) > 1 and len(set(rows)) == 1, rows
for wanted in sys.argv[2:]:
    assert any(wanted in found for found in page.texts), wanted

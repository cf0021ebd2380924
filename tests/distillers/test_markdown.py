"""Blocks of a chat turn: prose and items without their scaffolding."""

from __future__ import annotations

import pytest

from seci.distillers.markdown import clean_inline, parse_blocks


def test_blocks_of_a_typical_answer() -> None:
    text = (
        "## The cause\n\nThe cache key\nlacks the **tenant**.\n\n- first `a.py:12`\n  goes on\n2. second\n\n"
        "```python\nprint('x')\n```\n\n| name | value |\n|---|---|\n| ttl | 60 |\n\n> pasted line"
    )
    found = [(block.kind, block.text) for block in parse_blocks(text) if block.text]
    assert found == [
        ("heading", "The cause"),
        ("para", "The cache key lacks the tenant."),
        ("item", "first `a.py` goes on"),
        ("item", "second"),
        ("code", "print('x')"),
        ("row", "name value"),
        ("row", "ttl 60"),
        ("quote", "pasted line"),
    ]


def test_a_bold_start_is_a_label() -> None:
    item = parse_blocks("- **Retry** - three times with a pause")[0]
    assert (item.label, item.text) == ("Retry", "three times with a pause")


def test_a_bold_line_is_a_heading() -> None:
    assert [block.kind for block in parse_blocks("**What went wrong:**\n\nThe disk was full.")] == ["heading", "para"]


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("**bold** and *thin* and ~~gone~~", "bold and thin and gone"),
        ("see [the guide](https://example.org/a(b)) now", "see the guide now"),
        ("✅ ready 🚀", "ready"),
        ("in `app/main.py:10-20` and main.go:7", "in `app/main.py` and main.go"),
        ("call `f(*args)` twice", "call `f(*args)` twice"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("the guard (lines 12-30) fails", "the guard fails"),
    ],
)
def test_inline_markup_goes_and_names_stay(raw: str, clean: str) -> None:
    assert clean_inline(raw) == clean


def test_an_unclosed_fence_swallows_only_code() -> None:
    assert [(b.kind, b.text) for b in parse_blocks("Before.\n```\ncode\nmore")] == [
        ("para", "Before."),
        ("code", "code\nmore"),
    ]

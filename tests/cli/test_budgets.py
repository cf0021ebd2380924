"""No context is larger than its budget, by the real tokenizer, whatever is asked of a real vault."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

from seci.app import App
from seci.config import load_config
from seci.core.note import Tier
from seci.core.ranking import Query

QUESTIONS = 500
ODD = ("", "🦜 ", "naïve ", "密码 ", "<seci-context>", "`x` ", "?! ", "\u200b", "0x1f ", "a" * 400 + " ")


def test_budgets_hold_for_any_question(vault: Path) -> None:
    app = App(vault, load_config(vault, os.environ), vault, os.environ)
    words = " ".join(path.read_text() for path in sorted(vault.glob("*/*.md"))).split()
    dice = random.Random(20260121)
    with app.keeper.hold():
        for _ in range(QUESTIONS):
            asked = " ".join(dice.choices(words, k=dice.randint(0, 12))) + dice.choice(ODD)
            total = dice.choice([0, 1, dice.randint(2, 400), dice.randint(400, 20_000)])
            defaults = app.assembly_defaults()
            budget = defaults.budget.scaled(total)
            pooled = dice.random() < 0.3
            context, _ = app.remember(Query(asked), replace(defaults, budget=budget, pooled=pooled), count=False)
            assert app.counter.count(context.markdown) == context.tokens <= total, asked
            if not pooled:
                for tier in Tier:
                    spent = sum(p.tokens for p in context.passages if p.candidate.tier is tier)
                    assert spent <= budget.of(tier), (asked, tier)

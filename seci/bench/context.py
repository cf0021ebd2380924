"""Whether what a question needs reaches the context: recall of evidence turns within a token budget.

A context recalls a question when one of its passages cites a turn that answers it: a note by its sources, a quotation
by itself. Mixes of the five signals are compared on the same vault and the same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from seci.app import App
from seci.bench.datasets import Case, Corpus, Place
from seci.bench.metrics import score_difference
from seci.core.context import Context
from seci.core.ranking import Query
from seci.core.scoring import SignalWeights

BUDGETS = (600, 1000, 4000)
PROMPT_BUDGET = 600  # tokens that a hook has for a prompt


@dataclass(frozen=True, slots=True)
class MixRun:
    """One mix of signals: for each budget, whether each question was recalled, and the tokens of its context."""

    weights: SignalWeights
    recalled: Mapping[int, tuple[bool, ...]]
    tokens: Mapping[int, tuple[int, ...]]


def run_context(
    app: App,
    corpus: Corpus,
    mixes: Sequence[SignalWeights],
    budgets: Sequence[int] = BUDGETS,
    progress: Callable[[int, int | None], None] = lambda steps, total: None,
) -> list[MixRun]:
    """Asks every question of the vault with every mix and budget. Nothing that is put into a context counts as used,
    and `now` is the end of the last session, so that a run repeats."""
    now = max((s.ended for s in corpus.sessions if s.ended), default=datetime.now(UTC))
    defaults = app.assembly_defaults()
    runs = []
    for mix in mixes:
        recalled: dict[int, list[bool]] = {budget: [] for budget in budgets}
        tokens: dict[int, list[int]] = {budget: [] for budget in budgets}
        for case in corpus.cases:
            for budget in budgets:
                options = replace(defaults, weights=mix, budget=defaults.budget.scaled(budget))
                context, _ = app.remember(Query(case.text, now=now), options, count=False)
                recalled[budget].append(score_context(context, case))
                tokens[budget].append(context.tokens)
            progress(1, len(mixes) * len(corpus.cases))
        runs.append(MixRun(mix, _frozen(recalled), _frozen(tokens)))
    return runs


def run_prompts(app: App, corpus: Corpus, budget: int = PROMPT_BUDGET) -> float:
    """The share of questions that a hook would answer with a passage that holds the evidence, were each a prompt typed
    in the project of its session."""
    projects = {session.key: app.project_of(session) for session in corpus.sessions}
    recalled = 0
    for case in corpus.cases:
        project = next((projects.get(place.session) for place in sorted(case.gold)), None)
        context = app.prompt_context(case.text, project, budget)
        recalled += context is not None and score_context(context, case)
    return recalled / len(corpus.cases)


def score_context(context: Context, case: Case) -> bool:
    """Whether a passage cites a turn that answers the question."""
    cited = {
        Place(source.session, turn)
        for passage in context.passages
        for source in passage.candidate.sources
        for turn in source.turns
    }
    return not case.gold.isdisjoint(cited)


def context_shape(runs: Sequence[MixRun], prompts: float) -> dict[str, Any]:
    """The first mix's recall by budget and that of prompts; where there are more mixes, each with its paired
    difference from the first."""
    first = runs[0]
    shape: dict[str, Any] = {
        "context_recall": _shares(first),
        "prompt_recall": {str(PROMPT_BUDGET): round(prompts, 4)},
        "questions": len(next(iter(first.recalled.values()))),
        "tokens": _means(first),
        "weights": _weights(first),
    }
    if len(runs) > 1:
        shape["mixes"] = [
            {"weights": _weights(run), "context_recall": _shares(run), "versus_first": _differences(run, first)}
            for run in runs
        ]
    return shape


def _shares(run: MixRun) -> dict[str, float]:
    return {str(budget): round(sum(hits) / len(hits), 4) for budget, hits in run.recalled.items()}


def _means(run: MixRun) -> dict[str, float]:
    return {str(budget): round(sum(counts) / len(counts), 1) for budget, counts in run.tokens.items()}


def _weights(run: MixRun) -> dict[str, float]:
    return {name: round(value, 4) for name, value in asdict(run.weights).items()}


def _differences(run: MixRun, first: MixRun) -> dict[str, dict[str, Any]]:
    found = {}
    for budget, hits in run.recalled.items():
        compared = score_difference([float(hit) for hit in hits], [float(hit) for hit in first.recalled[budget]])
        found[str(budget)] = {
            "difference": round(compared.difference, 4),
            "ci95": [round(compared.low, 4), round(compared.high, 4)],
            "p": round(compared.p, 5),
        }
    return found


def _frozen(lists: Mapping[int, Iterable[Any]]) -> dict[int, tuple[Any, ...]]:
    return {key: tuple(values) for key, values in lists.items()}

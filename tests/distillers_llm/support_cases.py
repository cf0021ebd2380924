"""Sessions and notes written for the faithfulness check: two dozen notes that paraphrase their turns, with figures,
names and identifiers, and ways to corrupt them."""

# ruff: noqa: E501  the texts

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Session
from tests.distillers_llm.scripted import session

_SESSIONS: list[tuple[tuple[str, ...], list[tuple[str, str, tuple[int, ...]]]]] = [
    (
        (
            "The nightly import takes 47 minutes since Tuesday, before it was 12. What happened?",
            "I looked at the query plan: the index orders_created_idx was dropped by migration 0093, so the planner scans "
            "all 8.4 million rows of orders. Recreating it with CREATE INDEX CONCURRENTLY avoids the lock.",
            "Do it, but on the replica first. And never drop an index in a migration without asking Ines.",
            "The index is back on the replica and then on the primary. The import ran in 11 minutes.",
            "How do we notice the next time?",
            "I added an alert to Grafana: it fires when import_duration_seconds is above 1200 for two runs in a row. It "
            "goes to the channel #data-oncall. The runbook is docs/runbooks/import.md.",
            "Good. Let us also keep the last 30 query plans, the tool pgplan-archive does that.",
            "Set up: pgplan-archive stores 30 plans a query in s3://plans-eu and prunes older ones on Sundays at 03:15.",
        ),
        [
            ("Dropping orders_created_idx made the nightly import slow",
             "Migration 0093 had removed orders_created_idx, so every run scanned the 8.4 million rows of orders and took "
             "47 minutes rather than 12. Recreating the index concurrently cured it.", (0, 1)),
            ("Indexes are not dropped in migrations without Ines's word",
             "A migration may not remove an index unless Ines was asked before; changes are tried on the replica first.", (2,)),
            ("Back to 11 minutes", "With the index on replica and primary again, the import needed 11 minutes.", (3,)),
            ("An alert watches the import's duration",
             "Grafana warns #data-oncall when import_duration_seconds exceeds 1200 in two runs one after the other; what to "
             "do then stands in docs/runbooks/import.md.", (5,)),
            ("Query plans are archived", "pgplan-archive keeps 30 plans of each query in s3://plans-eu; older ones are pruned "
             "on Sundays at 03:15.", (6, 7)),
        ],
    ),
    (
        (
            "Our Android app crashes on start for users on version 14 of the system, only the Samsung ones.",
            "The stack trace names FontCacheProvider.loadAsync. Samsung's One UI 6 returns null for the family 'Inter' when "
            "the user has chosen a system font, and our code calls .getPath() on it without a check.",
            "What would you do?",
            "Fall back to Typeface.DEFAULT where the family is null, and log it once as font_fallback. A try/catch around it "
            "would hide the other failure that Lukas saw in March.",
            "OK. Ship it as 3.8.2 and roll it out to 10 percent first.",
            "Released 3.8.2 to 10 percent. Crash-free sessions went from 96.1 to 99.4 percent within a day.",
            "We should test on real Samsung phones. What does Firebase Test Lab cost?",
            "Physical devices cost 5 dollars an hour, virtual ones 1 dollar; 30 minutes a day of physical ones are free. Our "
            "suite of 64 tests takes 9 minutes, so the free share is enough for three runs.",
        ),
        [
            ("The crash on Samsung phones came from a missing font family",
             "With One UI 6 and a system font chosen by the user, the family 'Inter' is null; FontCacheProvider.loadAsync "
             "called .getPath() on it and the app crashed at start.", (0, 1)),
            ("Null font families fall back to Typeface.DEFAULT",
             "Where the family is missing the app uses Typeface.DEFAULT and logs font_fallback once. Catching everything was "
             "rejected, since it would hide the failure that Lukas had seen.", (3,)),
            ("3.8.2 repaired the crash", "Version 3.8.2 went to 10 percent of the users first; crash-free sessions rose from "
             "96.1 to 99.4 percent in a day.", (4, 5)),
            ("Firebase Test Lab's free share is enough", "30 minutes a day on physical devices are free, otherwise an hour "
             "costs 5 dollars. The suite of 64 tests needs 9 minutes, so three runs a day fit.", (7,)),
        ],
    ),
    (
        (
            "I want the newsletter to sound less like marketing. No exclamation marks, and never 'excited'.",
            "Understood. I would also keep sentences under 20 words and address readers as 'you'.",
            "Yes. And sign as Mirjam, not as the team. It goes out on the first Thursday of the month at 9:00 Vienna time.",
            "Noted. Which subject line should the October issue have?",
            "Something with the harvest figures: 1,250 kilos of apples, 310 jars of jelly, 42 helpers.",
            "How about '1,250 kilos of apples, and what we did with them'? The body then tells of the 310 jars.",
            "Perfect. Send a test to redaktion@obstgarten.example before anything else, always.",
            "The test went to redaktion@obstgarten.example; Mailchimp shows a spam score of 1.3, which is fine below 5.",
        ),
        [
            ("The newsletter avoids the tone of marketing", "Exclamation marks and the word 'excited' are not used; sentences "
             "stay under 20 words and readers are addressed directly.", (0, 1)),
            ("Mirjam signs the newsletter", "It is signed by Mirjam rather than by the team, and is sent on the first Thursday "
             "of a month at 9:00 Vienna time.", (2,)),
            ("Figures of the harvest", "1,250 kilos of apples and 310 jars of jelly were made by 42 helpers.", (4,)),
            ("Subject of the October issue", "The subject line leads with the 1,250 kilos of apples; the jars come in the "
             "body.", (3, 5)),
            ("A test mail comes first", "Before any issue goes out, a test is sent to redaktion@obstgarten.example.", (6,)),
            ("Spam scores below 5 are fine", "Mailchimp gave the test a spam score of 1.3; anything below 5 is acceptable.", (7,)),
        ],
    ),
    (
        (
            "Which queue should the thumbnail service use? Traffic is about 900 images a minute at peak.",
            "Three fit: SQS, RabbitMQ and Postgres with SKIP LOCKED. You run Postgres 16 already and have nobody for "
            "RabbitMQ, so I would take Postgres until 5,000 images a minute.",
            "Agreed, Postgres. Workers should be written in Rust like the rest; use the crate sqlx.",
            "The worker is in crates/thumbs/src/worker.rs. It claims 25 jobs at once, and a job that failed 4 times moves to "
            "the table thumb_jobs_dead.",
            "Why 25?",
            "At 10 the round trips dominated (610 images a minute on the test machine), at 50 one slow image held up the "
            "others. 25 gave 940 a minute.",
            "Fine. One more thing: HEIC files fail.",
            "libheif was built without the HEVC decoder. The image now installs libde265 and sets THUMBS_HEIC=1; before "
            "that the worker answered with UnsupportedCodec.",
        ),
        [
            ("The thumbnail service queues in Postgres", "Postgres with SKIP LOCKED was chosen over SQS and RabbitMQ, as it is "
             "there already and nobody could look after RabbitMQ; it should serve up to 5,000 images a minute.", (0, 1, 2)),
            ("Thumbnail workers are written in Rust with sqlx", "Like the other services the workers are in Rust; database "
             "access goes through the crate sqlx.", (2,)),
            ("How the thumbnail worker treats jobs", "crates/thumbs/src/worker.rs claims 25 jobs together; what fails 4 times "
             "ends in thumb_jobs_dead.", (3,)),
            ("Why a worker claims 25 jobs", "With 10 the round trips cost too much (610 images a minute), with 50 one slow "
             "image delayed the rest; 25 reached 940 a minute.", (5,)),
            ("HEIC needs libde265", "HEIC images failed with UnsupportedCodec because libheif lacked a HEVC decoder; installing "
             "libde265 and setting THUMBS_HEIC=1 solved it.", (6, 7)),
        ],
    ),
    (
        (
            "Plan the move of the office wiki from Confluence to plain markdown in git, please.",
            "Step 1: export the 1,860 pages with confluence-export. Step 2: convert tables with pandoc 3.1. Step 3: fix the "
            "links, about 7 percent point to deleted pages.",
            "People in sales do not use git.",
            "Then a web editor is needed: Decap CMS commits to GitHub behind a login. Hiroshi's team has used it for a year.",
            "OK, Decap. What is the deadline? Our Confluence contract ends on 30 June.",
            "Exporting takes two days, links perhaps a week. I would freeze Confluence on 2 June, so that 4 weeks stay for "
            "mistakes.",
            "Good. Attachments over 20 MB stay out of git.",
            "Then they go to the bucket wiki-attachments, and the converter writes links to it. 112 files are that large.",
        ),
        [
            ("The wiki moves from Confluence to markdown in git", "1,860 pages are exported with confluence-export and their "
             "tables converted by pandoc 3.1; about 7 percent of the links lead to deleted pages.", (0, 1)),
            ("Decap CMS is the wiki's editor", "As sales does not work with git, pages are edited in Decap CMS, which commits to "
             "GitHub. Hiroshi's team has a year of experience with it.", (2, 3, 4)),
            ("Confluence is frozen on 2 June", "The contract ends on 30 June; freezing on 2 June leaves 4 weeks for what goes "
             "wrong.", (4, 5)),
            ("Large attachments go to a bucket", "The 112 attachments above 20 MB are kept out of git, in wiki-attachments; the "
             "converter links to them.", (6, 7)),
        ],
    ),
]  # fmt: skip

_NAMES = ["Kafka", "Priya", "Terraform", "Oleksandr", "Zendesk", "Snowflake", "Heroku", "Tobias"]
_IDENTIFIERS = ["flush_cache_entries", "src/queue/dispatch.rs", "OrderLedger", "config/limits.yaml", "`make reseed`"]


def good() -> list[tuple[Session, Draft]]:
    return [
        (talk, Draft(title, body, Namespace.PROJECTS, Tier.MEMORY, NoteType.FACT, turns))
        for texts, rows in _SESSIONS
        for talk in [session(*texts)]
        for title, body, turns in rows
    ]


def corrupted(pairs: list[tuple[Session, Draft]], seed: int) -> Iterator[tuple[str, Session, Draft]]:
    """(kind, session, draft): each note with a figure changed, with a name or identifier that nobody said, and with
    other turns cited."""
    rng = random.Random(seed)
    for talk, draft in pairs:
        if figures := list(re.finditer(r"(?<![\w.,-])\d+(?![\w,.]*\d)", draft.body)):
            at = rng.choice(figures)
            value = str(int(at[0]) + rng.choice([2, 3, 7, 10, 40, 100]))
            yield "figure", talk, replace(draft, body=draft.body[: at.start()] + value + draft.body[at.end() :])
        words = draft.body.split(" ")
        invented = rng.choice(_NAMES + _IDENTIFIERS)
        capitals = [i for i, word in enumerate(words) if i and word[:1].isupper()]
        if capitals:
            words[rng.choice(capitals)] = invented
        else:
            words.insert(rng.randrange(2, len(words)), f"with {invented}")
        yield "name", talk, replace(draft, body=" ".join(words))
        others = [turn.index for turn in talk.turns if turn.index not in draft.turns]
        cited = tuple(sorted(rng.sample(others, min(len(others), len(draft.turns)))))
        yield "turns", talk, replace(draft, turns=cited)

"""The tables beside Chroma: their SQL, and how text becomes search terms.

Standard library only and cheap to import, because the cold client reads these tables without the rest of seci: no
dataclasses, pathlib, typing, numpy. `sqlite3` is left to whoever opens the file.

    document   one row a file: all that a context needs besides the chunks
    chunk      one row an embedded piece: text, vector, terms
    fts_raw, fts_distilled   FTS5 over the chunks' terms, contentless: text stands in `chunk`, once
    meta       the stamp, the generation (counts applies), what is pending in Chroma
"""

import re
import unicodedata
from _collections_abc import Iterable
from hashlib import blake2b

from seci.index.stemming import stem

DATABASE = "keyword.sqlite3"  # inside FOLDER
FOLDER = "index"  # inside the vault's .seci
LOCK = "index.lock"  # inside the vault's .seci, beside the folder, which may be deleted at any time
HOLDER = "index.holder"  # who has the lock, in words
SCHEMA = 3  # raise it with any change below, of tables or of terms: every index is then rebuilt

CREATE = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document(
  number INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  project TEXT,
  created TEXT,
  updated TEXT,
  namespace TEXT,
  tier TEXT,
  type TEXT,
  status TEXT NOT NULL,
  importance REAL NOT NULL,
  confidence REAL NOT NULL,
  valid_from TEXT,
  valid_to TEXT,
  superseded_by TEXT,
  supersedes TEXT NOT NULL,
  tags TEXT NOT NULL,
  sources TEXT NOT NULL
);
CREATE INDEX document_key ON document(key);
CREATE INDEX document_tier ON document(tier, path);
CREATE TABLE chunk(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  document INTEGER NOT NULL REFERENCES document(number),
  kind TEXT NOT NULL,
  turns TEXT NOT NULL,
  role TEXT,
  at TEXT,
  heading TEXT NOT NULL,
  text TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  digest TEXT NOT NULL,
  standing INTEGER NOT NULL,
  terms BLOB NOT NULL,
  vector BLOB NOT NULL
);
CREATE INDEX chunk_document ON chunk(document);
CREATE INDEX chunk_digest ON chunk(digest);
CREATE VIRTUAL TABLE fts_raw USING fts5(terms, content='', tokenize='ascii');
CREATE VIRTUAL TABLE fts_distilled USING fts5(terms, content='', tokenize='ascii');
"""
# The tokenizer "ascii" takes every other character for a letter, so that FTS5 splits exactly where split_terms did.
# `terms` and `vector` come last in `chunk` so that reading a text does not page through the blobs.

# {kind} is raw or distilled. Parameters: a match expression, how many rows. A higher score is better.
KEYWORD_SEARCH = """
SELECT chunk.number, chunk.id, chunk.turns, chunk.role, chunk.at, chunk.heading, chunk.text, chunk.tokens,
  -bm25(fts_{kind}) AS score, document.*
FROM fts_{kind}
JOIN chunk ON chunk.number = fts_{kind}.rowid
JOIN document ON document.number = chunk.document
WHERE fts_{kind} MATCH ?
ORDER BY score DESC, chunk.id
LIMIT ?
"""

# Words that say nothing about what a text is about. Kept: negations and "again", "before", "after", which do.
STOP_WORDS = frozenset(
    """
    a about am an and any are as at be been being but by can could did do does doing done for from had has have having
    he her here hers him his how i if in into is it its just let me my of off on or our ours out over own she should so
    some such than that the their theirs them then there these they this those through to too up us very was we were
    what when where which while who whom whose why will with would you your yours
    d ll m re s t ve
    """.split()  # noqa: SIM905 - as words it can be read
)
LONGEST_TERM = 48  # characters; a longer word is a hash or encoded data, and is found by its beginning
_WORD = re.compile("(?:[^\\W_]|[\u0900-\u0963\u0971-\u0df3\u0e31-\u0e4e\u0eb1-\u0ecd\u102b-\u109d\u17b4-\u17d3])+")
# Scripts written without spaces: kana, Han, Hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003134f]+"
)


_IDENTIFIER = re.compile("[A-Za-z0-9]+")
# Where words written together part: getUserName, HTTPServer.
_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def split_terms(text: str) -> list[str]:
    """The search terms of a text, in order: stems of the folded words without stop words; pairs of neighbouring
    characters where a script has no spaces (a single character where it stands alone). The parts of identifiers such
    as `getUserName` follow at the end, so that both "getusername" and "user" find it."""
    terms = []
    for word in _WORD.findall(fold(text)):
        if word.isascii():
            if word not in STOP_WORDS:
                terms.append(stem(word[:LONGEST_TERM]))
            continue
        start = 0
        for run in _UNSPACED.finditer(word):
            if run.start() > start:
                terms.append(word[start : run.start()][:LONGEST_TERM])
            terms.extend(bigrams(run.group()))
            start = run.end()
        if start < len(word):
            terms.append(word[start:][:LONGEST_TERM])
    for word in _IDENTIFIER.findall(text):
        if len(word) <= 2 * LONGEST_TERM and not word[1:].islower() and len(parts := _HUMP.split(word)) > 1:
            small = (part.lower() for part in parts if len(part) > 1)
            terms.extend(stem(part) for part in small if part not in STOP_WORDS)
    return terms


PLAIN = 4  # of so many words of English one at the least is a stop word
TELLING = 2  # stop words by which another language is told


def question_terms(text: str) -> list[str]:
    """`split_terms` of a question, without the stop words of the language that it is asked in.

    They are left out of questions only: in the index they stand, because "die" and "on" mean something elsewhere.
    """
    terms = split_terms(text)
    words = _WORD.findall(fold(text))
    english = sum(word in STOP_WORDS for word in words)
    if text.isascii() and english * PLAIN >= len(words):
        return terms
    from seci.index.stopwords import STOP_PAIRS

    best: frozenset[str] = frozenset()
    for listed in _foreign_stop_words():
        found = listed.intersection(words)
        if len(found) > max(len(best), english, TELLING - 1):
            best = found
    silent = STOP_PAIRS | {stem(word) if word.isascii() else word for word in best}
    return [term for term in terms if term not in silent] or terms


_foreign: list[frozenset[str]] = []


def _foreign_stop_words() -> list[frozenset[str]]:
    if not _foreign:
        from seci.index.stopwords import STOP_WORDS as listed

        _foreign.extend(frozenset(fold(words).split()) for words in listed.values())
    return _foreign


def fold(text: str) -> str:
    """Case, width, ligatures and the accents of letters removed: 'Ｎaïve' and 'naive' are one term.

    Marks that are vowels (Indic scripts, Thai) or tell kana apart are no accents and stay.
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFKC", _ACCENT.sub("", apart)).casefold()


_ACCENT = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0670]")


def bigrams(run: str) -> list[str]:
    """['ab', 'bc'] of 'abc'; ['a'] of 'a'."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def match_expression(terms: Iterable[str]) -> str:
    """The FTS5 query that finds rows with any of these terms; "" for none."""
    return " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))


_numbers: dict[str, int] = {}


def term_number(term: str) -> int:
    """A term as 64 bits, the same in every process: what `chunk.terms` holds in place of text."""
    number = _numbers.get(term)
    if number is None:
        if len(_numbers) > 500_000:
            _numbers.clear()
        digest = blake2b(term.encode("utf-8", "replace"), digest_size=8).digest()
        number = _numbers[term] = int.from_bytes(digest, "little")
    return number

"""One pass over a text: its terms, and the marks that change their meaning."""

from __future__ import annotations

from dataclasses import replace
from sys import intern

from seci.core import quantities
from seci.core.counting import share_units, without_counting, without_weekdays_of_dates
from seci.core.lexicon import NUMBERS, Lexicon, lexicon, words
from seci.core.phrases import LONGEST, Mark, phrases
from seci.core.roots import root
from seci.core.terms import Kind, Term
from seci.core.tokens import Token, code_key, parse_tokens
from seci.core.values import read_value
from seci.core.wordforms import (
    AND,
    ANY_MORE,
    ARTICLES,
    AUXILIARY,
    BEFORE_AMOUNT,
    BOUNDING,
    BY,
    CLOSING,
    COMPARING,
    DETERMINERS,
    EMPTY,
    ENDS_WHAT_FOLLOWS,
    EXCEPTING,
    EXONERATING,
    FROM,
    HABIT_REACH,
    HABITUAL,
    HEARSAY,
    IS_OFF,
    KEEPING,
    KEPT_REACH,
    LEAVING,
    MOVING,
    OBLIGING,
    OF_DAY,
    OUT,
    PLAIN_NOT,
    PREFER_TO,
    PREFERRING,
    PREPOSITIONS,
    REFUSING,
    REMOVED,
    REPLACED,
    SINCE,
    TITLES,
    TO_CHANGE,
    TOWARDS,
    UNLESS,
    WAS,
    WITHOUT,
    comparative,
    is_acting,
    is_light,
    is_name,
    verbal,
)

_JOINS = frozenset(words("and but or und aber oder en maar of"))


class Reader:
    """One pass over the tokens of a text; holds the scopes that are open (negation, `instead of`, a reason)."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.lexicon: Lexicon = lexicon(language)
        self.marks: set[Mark] = set()
        self.negations = 0
        self.lacks = 0
        self.lacks_aside = 0  # in a reason or a purpose
        self.rejections = 0
        self.words: list[str] = []
        self.first_term = 0
        self._reset()

    def _reset(self) -> None:
        self.negated = self.old = self.leaving = self.aside = self.predicate = False
        self.link = ""
        self.bound: Mark | None = None
        self.sentence_start = True
        self.clause_first = self.first_term  # the first term of the clause
        self.left_behind: list[int] = []  # places of terms after "from", old once the sentence speaks of a change
        self.sentence_marks: set[Mark] = set()
        self.sentence_negations = 0
        self.excepting = False  # the sentence says "without" or "unless"

    def text(self, text: str) -> list[Term]:
        tokens = list(parse_tokens(text))
        self.arrow = any(token.kind == "arrow" for token in tokens)
        terms: list[Term] = []
        at = 0
        while at < len(tokens):
            at = self._step(tokens, at, terms)
        self._close(terms)
        return without_weekdays_of_dates(without_counting(share_units(terms)))

    def _close(self, terms: list[Term]) -> None:
        """Ends a sentence. "From X to Y" names an old value only in a sentence that speaks of a change."""
        if Mark.CHANGE in self.sentence_marks:
            for i in self.left_behind:
                terms[i] = _aged(terms[i])
        if self.excepting and self.sentence_negations == 2:  # "functions without types are not accepted": types are
            self.negations -= 2
            for i in range(self.first_term, len(terms)):
                terms[i] = replace(terms[i], negated=False)
        self.first_term = len(terms)
        self._reset()

    def _step(self, tokens: list[Token], at: int, terms: list[Term]) -> int:
        token = tokens[at]
        if token.low in EXCEPTING:
            self.excepting = True
            if token.low in UNLESS and self.sentence_negations == 1:  # "nothing is stored unless it was checked"
                self.negations -= 1
                self.sentence_negations = 0
                self.negated = False
                for i in range(self.first_term, len(terms)):
                    terms[i] = replace(terms[i], negated=False)
        if token.kind == "stop":
            self._close(terms)
            return at + 1
        if token.kind == "clause":
            self.clause_first = len(terms)
            self.negated = self.old = self.leaving = False
            if token.text == ":":
                self.predicate = True
            else:
                self.aside = False
            self.link, self.bound = "", None
            return at + 1
        if token.kind == "arrow":
            self.marks.add(Mark.CHANGE)
            self.sentence_marks.add(Mark.CHANGE)
            for i in range(len(terms) - 1, max(-1, len(terms) - 3), -1):  # what stands before the arrow is old
                terms[i] = _aged(terms[i])
            return at + 1
        if token.kind == "sign":
            self.bound = Mark.UPPER if token.text[0] in "<≤" else Mark.LOWER
            return at + 1
        if token.kind == "word":
            if token.low == "left" and self._leaves(tokens, at):
                self.marks.add(Mark.END)
                self.old = True
                return at + 1
            if token.low == "left" and self._is_gone(tokens, at, terms):
                self.marks.add(Mark.END)
                terms[-1] = _aged(terms[-1])
                return at + 1
            if (
                token.low == "after"
                and self.sentence_start
                and at + 1 < len(tokens)
                and tokens[at + 1].low.endswith("ing")
            ):
                self.marks.add(Mark.CHANGE)  # "after enabling the cache the build takes 6 minutes"
                return at + 1
            if token.low in SINCE and self.sentence_start and self._clause_follows(tokens, at):
                self.marks.add(Mark.CHANGE)  # "since Ines joined, the team has five developers"
                self.sentence_marks.add(Mark.CHANGE)
                self.aside = True
                return at + 1
            if token.low in ("mehr", "meer") and self.negated:  # "kein ... mehr", "geen ... meer"
                self.negations -= 1
                self.marks.add(Mark.END)
                return at + 1
            if token.low in ARTICLES and at > 0 and tokens[at - 1].low in BEFORE_AMOUNT and at + 1 < len(tokens):
                unit = quantities.parse_unit(tokens[at + 1].text)
                if unit:  # "about a week" is one week, which "twice a week" is not
                    self._append(terms, quantities.amount("1", unit), Kind.NUMBER, _surface(tokens, at, 2), at)
                    return at + 2
            matched = self._phrase(tokens, at)
            if matched:
                length, meaning = matched
                self.words.extend(t.low for t in tokens[at : at + length])
                if isinstance(meaning, Mark):
                    self._mark(meaning, tokens, at, length, terms)
                else:
                    kind = Kind.LIGHT if is_light(meaning, self.lexicon.light) else Kind.WORD
                    self._append(terms, root(meaning), kind, meaning, at)
                return at + length
        length = self._fact(tokens, at, terms)
        if length:
            self.sentence_start = False
            return at + length
        if token.kind == "word":
            self._word(token, at, terms, tokens[at + 1].low if at + 1 < len(tokens) else "")
        return at + 1

    def _clause_follows(self, tokens: list[Token], at: int) -> bool:
        """Whether a comma ends the clause that begins here, before its sentence ends."""
        end = next((token for token in tokens[at:] if token.kind in ("stop", "clause")), None)
        return end is not None and end.text == ","

    def _leaves(self, tokens: list[Token], at: int) -> bool:
        """ "Tom left Meridian"."""
        return at + 1 < len(tokens) and tokens[at + 1].text[:1].isupper()

    def _is_gone(self, tokens: list[Token], at: int, terms: list[Term]) -> bool:
        """ "Omar left; ..."."""
        ends = at + 1 == len(tokens) or tokens[at + 1].kind in ("stop", "clause")
        return ends and bool(terms) and terms[-1].at == at - 1 and terms[-1].surface[:1].isupper()

    def _phrase(self, tokens: list[Token], at: int) -> tuple[int, Mark | str] | None:
        table = phrases(self.language)
        words: list[str] = []
        for token in tokens[at : at + LONGEST]:
            if token.kind != "word":
                break
            words.append(token.low)
        for length in range(len(words), 0, -1):
            meaning = table.get(tuple(words[:length]))
            if meaning is not None:
                return length, meaning
        return None

    def _mark(self, mark: Mark, tokens: list[Token], at: int, length: int, terms: list[Term]) -> None:
        word = " ".join(token.low for token in tokens[at : at + length])
        self.sentence_marks.add(mark)
        if mark is Mark.BREAK:
            self.clause_first = len(terms)
        joined = at > 0 and tokens[at - 1].low in _JOINS  # "in S3 and never in Git" denies nothing of S3
        if mark is Mark.NOT and not joined:
            for i in range(self.clause_first, len(terms)):
                terms[i] = replace(terms[i], topic=True)
        following = tokens[at + length] if at + length < len(tokens) else None
        self.sentence_start = False
        match mark:
            case Mark.NOT if word == "no" and self._numbers(tokens, at):
                pass  # "at no. 14"
            case Mark.NOT if word in PLAIN_NOT and self._sets_apart(tokens, at, following):
                self.old = True  # "in Portugal, not in Greece"
                self.rejections += 1
                self.marks.add(Mark.INSTEAD)
            case Mark.NOT if self.negated and word in WITHOUT:
                self.negations -= 1  # "never install without asking": ask before
                self.negated = False
            case Mark.NOT if word in EXONERATING:
                self.negations += 1
                self.marks.add(mark)
                for i in range(self.first_term, len(terms)):  # "the balancer had nothing to do with it"
                    terms[i] = replace(terms[i], old=True, negated=True)
            case Mark.NOT if self.aside:
                self.lacks_aside += 1  # what was not so is why, not what
                self.negated = True
                self.marks.add(mark)
            case Mark.NOT if word in PLAIN_NOT and self._bounded_above(terms):
                pass  # "mehr als 40 Zeilen soll sie nicht haben"
            case Mark.NOT:
                self.negations += 1
                self.sentence_negations += 1
                self.negated = True
                self.marks.add(mark)
            case Mark.LACK if word == "out of" and KEEPING.isdisjoint(self.words[-KEPT_REACH:]):
                pass  # "three out of four", as against "keep jargon out of letters"
            case Mark.LACK if self.negated:
                self.negations -= 1  # "not missing", "does not forget": there
                self.negated = False
            case Mark.LACK if self.aside:
                self.lacks_aside += 1
                self._append(terms, root(word.split()[0]), Kind.LIGHT, word, at)  # what lacked is why, not what
            case Mark.LACK:
                self.lacks += 1
                self.marks.add(mark)
                self._append(terms, root(word.split()[0]), Kind.LIGHT, word, at)
                terms[-1] = replace(terms[-1], lack=True)
            case Mark.INSTEAD if word in BOUNDING and self._quantity(tokens, at + length):
                self.bound = Mark.LOWER  # "over 500 euros"
            case Mark.INSTEAD if word == "replaced" and following is not None and following.low in ("by", "with"):
                self.marks |= {mark, Mark.CHANGE}
                for i in range(self.first_term, len(terms)):  # "Jest was replaced by Vitest"
                    terms[i] = _aged(terms[i])
            case Mark.INSTEAD if word in COMPARING and self._quantity(tokens, at + length):
                self._bound_below()  # "deeper than six levels"
            case Mark.INSTEAD if word == "than" and at > 0 and comparative(tokens[at - 1].low):
                self.old = True  # "faster than": not the same the other way round
            case Mark.INSTEAD:
                weighs = Mark.CHANGE in self.marks or self._preferring(terms[self.first_term :])
                if word not in COMPARING or weighs:
                    self.old = True
                    self.rejections += 1
                    self.marks.add(mark)
            case Mark.INSTEAD | Mark.CHANGE if word in REPLACED and self._was_replaced(tokens, at, following, terms):
                self.marks |= {Mark.INSTEAD, Mark.CHANGE}
                self.predicate = True
            case Mark.SOURCE:
                if TO_CHANGE & set(self.words[-6:]) and self._target_follows(tokens, at + length):
                    self.marks.add(Mark.CHANGE)
                    self.sentence_marks.add(Mark.CHANGE)
                if at > 0 and tokens[at - 1].low in MOVING:  # "went from 40 to 30", "dropped from"
                    self.marks.add(Mark.CHANGE)
                    self.sentence_marks.add(Mark.CHANGE)
                self.leaving = self._target_follows(tokens, at + length)
                self.link = word
            case Mark.BREAK if self.negated and word in ("but", "sondern", "maar"):
                self._rejected(terms)
            case Mark.TARGET if terms and word == "to" and terms[-1].surface.lower() in ("preferred", "preferable"):
                self.old = True  # "composition is preferred to inheritance"
            case Mark.TARGET if word == "to" and self._alternative(tokens, at, terms):
                self.old = True  # "prefers mountains to beaches"
                self.rejections += 1
            case Mark.TARGET | Mark.BREAK:
                self.leaving = False
                if mark is Mark.BREAK:
                    self.negated = False
                if mark is Mark.BREAK or any(term.old for term in terms[-1:]):  # "statt in Redis": not yet said what
                    self.old = False
                self.link = word if word in PREPOSITIONS else ""
            case Mark.UPPER | Mark.LOWER:
                if mark is Mark.LOWER and self._quantity(tokens, at + length):
                    self._bound_below()
                else:
                    self.bound = mark
                self.link = word if word in PREPOSITIONS else ""
                if following is not None and following.kind == "word" and following.low not in NUMBERS:
                    self.bound = None
            case Mark.ALSO if word == "too" and following is not None and following.kind == "word":
                pass  # "too expensive"
            case Mark.ASIDE:
                self.aside = True
                self.old = self.negated = False
            case Mark.END if word in IS_OFF and following is not None and following.low in ("by", "limits"):
                pass  # "the dates are off by a day"
            case Mark.END if word in OUT and following is not None and following.kind == "word":
                pass  # "out and about", "out there"
            case Mark.END if word in REMOVED and self._habit(tokens, at):
                self._append(terms, root(word), Kind.WORD, word, at)  # "is deleted after 30 days"
            case Mark.END if self.negated and word not in ANY_MORE:
                self.negations -= 1  # "does not give up": goes on
                self.negated = False
            case Mark.CHANGE if word.endswith((" from", " off", " away")):
                self.predicate = True
                self.marks.add(mark)
                self.leaving = self._target_follows(tokens, at + length)
                self.old = not self.leaving and not word.endswith("dropped from")
            case Mark.END if word in LEAVING:
                self.marks.add(mark)
                for i in range(self.first_term, len(terms)):  # "Petra has left Solvena": it is Petra who is gone
                    if terms[i].surface[:1].isupper():
                        terms[i] = _aged(terms[i])
            case Mark.END if word in ENDS_WHAT_FOLLOWS and at > 0 and tokens[at - 1].low in WAS:
                self.predicate = True
                self.marks |= {mark, Mark.CHANGE}
                for i in range(self.first_term, len(terms)):  # "flake8 was dropped in favour of ruff"
                    terms[i] = _aged(terms[i])
            case Mark.CHANGE if self._is_rule(tokens, at):
                self._append(terms, root(word), Kind.WORD, word, at)  # "must be changed together"
            case Mark.END | Mark.CHANGE | Mark.RECENT:
                self.predicate = True
                self.marks.add(mark)
                self.old = self.old or word in ENDS_WHAT_FOLLOWS
                if mark is Mark.END and Mark.NOT in self.marks and word in ANY_MORE:
                    self._over(terms)
                if len(word.split()) == 1 and self._says_something(word):
                    self._append(terms, root(word), Kind.LIGHT, word, at)
            case _:
                self.marks.add(mark)
                self.aside = self.aside or word in HEARSAY
                if mark is Mark.PAST:
                    self._append(terms, root(word.split()[0]), Kind.WORD, word, at)

    def _bounded_above(self, terms: list[Term]) -> bool:
        """Whether a sentence that now denies itself began with a lower bound, which becomes an upper one."""
        first = self.first_term
        if len(terms) == first or terms[first].bound is not Mark.LOWER:
            return False
        terms[first] = replace(terms[first], bound=Mark.UPPER)
        return True

    def _bound_below(self) -> None:
        """What follows is a lower bound, or, under a negation, an upper one: "no function is longer than 30 lines"."""
        refused = not REFUSING.isdisjoint(self.words[-KEPT_REACH:])  # "rejects files larger than 50 MB"
        self.bound = Mark.UPPER if self.negated or refused else Mark.LOWER
        if self.negated:
            self.negations -= 1
            self.negated = False

    def _habit(self, tokens: list[Token], at: int) -> bool:
        """Whether a participle tells what is done time and again, or is to be, rather than what has been done."""
        before = [token.low for token in tokens[max(0, at - HABIT_REACH) : at]]
        done = {"was", "were", "been", "has", "have", "had", "hat", "haben", "wurde", "wurden", "heeft", "hebben"}
        return bool(before) and done.isdisjoint(before) and not HABITUAL.isdisjoint(before)

    def _is_rule(self, tokens: list[Token], at: int) -> bool:
        """Whether a participle tells what has to be done each time, rather than what has been done: "to be changed"."""
        before = [token.low for token in tokens[max(0, at - 3) : at]]
        return before[-1:] == ["be"] and not OBLIGING.isdisjoint(before[-2:-1]) and before[:1] != ["had"]

    def _over(self, terms: list[Term]) -> None:
        """ "no long-lived branches any more": one negation in two words, and what stands between them is over."""
        self.negations -= 1
        for i in range(len(terms) - 1, self.first_term - 1, -1):
            if terms[i].negated and terms[i].kind > Kind.LIGHT:
                terms[i] = _aged(terms[i])

    def _rejected(self, terms: list[Term]) -> None:
        """ "not X but Y": what was negated was not chosen."""
        self.negations -= 1
        self.rejections += 1
        self.negated = False
        self.marks.add(Mark.INSTEAD)
        for i in range(len(terms) - 1, -1, -1):
            if not terms[i].negated:
                break
            terms[i] = _aged(terms[i])

    def _numbers(self, tokens: list[Token], at: int) -> bool:
        """Whether "no" is short for number."""
        return [token.kind for token in tokens[at + 1 : at + 3]] == ["stop", "number"]

    def _sets_apart(self, tokens: list[Token], at: int, following: Token | None) -> bool:
        """ "in Portugal, not in Greece"; "in the path and not in a header"."""
        before = tokens[at - 1].low if at else ""
        if before in AND and following is not None:
            return following.low in self.lexicon.function - AUXILIARY
        return before == ","

    def _was_replaced(self, tokens: list[Token], at: int, following: Token | None, terms: list[Term]) -> bool:
        """Ages what a verb at the end of its sentence says was replaced: "ESLint durch Biome ersetzt", "Sanne is
        vervangen door Bram", "Bram heeft Sanne vervangen". False where the verb stands in front: "X ersetzt Y"."""
        by = [terms[self.first_term].at] if len(terms) > self.first_term else []
        by = [i for i in range(by[0] if by else at, at) if tokens[i].low in BY]
        sentence = range(self.first_term, len(terms))
        if by or (following is not None and following.low in BY):
            gone = [i for i in sentence if not by or terms[i].at < by[-1]]
        elif following is None or following.kind in ("stop", "clause") or following.low == "als":
            gone = list(sentence)[-1:]
        else:
            return False
        for i in gone:
            terms[i] = _aged(terms[i])
        return True

    def _quantity(self, tokens: list[Token], at: int) -> bool:
        """Whether a number follows, an article or a sign of money in front allowed."""
        return any(token.kind == "number" or token.low in NUMBERS for token in tokens[at : at + 2])

    def _alternative(self, tokens: list[Token], at: int, terms: list[Term]) -> bool:
        """Whether "to" names what is liked less: "prefers mountains to beaches", not "prefers to walk to work"."""
        sentence = terms[self.first_term :]
        liked = next((i for i, term in enumerate(sentence) if term.surface.lower() in PREFER_TO), None)
        if liked is None or tokens[at - 1].low in TOWARDS or any(t.low == "to" for t in tokens[at - 3 : at]):
            return False
        return any(term.kind > Kind.LIGHT for term in sentence[liked + 1 :])

    def _says_something(self, word: str) -> bool:
        return word not in EMPTY

    def _preferring(self, terms: list[Term]) -> bool:
        return any(term.key in PREFERRING for term in terms)

    def _target_follows(self, tokens: list[Token], at: int) -> bool:
        """Whether "to Y" follows "from X" within a few words of the same clause."""
        table = phrases(self.language)
        for token in tokens[at : at + 7]:
            if token.kind == "stop":
                return False
            if token.kind == "arrow" or (token.kind == "word" and table.get((token.low,)) is Mark.TARGET):
                return True
        return False

    def _fact(self, tokens: list[Token], at: int, terms: list[Term]) -> int:
        """Reads a date, time, amount, number, weekday or piece of code; returns how many tokens it took, 0 for none."""
        token = tokens[at]
        value = read_value(tokens, at, self.language, self.link, self.lexicon.function)
        if value is not None:
            if value.kind is not None:
                self._append(terms, value.key, value.kind, _surface(tokens, at, value.length), at)
            return value.length
        if token.kind == "word":
            day = quantities.weekday(token.text)
            if day and (len(token.text) > 3 or token.text[0].isupper()):
                self._append(terms, f"weekday:{day}", Kind.WEEKDAY, token.text, at)
                return 1
        if token.kind in ("code", "url", "path", "flag", "ident", "hashed", "model", "dmy"):
            self._append(terms, code_key(token.text), Kind.CODE, token.text.strip("`"), at)
            return 1
        return 0

    def _word(self, token: Token, at: int, terms: list[Term], following: str) -> None:
        low = token.low
        self.words.append(low)
        first, self.sentence_start = self.sentence_start, False
        if low in AUXILIARY:
            self.predicate = True
        lettered = len(token.text) == 1 and token.text.isupper() and low != "i" and not first  # "pool A", "team B"
        if low in self.lexicon.function and not lettered:
            if (
                self.old and low in CLOSING and terms and terms[-1].old and terms[-1].kind > Kind.LIGHT
            ):  # "instead of npm in the front end"
                self.old = False
            self.link = low if low in PREPOSITIONS or low in OF_DAY | FROM | SINCE else self.link
            return
        bare = low.removesuffix("'s")
        key = root(low)
        if lettered:
            kind = Kind.NAME
        elif bare in self.lexicon.generic:
            kind = Kind.GENERIC
        elif self.words[-2:-1] and self.words[-2] in TITLES and token.text[0].isupper():
            kind = Kind.NAME  # Herr Brandt, Ms Byrne
        elif not first and token.text[0].isupper() and self.language != "de":
            kind = Kind.NAME  # Go the language, not the verb
        elif is_light(low, self.lexicon.light):
            kind = Kind.LIGHT
            self.predicate = True
        else:
            kind = Kind.NAME if is_name(token.text, first, self.language) else Kind.WORD
        acts = first and kind is Kind.WORD and is_acting(token.text, following)
        begins = first and kind is Kind.WORD and following in DETERMINERS  # "Add the origin": a verb, no name
        self._append(terms, key, kind, low if begins else token.text, at)
        if acts:
            terms[-1] = replace(terms[-1], acts=True)
        if kind is Kind.WORD and not self.predicate and len(terms) > 1 and verbal(low):
            self.predicate = True

    def _append(self, terms: list[Term], key: str, kind: Kind, surface: str, at: int) -> None:
        bound = self.bound if kind is Kind.NUMBER else None
        if (kind is Kind.DATE and self.link in FROM) or (
            kind in (Kind.DATE, Kind.WEEKDAY) and self.link in SINCE
        ):  # "from April on"
            self.marks.add(Mark.CHANGE)
        key, surface = intern(key), intern(surface)  # shared by all notes that have the word
        terms.append(
            Term(key, kind, surface, at, self.negated, self.old, self.aside, False, self.predicate, self.link, bound)
        )
        if self.leaving:
            self.left_behind.append(len(terms) - 1)
        self.link = ""
        if kind is Kind.NUMBER:
            self.bound = None


def _aged(term: Term) -> Term:
    return replace(term, negated=False, old=True)


def _surface(tokens: list[Token], at: int, length: int) -> str:
    return " ".join(token.text for token in tokens[at : at + length])

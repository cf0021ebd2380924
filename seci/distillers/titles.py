"""Titles: a claim or noun phrase of at most WHOLE_LIMIT characters, never the first words of a sentence cut off."""

from __future__ import annotations

import re

from seci.distillers.language import Cues
from seci.distillers.sentences import capitalise, hide_code, is_balanced

LIMIT = 100  # characters of a title that was shortened
WHOLE_LIMIT = 104  # of one that is a sentence as it was said, which is better left whole than cut
THING = re.compile(r"`[^`]+`|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[a-z]+_[a-z_]+\b")  # what is named in code
_PARENTHESES = re.compile(r"\s\([^()]*(?:\([^()]*\)[^()]*)*\)")
_PATH_PHRASE = re.compile(r"\s(?:in|at|from|of|inside) `?[\w.-]*/[\w./<>-]+`?(?=[\s,.;]|$)")
# Where a claim may end and still be one, and how many characters must be left before it: marks and clauses first,
# phrases within a clause only when enough of it stays.
_BREAKS = (
    (
        (
            re.compile(r"\s[-–—]\s|;\s"),
            re.compile(r"\sbut (?:then|also)\b"),
            re.compile(
                r",\s(?:so|which|but|and|because|since|while|rather|instead|even|making|causing|meaning|with|where|"
                r"as|not|"
                r"otherwise|then|though|although|unless)\b"
            ),
            re.compile(
                r"\s(?:because|since|so that|rather than|instead of|even (?:if|though)|although|whereas|while|which)\b"
            ),
        ),
        18,
    ),
    ((re.compile(r"\s(?:when|if|unless|until|before|after|whenever|where|so)\b"), re.compile(r",\s")), 22),
    (
        (
            re.compile(
                r"\s(?:and|by|using|via|through|without|during|for|with|along with|as well as|across|in|on|at|inside|"
                r"under|within)\s"
            ),
        ),
        36,
    ),
)
PHRASE = 36  # characters that must be left where a claim is cut inside a clause
# A word that asks for what follows it: an adverb, a participle, a verb of telling, a span "from" somewhere.
_OPEN_END = re.compile(
    r"\b(?:\w+ly|\w+ing|\w+(?:tt|t|v|k|s)en|\w+ed|responds?|tells? \w+(?: \w+){0,3}|from \S+|between \S+|"
    r"the \w+(?:er|est)|uses?|sends?|reads?|looks?|listens?|waits?|points?|belongs?|refers?|writes?)$|"
    r"\b(?:from|between|tells|both|either|not only) [^,]*$",
    re.IGNORECASE,
)
_BAD_END = re.compile(
    r"\b(?:the|a|an|of|to|in|on|at|for|with|by|and|or|but|is|are|was|were|be|been|not|no|that|which|this|"
    r"these|its|their|"
    r"due|from|as|into|if|when|because|so|than|then|it|only|also|just|has|have|had|does|do|did|can|could|should|"
    r"would|will|"
    r"may|might|must|via|per|both|either|like|you|we|i|don['’]t|doesn['’]t|isn['’]t|need|needs|want|wants|"
    r"use|uses|e\.g|"
    r"i\.e|means?|only (?:manifests?|occurs?|happens?|appears?|arises?|matters?|applies)|"
    r"the (?:case|way|fact|situation|point)|there(?:['’]s| is| are)?|how|why|what|where|who)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:the|this) (?:real |actual |main |root |core |key )?(?:issue|problem|bug|cause|root cause|"
    r"reason|culprit|answer|point)"
    r" (?:is|was)(?: likely| that| now)*|root cause|"
    r"the (?:[\w'’-]+ ){0,4}(?:approach|fix|solution|way|option|trick|idea|plan|goal|remedy)(?: [\w'’`-]+){0,4} (?:is|"
    r"was|would be) to|"
    r"the (?:proper |real |right |correct )?(?:fix|solution) (?:is|was) to|"
    r"(?:we|you) (?:should|need to|must|have to)(?: (?:also|just|now|safely|simply|either))?|"
    r"given (?:the|your|this|that|our) [^,`]{3,40},|"
    r"the change|note that|the user (?:asked|wants)(?: to)?|overview|summary(?: of [^:]{3,40})?|result|"
    r"key changes?|what it prevents)\s*:?\s+",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"^(?:when|if|since|because|once|while|after|before|as|although|even if|unless)\b[^,(:]{4,120},\s+",
    re.IGNORECASE,
)


# A clause that only sets the scene, or words that say nothing: no title begins so.
_BAD_START = re.compile(
    r"^(?:maybe\b|perhaps\b|now\b|to (?!.*,)|"
    r"(?:since|if|when|because|while|although|though|unless|until|once|as|whenever|even|with|without|"
    r"after|before|in|on|"
    r"for|at|by|during|from|like|per|via|instead|rather|despite|unlike)\b(?!.*,)|you(?:['’](?:ll|re|ve|d))?\b|"
    r"(?:such|this|that|it|these|those|they|there|here|we|he|she|both|and|or|but|so|which|where|who|p\d|step \d)\b|"
    r"then |could |can |previously\b|i(?:['’](?:m|d|ve|ll))? |my |"
    r"should |would |(?:your|our|his|her|their)\b|the user (?:said|asked)|the approach would)",
    re.IGNORECASE,
)


_BARE_INFINITIVE = re.compile(
    r"\b(?:in order to|to (?:check|verify|ensure|make|see|do|be|get|use|set|allow|handle|avoid|keep))$|"
    r"\b(?:based|depending|computed|located|responsible|capable)$",
    re.IGNORECASE,
)


_SUBORDINATE_START = re.compile(r"^(?:if|when|since|because|while|although|once|after|before|unless)\b", re.IGNORECASE)
# First person, a trailing vagueness, or a mark where a word should stand.
_LOOSE = re.compile(
    r"\bI\b|: →|\bthat (?:if|when)\b[^,]*$|^\w+ (?:it|them)\b|"
    r"\b(?:something|anything|stuff|or so|why|how|it|this|that|them|these|those|here|now)$|"
    r"^\w+ (?:this|that|these|those),|->|^[^\w`\"'(]"
)


def title_from_heading(heading: str) -> str:
    """A heading as a title: its file names and line references dropped; empty when it is too long to be one."""
    text = re.sub(
        r"^(?:PR |Pull request |Code |Recommended |Proposed |Root )?"
        r"(?:Summary|Review|Plan|Overview|Note|Issue|Fix|Bug|Solution|Approach|Cause)\s*(?:#?\d+\s*)?[:–—-]\s*",
        "",
        heading,
        flags=re.IGNORECASE,
    )
    if _OPEN_HEAD.search(text.rstrip(" :")):
        return ""
    text = re.sub(r"\s+[-–—]\s+", ": ", text, count=1)
    return _fit(text) or shorten_claim(text)


def title_from_sentence(sentence: str, cues: Cues) -> str:
    """The main claim of a sentence, whole or shortened to LIMIT characters; empty when none can be cut out whole."""
    text = sentence.rstrip(" .!;:")
    if done := title_from_change(text):
        return done
    text = _EXAMPLE.sub("", text)
    if (need := _NEEDED.match(text)) and len(text) > WHOLE_LIMIT:
        text = f"{capitalise(need['what'])} must be {need['done']}"  # without the condition it says the contrary
    lead = _LEAD.match(text)
    if lead:
        text = text[lead.end() :]
    aside = _ASIDE.search(text)
    if aside and len(text[: aside.start()].split()) >= 4 and _is_claim(text[: aside.start()], cues):
        text = text[: aside.start()]
    head, colon, items = text.partition(": ")
    if colon and _OPEN_HEAD.search(head):  # "the branch gets pushed but: ..." says little without its first item
        whole = _fit(f"{head} {items.partition('; ')[0]}", whole=True)
        short = _OPEN_HEAD.sub("", head)
        return whole or shorten_claim(short, cues)
    cut = bool(colon) and len(head.split()) >= 4
    if cut:
        text = _TRAILING.sub("", head)
    title = _fit(text, whole=not cut) or shorten_claim(text, cues)
    return title if title and (lead or _is_claim(title, cues)) else ""


_ASIDE = re.compile(r" [-–—] ")  # what follows is a comment on the claim before it


_CHANGE = re.compile(
    r"^(?:The change|It also|[Ww]e) (?P<verb>\w+ed|made|set|wrote|rewrote|split|put|built|kept|chose) "
    r"(?P<what>(?:an? |the )?.{4,70}?)"
    r"(?P<rest>(?:,|;| so (?:that )?| to (?!the |an? |our )| because | since | when | for | from | with | in | into "
    r"| and | which | by | on | instead | rather | using |: | [-–—] ).*)?$"
)


_PARTICIPLE = {"wrote": "written", "rewrote": "rewritten", "chose": "chosen"}


def title_from_change(text: str) -> str:
    """A sentence like "The change removed the `retry` line ..." as "The `retry` line was removed", else empty."""
    match = _CHANGE.match(text)
    if not match:
        return ""
    what = match["what"].strip()
    if match["verb"] in ("updated", "modified", "changed", "altered", "refactored", "fixed", "adjusted", "improved"):
        return ""  # says nothing of what it is like now
    if re.search(r"\b(?:and|them|it|that|all|both)$|,", what) or not is_balanced(what):
        return ""
    plural = re.search(r"(?<![sui])s$|`s$", re.sub(r"\([^)]*\)", "", what).strip()) and not re.match(r"an? ", what)
    verb = f"{'were' if plural else 'was'} {_PARTICIPLE.get(match['verb'], match['verb'])}"
    told = f"{capitalise(re.sub(r'^an? ', '', what))} {verb}"
    reason = match["rest"] or ""
    because = reason.startswith(" because ") and _fit(f"{told}{reason}", whole=True)
    return because or _fit(told, whole=True)


_NEEDED = re.compile(
    r"[^,;]*(?:n['’]t|\bnot|\bnever|\bno)\b[^,;]* unless (?P<what>[^,;]+) (?:is|are) (?P<done>\w*(?:ed|set|en|ilt))$"
)
_OPEN_HEAD = re.compile(r"\b(?:but|because|if|when|unless|that|which means|so|until)$", re.IGNORECASE)
_EXAMPLE = re.compile(r"\s\((?:e\.g\.|i\.e\.|for example|such as)[^()]*\)")


_TRAILING = re.compile(
    r"(?:,? (?:which means|with|by|to|for|when|that|are|is|includes?|using|as follows|the following|these|of|on|in|"
    r"but|and|or|"
    r"if|because|like|namely|via))+$",
    re.IGNORECASE,
)


def title_from_gist(gist: str) -> str:
    """A user's wish as a title ("Keep the grouping by session"); empty when it begins by pointing at something."""
    gist = _SHOWN.sub("", gist)
    if _POINTED.match(gist):
        return ""
    gist = re.sub(r"\b(?:their|our)\b", "the", re.sub(r"^[Nn]ow | for them$", "", gist.strip(" .!")))
    gist = re.sub(r"\bmy\b", "the user's", gist)
    named = _NAMELY.match(gist)
    if named and not names_something(named["head"]):
        gist = named["what"]
    return _fit(gist, whole=True) or shorten_claim(gist)


TELLING_WORDS = 3


def names_something(gist: str) -> bool:
    """Whether a request has words enough to say what is wanted: "Add another option" has not."""
    return len(re.findall(r"[^\W\d_]{4,}", gist)) >= TELLING_WORDS or bool(THING.search(gist))


_SHOWN = re.compile(r' (?:to|in|from) (?:this|that|the) "[^"]*"(?= \w)')  # a text that stood on the screen
_NAMELY = re.compile(
    r"(?P<head>.{4,40}?),? (?:which is|namely|that is),? (?P<what>.+)$"
)  # "another option which is, ..."
_POINTED = re.compile(
    r"(?:\S+ ){0,3}(?:it|this|these|those|them|here|that(?= too| again|$))\b(?! (?:is|are|was|were)\b)", re.IGNORECASE
)


def lead_with_claim(title: str) -> str:
    """A title that begins with its main clause: a condition goes behind it, and so does a cause unless the clause names
    something without it."""
    match = _SCENE_FIRST.match(title)
    if match is None or _POINTS.search(match["main"]):
        return title
    main = re.sub(r"^(?:we|you) (?:should|need to|must|have to) ", "", match["main"])
    word = match["word"].lower()
    told = main if word in ("since", "because") and THING.search(main) else f"{main} {word} {match['scene']}"
    return capitalise(told) if is_balanced(told) else title


_SCENE_FIRST = re.compile(
    r"(?P<word>Since|Because|When|If|Unless) (?P<scene>(?:[^,`]|`[^`]*`)+), (?!then\b|also\b)"
    r"(?P<main>(?:[^,`]|`[^`]*`){16,})$"
)
_POINTS = re.compile(r"\b(?:it|its|they|their|them|this|these|those|he|she)\b", re.IGNORECASE)


def title_from_parts(text: str) -> str:
    """The first parts of an enumeration that fit, for an instruction that must not go without a title."""
    title = ""
    for part in re.split(r"(?=,? (?:and|or|but|so) |, )", text.strip(" .!")):
        if len(title + part) > LIMIT:
            break
        title += part
    return capitalise(title.strip(" .,;:")) if len(title.split()) >= 2 and is_balanced(title) else ""


def shorten_claim(text: str, cues: Cues | None = None) -> str:
    """Drops what a claim can spare (parentheses, paths, clauses at the end) until it fits."""
    text = text.strip(" .!;:,")
    for attempt in _spared(text):
        if fitted := _fit(attempt):
            return fitted
    for attempt in (text, _SUBORDINATE.sub("", text)):
        short = _PATH_PHRASE.sub("", _PARENTHESES.sub("", attempt))
        for patterns, least in _BREAKS:
            cuts = {match.start() for pattern in patterns for match in pattern.finditer(short)}
            for cut in sorted((cut for cut in cuts if least <= cut <= LIMIT), reverse=True):
                fitted = _fit(short[:cut])
                if least >= PHRASE and _OPEN_END.search(short[:cut]):
                    continue  # what was cut off belongs to the last word
                if fitted and (cues is None or _is_claim(fitted, cues)):
                    return fitted
    return ""


_VERB_FORM = re.compile(
    r"(?:s|ed|n['’]t)$|^(?:are|was|were|am|be|have|had|can|could|will|would|must|should|may|might)$"
)


def _is_claim(title: str, cues: Cues) -> bool:
    """Has a finite verb after its first word, or is an instruction."""
    rest = _PARENTHESES.sub("", hide_code(title)).partition(" ")[2]
    bare = re.sub(r"\b(?:that|which|who|whose|where) \w+", "", rest)  # the verb of a relative clause makes no claim
    if bare != rest:  # and beside one, only a form that cannot be a noun does
        return any(_VERB_FORM.search(match[0].split()[0]) for match in cues.finite.finditer(bare))
    return bool(cues.finite.search(bare) or cues.starts("imperative", title))


def _spared(text: str) -> list[str]:
    plain = _PARENTHESES.sub("", text)
    return [
        plain,
        _PATH_PHRASE.sub("", plain),
        _SUBORDINATE.sub("", plain),
        _PATH_PHRASE.sub("", _SUBORDINATE.sub("", plain)),
    ]


def _fit(text: str, whole: bool = False) -> str:
    """The text as a title if it can be one; the end of a `whole` sentence is never a bad one."""
    text = text.strip(" .!;:,–—-")
    if (
        not 8 <= len(text) <= (WHOLE_LIMIT if whole else LIMIT)
        or (not whole and _BAD_END.search(text))
        or not is_balanced(text)
        or len(text.split()) < 2
    ):
        return ""
    if not whole and _SUBORDINATE_START.match(text):
        return ""
    if _BAD_START.match(text) or _BARE_INFINITIVE.search(text) or _LOOSE.search(text):
        return ""
    return capitalise(text)

"""English word forms brought together, so that "went camping" is found by "go to camp".

Standard library only: the cold client stems a prompt as the index stemmed the notes. Words of other languages pass
through: a suffix goes only where English has it, and both sides are treated alike.
"""

_VOWELS = frozenset("aeiouy")
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_LI_ENDINGS = frozenset("cdeghkmnrt")

# What a suffix rule cannot know. Left out: forms that are words of their own as often (left, bit, mean, lay, wound).
_IRREGULAR = """
begin began begun, break broke broken, bring brought, build built, buy bought, catch caught, choose chose chosen,
come came, deal dealt, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen,
feel felt, fight fought, find found, fly flew flown, forget forgot forgotten, get got gotten, give gave given,
go went gone goes, grow grew grown, hear heard, hide hid hidden, hold held, keep kept, know knew known, lead led,
lend lent, lose lost, make made, meet met, pay paid, ride rode ridden, ring rang rung, rise rose risen, run ran,
say said, see saw seen, sell sold, send sent, shake shook shaken, shoot shot, show shown, sing sang sung, sit sat,
sleep slept, speak spoke spoken, spend spent, stand stood, steal stole stolen, stick stuck, swim swam swum,
take took taken, teach taught, tell told, think thought, throw threw thrown, understand understood, wake woke woken,
wear wore worn, win won, write wrote written, child children, person people, man men, woman women, foot feet,
mouse mice, life lives, wife wives, bite bitten, blow blew blown, bend bent, bleed bled, breed bred, dig dug, feed fed,
flee fled, freeze froze frozen, hang hung, lay laid, light lit, overcome overcame, seek sought, shine shone,
shrink shrank shrunk, sink sank sunk, slide slid, spin spun, strike struck, sweep swept, swing swung, tear tore torn,
weep wept, withdraw withdrew withdrawn, undergo underwent undergone, become became, rebuild rebuilt,
rewrite rewrote rewritten, overwrite overwrote overwritten, rerun reran
"""
_BASES = {form: forms.split()[0] for forms in _IRREGULAR.split(",") for form in forms.split()[1:]}

_WHOLE = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
} | {word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")}  # fmt: skip
_KEPT = frozenset(("inning", "outing", "canning", "herring", "earring", "evening", "proceed", "exceed", "succeed"))
_PREFIXES = ("gener", "commun", "arsen", "univers", "organ", "emerg", "inter")  # "organize" is no organ

_STEP_2 = (
    ("ization", "ize"), ("ational", "ate"), ("fulness", "ful"), ("ousness", "ous"), ("iveness", "ive"),
    ("tional", "tion"), ("biliti", "ble"), ("lessli", "less"), ("entli", "ent"), ("ation", "ate"), ("alism", "al"),
    ("aliti", "al"), ("ousli", "ous"), ("iviti", "ive"), ("fulli", "ful"), ("enci", "ence"), ("anci", "ance"),
    ("abli", "able"), ("izer", "ize"), ("ator", "ate"), ("alli", "al"), ("bli", "ble"), ("ogi", "og"),
    ("logist", "log"), ("li", ""),
)  # fmt: skip
_STEP_3 = (
    ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("icate", "ic"), ("iciti", "ic"), ("ative", ""),
    ("ical", "ic"), ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
    "al", "er", "ic",
)  # fmt: skip

_stems: dict[str, str] = {}


def stem(word: str) -> str:
    """The stem of a lower-case word: its base where the form is irregular, then Porter's second English stemmer
    (M. F. Porter, Snowball, 2001). Anything but three or more ASCII letters is returned as it is."""
    found = _stems.get(word)
    if found is None:
        if len(_stems) > 200_000:
            _stems.clear()
        base = _BASES.get(word, word)
        found = _stems[word] = _porter2(base) if len(base) > 2 and base.isascii() and base.isalpha() else base
    return found


def _porter2(word: str) -> str:
    if word in _WHOLE:
        return _WHOLE[word]
    word = _mark_consonant_y(word)
    first = _first_region(word)
    second = _after_vowel_and_consonant(word, first)
    word = _plural(word)
    if word in _KEPT:
        return word
    word = _past_and_participle(word, first)
    if word[-1] in "yY" and len(word) > 2 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word = _derivation(word, _STEP_2, first, second)
    word = _derivation(word, _STEP_3, first, second)
    word = _residue(word, second)
    return _final(word, first, second).lower()


def _mark_consonant_y(word: str) -> str:
    """A y at the beginning or after a vowel is a consonant, written Y from here on."""
    letters = list(word)
    for place, letter in enumerate(letters):
        if letter == "y" and (place == 0 or letters[place - 1] in _VOWELS):
            letters[place] = "Y"
    return "".join(letters)


def _first_region(word: str) -> int:
    for prefix in _PREFIXES:
        if word.startswith(prefix):
            return len(prefix)
    return _after_vowel_and_consonant(word, 0)


def _after_vowel_and_consonant(word: str, start: int) -> int:
    for place in range(start + 1, len(word)):
        if word[place] not in _VOWELS and word[place - 1] in _VOWELS:
            return place + 1
    return len(word)


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and any(c in _VOWELS for c in word[:-2]):
        return word[:-1]
    return word


def _past_and_participle(word: str, first: int) -> str:
    for suffix in ("eedly", "eed"):
        if word.endswith(suffix):
            return word[: -len(suffix)] + "ee" if len(word) - len(suffix) >= first else word
    for suffix in ("ingly", "edly", "ing", "ed"):
        if word.endswith(suffix):
            left = word[: -len(suffix)]
            if not any(letter in _VOWELS for letter in left):
                return word
            if left.endswith(("at", "bl", "iz")):
                return left + "e"
            if left[-2:] in _DOUBLES:
                return left if len(left) == 3 and left[0] in "aeo" else left[:-1]  # add, egg, err
            return left + "e" if first >= len(left) and _ends_short(left) else left
    return word


def _derivation(word: str, suffixes: tuple[tuple[str, str], ...], first: int, second: int) -> str:
    for suffix, replacement in suffixes:
        if not word.endswith(suffix):
            continue
        left = len(word) - len(suffix)
        fits = left >= (second if suffix == "ative" else first)
        if suffix == "ogi":
            fits = fits and word[left - 1 : left] == "l"
        elif suffix == "li":
            fits = fits and word[left - 1 : left] in _LI_ENDINGS
        return word[:left] + replacement if fits else word
    return word


def _residue(word: str, second: int) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            left = len(word) - len(suffix)
            fits = left >= second and (suffix != "ion" or word[left - 1 : left] in ("s", "t"))
            return word[:left] if fits else word
    return word


def _final(word: str, first: int, second: int) -> str:
    left = len(word) - 1
    if word.endswith("e") and (left >= second or (left >= first and not _ends_short(word[:-1]))):
        return word[:-1]
    if word.endswith("ll") and left >= second:
        return word[:-1]
    return word


def _ends_short(word: str) -> bool:
    """Whether it ends in a short syllable: consonant, vowel, consonant but not w, x, Y; or a vowel and a consonant."""
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    return (
        len(word) > 2
        and word[-3] not in _VOWELS
        and word[-2] in _VOWELS
        and word[-1] not in _VOWELS
        and word[-1] not in "wxY"
    )

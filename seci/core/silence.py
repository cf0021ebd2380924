"""When a prompt gets nothing: most of what people type needs no memory, and what is injected unasked costs attention.

The limits were set on 94 questions about 23 coding sessions and on 100 prompts that need no memory
(tests/data/silent_prompts.txt), asked of the same vault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from seci.core.chunk import Kind
from seci.core.context import Passage

AUDIBLE = 0.5  # relevance of the best passage under which nothing is said
LEAST = 0.1  # relevance of any passage
PROMPT_TERMS = 2  # "go on", "ok, do it" and "1" ask for nothing that could be looked up
NEW_TERMS = 6  # that a quotation must hold beyond the prompt's: "yes please" finds every "yes, please"


# Thanks, assent and "go on" in nine languages. A prompt of these words alone asks for nothing; one that has any other
# word beside them may.
_COURTESY = frozenset(
    """
    thanks thank you very much ok okay yes yep no great good nice perfect cool please go ahead on continue proceed do it
    that sounds fine sure next right done bye
    danke vielen dank ja nein gut super prima perfekt passt genau bitte weiter mach machen so das klar toll klasse
    alles einverstanden los gerne sehr schön fertig stimmt richtig tschüss nächster schritt
    dankjewel bedankt dank je wel nee goed prima mooi top precies graag verder ga door doe maar dat is klopt akkoord
    merci beaucoup oui non parfait génial vas y continue d accord bien très super nickel fais le ça marche stp
    gracias muchas sí si vale bueno bien perfecto genial sigue continúa adelante hazlo claro de acuerdo por favor
    obrigado obrigada muito valeu sim não ótimo perfeito beleza certo pode seguir continua continue isso mesmo manda ver
    네 예 응 아니요 좋아 좋아요 좋습니다 감사합니다 고마워 고마워요 고맙습니다 계속 계속해 계속해줘 계속해주세요 해줘
    해주세요 해 줘 주세요 부탁해 부탁해요 부탁드립니다 진행해 진행해줘 진행해주세요 알겠습니다 확인 다음 그렇게 오케이
    """.split()  # noqa: SIM905 - as words it can be read
)
_DENSE_COURTESY = re.compile(  # the longer before what it begins with
    "ありがとう(?:ございま(?:す|した))?|はい|いいえ|了解(?:です|しました)?|お願い(?:します|いたします)?|続けて|ください|進めて|"
    "いい(?:ですね|です|ね|よ)|大丈夫(?:です)?|それで|そうして|次へ?|オッケー|助かりました|完璧(?:です)?|わかりました|どうぞ|ok|"
    "谢谢你?|多谢|感谢|好的?|行|可以|嗯+|对的?|是的?|没问题|继续吧?|请继续|不错|完美|明白了?|收到|同意|就这样|辛苦了|吧|了|请|下一步|开始"
)
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def is_courtesy(prompt: str) -> bool:
    """Whether a prompt only thanks, agrees or says to go on, in a language that seci knows."""
    text = prompt.strip().lower()
    if _DENSE.search(text):
        return not re.search(r"\w", _DENSE_COURTESY.sub("", text))
    words = re.findall(r"[^\W\d_]+", text)
    return bool(words) and not re.search(r"\d", text) and all(word in _COURTESY for word in words)


def is_worth_saying(prompt: str, passages: Iterable[Passage], terms: Callable[[str], list[str]]) -> bool:
    """Whether one of the passages is relevant enough to be put before an agent that did not ask."""
    if is_courtesy(prompt):
        return False
    asked = frozenset(terms(prompt))
    if len(asked) < PROMPT_TERMS:
        return False
    return any(
        passage.signals.relevance >= AUDIBLE
        and (passage.candidate.kind is not Kind.RAW or len({*terms(passage.candidate.text)} - asked) >= NEW_TERMS)
        for passage in passages
    )

"""Prompts that ask for nothing, whatever language they are in."""

from __future__ import annotations

import pytest

from seci.core.silence import is_courtesy

NOTHING = """
danke | ok, mach weiter bitte | passt so, danke | ja, genau so machen | dankjewel | ga maar verder | ja prima, doe maar
merci beaucoup | oui, vas-y | d'accord, continue | gracias | vale, sigue | sí, adelante
muito obrigado | beleza, pode seguir
谢谢 | 好的，继续 | 可以，继续吧 | 没问题，谢谢你 | ありがとうございます
はい、お願いします | 了解です、続けてください | 감사합니다
네, 계속해 주세요 | 좋아요, 진행해 주세요 | thanks | yes please go ahead
"""
SOMETHING = """
danke, und jetzt der Export | mach weiter mit dem Export | doe de migratie maar | merci, et le cache ?
sigue con la migración
obrigado, e o login? | 继续做导出 | 谢谢，端口是多少 | デプロイをお願いします
계속해서 배포해 주세요 | go ahead with the export | 1
"""


@pytest.mark.parametrize(
    "prompt", [part.strip() for line in NOTHING.split("\n") for part in line.split("|") if part.strip()]
)
def test_courtesies_ask_for_nothing(prompt: str) -> None:
    assert is_courtesy(prompt)


@pytest.mark.parametrize(
    "prompt", [part.strip() for line in SOMETHING.split("\n") for part in line.split("|") if part.strip()]
)
def test_a_word_beside_the_courtesy_counts(prompt: str) -> None:
    assert not is_courtesy(prompt)

"""Whatever a player writes, `orders take` reads it or refuses it."""

from __future__ import annotations

import random
import warnings
from contextlib import suppress

import pytest

from cardbattle.battles.messages.pasted_text import mails_in
from cardbattle.battles.messages.saved_mail import mail_text
from cardbattle.campaign.exchange.mails import take_messages
from cardbattle.core.errors import CardbattleError
from tests.support.vale import named_vale, orders

WORDS = """
    if unless when otherwise and or but then via so else until till hold marches retreat to the ford
    bridge mill vanguard militia Vanguard Blue guard garrison all both same rest red@1:
    the-vale/red@1: the-vale/blue@1: the-vale/red@2: peace give pay 3 1/2 we won lost they none
    declined battle no please PS: Sorry join avoid attack Ann wrote: Am schrieb From: Date: Subject:
    answer report one purse prisoner hire order except instead correction should will stay here home
    sealed open : ; , . ! ? -> → = - -- ( ) [ > " ' / | & + * @ 😀 :-)
"""
BEGINNINGS = ["", "the-vale/red@1:\n", "From: Ann\n\n", "> the-vale/red@1:\n> vanguard:\n"]


@pytest.mark.parametrize("word", ["if", "unless", "when", "otherwise"])
@pytest.mark.parametrize("above", ["", ";", ":-)"])
def test_a_paragraph_can_begin_with_a_condition(word: str, above: str) -> None:
    text = f"vanguard: hold\n\n{above}\n{word} you have time please send me the rules\n"
    assert orders(take_messages(named_vale(), [("mail.txt", text)], "red")) == {"vanguard": "hold"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_no_text_is_a_failure(seed: int) -> None:
    chance, campaign, words = random.Random(seed), named_vale(), [*WORDS.split(), "\n", "\n\n", "\n\n"]
    for _ in range(20):
        parts = [chance.choice(words) + chance.choice(["", " ", " ", "\n"]) for _ in range(30)]
        text = chance.choice(BEGINNINGS) + "".join(parts)
        with warnings.catch_warnings(), suppress(CardbattleError):
            warnings.simplefilter("ignore")
            take_messages(campaign, [("mail.txt", each) for each in mails_in(mail_text(text))], "")

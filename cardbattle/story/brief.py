"""Write a short summary of a battle in a language other than English: sides, winner, reason and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.chance import stream
from cardbattle.core.grammar import with_keys
from cardbattle.core.names import clean
from cardbattle.core.telling import ENGLISH, Fact, FactValue, Name
from cardbattle.story.language import language, read_table
from cardbattle.story.naming import side_names
from cardbattle.story.teller import Teller

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report

PHRASES = ("meeting", "won", "drawn", "side")


def brief_text(report: Report, lang: str) -> str:
    """Return the summary of a battle in a language. Raises UsageError if the language is unknown."""
    table = {**read_table(ENGLISH, "brief"), **read_table(lang, "brief")}
    vocabulary = language(lang, report.rules.key)
    phrases = {kind: [table[kind]] for kind in PHRASES}
    names = with_keys(report.names, report.setup.seats)
    teller = Teller(vocabulary, phrases, side_names(names, (), vocabulary), stream(0, "brief"))
    everyone = [Name(seat) for seat in range(len(report.names))]
    teller.tell(Fact("meeting", {"rules": report.rules.name, "sides": everyone}))
    reason = reason_in(lang, report)
    if report.winners_to_name:
        winners = [Name(seat) for seat in report.winners_to_name]
        teller.tell(Fact("won", {"sides": winners, "reason": reason}))
    else:
        teller.tell(Fact("drawn", {"reason": reason}))
    for seat, (score, losses) in enumerate(zip(report.scores, report.losses, strict=True)):
        unit = table["units"].get(report.rules.score_word, report.rules.score_word)
        fields: dict[str, FactValue] = {
            "side": Name(seat), "score": str(score), "unit": vocabulary.form_for(score, unit),
            "losses": {"0": str(table["none"]), "1": str(table["all"])}.get(losses, losses),
        }  # fmt: skip
        teller.tell(Fact("side", fields))
    return " ".join(sentence.text for sentence in teller.sentences)


def reason_in(lang: str, report: Report) -> str:
    """Return the reason of a victory. If the language has no text for the reason, return it in English."""
    reasons = read_table(lang, "brief").get("reasons", {}).get(report.rules.key, {})
    return clean(reasons.get(report.reason) or report.rules.reasons.get(report.reason, report.reason))

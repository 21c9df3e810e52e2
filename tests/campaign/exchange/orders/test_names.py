"""The names of forces and places in messages."""

from __future__ import annotations

import pytest

from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign
from tests.campaign.phases.movement.test_procedure import vale
from tests.support.vale import ADDRESS, named_vale, orders, take


def named(vanguard: str, militia: str) -> Campaign:
    """Return the campaign of the guide in which two forces of Red have these names."""
    forces = {key: {**force} for key, force in named_vale().data["forces"].items()}  # type: ignore[attr-defined]
    forces["vanguard"]["name"], forces["militia"]["name"] = vanguard, militia
    return vale({}, forces=forces)


@pytest.mark.parametrize(
    "line", ["Die Brücke ist wichtig.", "We would rather die.", "Der Weg von hier ist lang."]
)
def test_an_article_of_another_language_does_not_name_a_force(line: str) -> None:
    campaign = named("Die Jäger", "Spieße von der Mühle")
    taken = take(campaign, f"Die Jäger: hold\nDie Spieße: march to the ford\n\n{line}\nAnn\n\n> {ADDRESS}:\n")
    assert orders(taken) == {"vanguard": "hold", "militia": "march to ford"}
    assert not taken.errors
    assert "unknown force of Red:" in str(take(campaign, f"{ADDRESS}:\nDie: hold").errors[0])


def test_a_place_or_faction_is_no_misspelt_force() -> None:
    place = Change(("locations", "ford", "name"), None, "Grünwald")
    campaign = named("Grünwalder Jäger", "Steinwache").after([place])
    taken = take(campaign, f"{ADDRESS}:\nall: hold\n\nJürgen, House Grünwald\n")
    assert len(orders(taken)) == 2 and not taken.errors


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("The Lay Brothers", "Let nobody lose my battles. I am on a retreat."),
        ("The Lay Brothers", "We play when I return."),
        ("The Lay Brothers", "I heard that the others advance."),
        ("The Strikers", "Strike hard and march on!"),
    ],
)
def test_a_short_word_and_a_verb_are_no_misspelt_force(name: str, line: str) -> None:
    campaign = named("Steinwache", name)
    taken = take(campaign, f"{ADDRESS}:\nvanguard: march to ford\nmilitia: hold\n\n{line}\n")
    assert orders(taken) == {"vanguard": "march to ford", "militia": "hold"} and not taken.errors
    last = name.rpartition(" ")[2].removesuffix("s")
    corrected = take(campaign, f"{ADDRESS}:\nall: hold\n\nThe {last} should march to ford instead.\n")
    assert orders(corrected) == {"vanguard": "hold", "militia": "march to ford"}


@pytest.mark.parametrize(
    "line", ["PS: Ford should stay at the bridge.", "the Ford stops at the mill", "If they run, Ford stays."]
)
def test_a_word_of_a_force_and_a_place_means_the_force_before_a_verb(line: str) -> None:
    """`Ford` is the place, too, but a place does not act. The order cannot count beside the other wish."""
    campaign = named("Ford Guard", "Steinwache")
    taken = take(campaign, f"{ADDRESS}:\nFord Guard: march to fort\nSteinwache: hold\n\n{line}\n")
    assert orders(taken) == {"militia": "hold"} and "vanguard" in str(taken.errors[0])
    kept = take(campaign, f"{ADDRESS}:\nFord Guard: march to fort\nSteinwache: march to ford, hold there\n")
    assert orders(kept)["vanguard"] == "march to fort"


def test_a_word_like_an_article_at_the_end_of_a_name_names_the_force() -> None:
    taken = take(named("Fox Den", "La Haye"), f"{ADDRESS}:\nDen: hold\nHaye: march to ford")
    assert orders(taken) == {"vanguard": "hold", "militia": "march to ford"}


LED = named_vale().after([Change(("forces", "militia", "leader"), None, "Brother Anselm")])


@pytest.mark.parametrize("name", ["Brother Anselm", "Anselm", "Bruder Anselm", "Vanguard and Anselm"])
@pytest.mark.parametrize("mail", [f"{ADDRESS}:\n{{}}", f"{{}}\n\n> {ADDRESS}:\n"])
def test_a_leader_names_the_force(mail: str, name: str) -> None:
    for line in (f"{name}: hold", f"{name} hold", f"militia: march to ford\nvanguard: join {name}"):
        taken = take(LED, mail.format(line))
        assert not taken.errors and "militia" in orders(taken)
        if "and" in name:
            break


@pytest.mark.parametrize("line", ["militia: join Anselm", "vanguard: hold. The militia joins Anselm"])
def test_a_force_cannot_join_its_own_leader(line: str) -> None:
    taken = take(LED, f"{ADDRESS}:\n{line}")
    assert not orders(taken) and "Anselm" in str(taken.errors[0])


@pytest.mark.parametrize(
    ("leader", "line"), [("Anselm Holt", "Anselm Holt"), ("Will March", "Will the enemy march to ford")]
)
def test_a_leader_named_like_a_verb_gives_no_order(leader: str, line: str) -> None:
    campaign = named_vale().after([Change(("forces", "militia", "leader"), None, leader)])
    taken = take(campaign, f"Vanguard holds\n\n{line}\n\n> {ADDRESS}:\n")
    assert orders(taken) == {"vanguard": "hold"} and "did you mean" not in str(taken.errors)
    assert not orders(take(campaign, f"{ADDRESS}:\nmarch to ford"))


@pytest.mark.parametrize("word", ["soeldner", "soldner", "Söldner", "Krahes", "Kraehes Soldner", "kraehe"])
def test_a_word_of_a_name_can_lack_its_umlaut_dots(word: str) -> None:
    campaign = named_vale().after([Change(("forces", "militia", "name"), "Red militia", "Krähes Söldner")])
    assert orders(take(campaign, f"{ADDRESS}:\n{word}: hold")) == {"militia": "hold"}


@pytest.mark.parametrize("change", ["fallen", "prisoner_of", "two"])
def test_a_leader_who_is_not_with_one_force_names_none(change: str) -> None:
    key, value = {"fallen": ("fallen", True), "prisoner_of": ("prisoner_of", "blue")}.get(change, ("", ""))
    changed = Change(("forces", "militia", key), None, value)
    second = Change(("forces", "vanguard", "leader"), None, "Father Anselm")
    taken = take(LED.after([changed if key else second]), f"{ADDRESS}:\nAnselm: hold")
    assert not orders(taken) and 'unknown force of Red: "Anselm"' in str(taken.errors[0])


@pytest.mark.parametrize(
    "mail", ["{}", f"{ADDRESS}:\n\n{{}}", f"{ADDRESS}:\n{{}}", f"{{}}\n\n> {ADDRESS}:\n"]
)
@pytest.mark.parametrize(
    "line",
    [
        "vanguard: hold\n{} should ride to the ford and hide.",
        "vanguard: hold\n{} stays where she is.",
        "vanguard: hold\nI hope that {} will ride to the\nford with a picnic.",
        "{}: hold\n\nPS: {} should rather go to the ford.",
        "{}: hold\n\nWait! Let {} stay at the mill instead",
        "If Blue comes, {} falls back to the mill.",
        "vanguard: hold, {} goes to the ford",
        "{} and the vanguard hold",
    ],
)
def test_a_sentence_about_a_leader_is_read_as_one_about_the_force(line: str, mail: str) -> None:
    for faction in ("", "red"):
        read = [take(LED, mail.format(line.format(*[name] * 2)), faction) for name in ("Anselm", "militia")]
        leader, force = [[str(each).replace("Anselm", "militia") for each in taken.errors] for taken in read]
        assert leader == force or (not faction and mail == "{}")  # without a sender, a leader is unknown
        assert orders(read[0]) == orders(read[1]) or (not faction and mail == "{}")


def test_words_of_another_order_are_no_title_of_a_leader() -> None:
    taken = take(LED, f"{ADDRESS}:\nThe vanguard holds. Anselm to the ford")
    assert orders(taken) == {"vanguard": "hold", "militia": "march to ford"}
    assert not orders(take(LED, f"{ADDRESS}:\nTell vanguard Anselm: hold"))


def test_a_title_names_no_leader() -> None:
    taken = take(LED, f"{ADDRESS}:\nmilitia: hold\n\nI hope your brother will come to the ford, too!")
    assert orders(taken) == {"militia": "hold"} and not taken.errors


def test_an_unreadable_order_for_a_leader_is_reported() -> None:
    assert 'write "hold"' in str(take(LED, f"{ADDRESS}:\nAnselm: pray").errors[0])
    assert "unknown force" in str(take(LED, "Anselm: hold").errors[0])


UMLAUTS = [
    ("Bürgerwehr", "Buergerwehr"),
    ("Die Müllerknechte", "Muellerknechte"),
    ("Muehlenwache", "Mühlenwache"),
    ("Röhrigs Kompanie", "Roehr. Komp."),
    ("Alte Jäger", "Jaeger"),
]


@pytest.mark.parametrize(("name", "written"), UMLAUTS)
def test_ae_stands_for_an_umlaut(name: str, written: str) -> None:
    campaign = named(name, "Spieße").after([Change(("locations", "ford", "name"), None, "Große Brücke")])
    for place in ("Grosse Bruecke", "Bruecke", "große brucke"):
        taken = take(campaign, f"{written}: march to the {place}\nSpiesse: join {written}\n\n> {ADDRESS}:\n")
        assert not taken.errors
        assert orders(taken) == {"vanguard": "march to ford", "militia": "join vanguard"}


@pytest.mark.parametrize("mail", [f"{ADDRESS}:\n{{}}", f"{{}}\n\n> {ADDRESS}:\n"])
def test_a_name_with_another_final_s_needs_no_colon(mail: str) -> None:
    campaign = named("The Tar Boys", "Harbour Guard")
    for line in (
        "tars to ford\nguards go to the ford",
        "soz late. tars: ford\nthe guards to ford",
        "tar to ford. Guards: ford",
    ):
        taken = take(campaign, mail.format(line))
        assert orders(taken) == dict.fromkeys(("vanguard", "militia"), "march to ford") and not taken.errors


@pytest.mark.parametrize("mail", [f"{ADDRESS}:\n{{}}", f"{{}}\n\n> {ADDRESS}:\n"])
def test_a_name_without_its_final_s_needs_no_colon(mail: str) -> None:
    campaign = named("Röhrigs Kompanie", "Müllerknechte")
    taken = take(campaign, mail.format("Röhrig march to ford\nmilitia: hold"))
    assert orders(taken) == {"vanguard": "march to ford", "militia": "hold"} and not taken.errors
    for talk in ("We march to the ford today.", "Röhr march to the ford", "Müllerknecht march to the ford"):
        assert orders(take(campaign, mail.format(talk))) == {}

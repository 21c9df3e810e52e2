"""A mail that a mail program has saved is read once, whatever formats and encodings its text has."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage
from itertools import product
from pathlib import Path

import pytest

from cardbattle.battles.messages.pasted_text import plain_lines
from cardbattle.battles.messages.saved_mail import mail_text, read_message
from cardbattle.core.errors import InvalidInput
from tests.campaign.turn.test_turn_by_messages import valley as valley  # the same campaign
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

TEXT = (
    "valley/red@1:\nvanguard: march to bridge, the men are tired of this long, wet war \u2014 Zo\u00eb"
    "\n\nThe umpire wrote:\n> valley/red@1:\n> vanguard:\n"
)
ENCODINGS = ("8bit", "quoted-printable", "base64")
FORMATS = ("plain", "alternative", "html", "attached", "forwarded")


def saved(text: str, form: str = "alternative", encoding: str = "8bit") -> str:
    """Return the file of a mail with this text."""
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"] = "Ann <ann@x.org>"
    mail["Subject"] = "Re: Red: orders"
    html = "".join(f"<div>{line or '<br>'}</div>" for line in text.replace(">", "&gt;").splitlines())
    if form == "html":
        mail.set_content(f"<html><body>{html}</body></html>", subtype="html", cte=encoding)
    else:
        mail.set_content(text, cte=encoding)
    if form not in ("plain", "html"):
        mail.add_alternative(f"<html><body>{html}</body></html>", subtype="html", cte=encoding)
    if form == "attached":
        mail.add_attachment(b"vanguard: hold", maintype="image", subtype="png")
    if form == "forwarded":
        outer = EmailMessage(policy=policy.SMTP)
        outer["Subject"] = "Fwd: orders"
        outer.set_content("See below.")
        outer.add_attachment(mail)
        return outer.as_bytes().decode("utf-8")
    return mail.as_bytes().decode("utf-8")


@pytest.mark.parametrize(("form", "encoding"), [*product(FORMATS, ENCODINGS)])
def test_the_text_of_a_saved_mail_is_read_once(form: str, encoding: str) -> None:
    for mail in (saved(TEXT, form, encoding), saved(TEXT, form, encoding).replace("\r\n", "\n")):
        lines = mail_text(mail).splitlines()
        assert lines.count("valley/red@1:") == (form != "html")
        assert "\n".join(lines).count("Zo\u00eb") == 1
        whole = TEXT.splitlines()
        assert form == "html" or any(lines[at:][: len(whole)] == whole for at in range(len(lines)))


def test_a_line_of_a_saved_mail_keeps_its_number() -> None:
    mail = saved(TEXT)
    at = mail.replace("\r\n", "\n").splitlines().index("valley/red@1:")
    assert mail_text(mail).splitlines()[at] == "valley/red@1:"


SENDER_LINE = "From ann@x.org Mon Nov 29 12:08:34 2027\n"


@pytest.mark.parametrize(("form", "encoding"), [*product(FORMATS, ENCODINGS)])
@pytest.mark.parametrize("between", ["", "\n", SENDER_LINE, f"\n{SENDER_LINE}"], ids=range(4))
def test_no_mail_in_a_file_is_lost(form: str, encoding: str, between: str) -> None:
    others = TEXT.replace("vanguard", "guard").replace("red", "blue")
    mails = [saved(others, "plain", each) for each in ENCODINGS]
    for mail in [*mails, saved(others), f"From: Bob\n\n{others}", "guard: hold, Zo\u00eb\n"]:
        lines = mail_text(saved(TEXT, form, encoding) + between + mail).splitlines()
        assert "\n".join(lines).count("Zo\u00eb") == 2
        assert sum(line.startswith("guard: ") for line in lines) == 1


def test_the_lines_of_a_large_attachment_do_not_count(tmp_path: Path) -> None:
    header = "From: Ann\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n"
    part = "\n--x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + "QUJD\n" * 60_000
    mail = f"{header}south@1: 1\n{part}\n--x\n\nsouth@2: 1\n{part}\n--x--\n"
    path = tmp_path / "ann.eml"
    path.write_text(mail, "utf-8")
    lines = plain_lines("ann.eml", read_message(str(path))[1])
    assert [line.text for line in lines if "@" in line.text] == ["south@1: 1", "south@2: 1"]


def test_a_text_with_very_many_parts_is_not_read_as_a_mail() -> None:
    """Each part takes time and memory, and the file can be large."""
    header = "From: Ann\nContent-Type: multipart/mixed; boundary=x\n\n"
    part = "--x\n\na: hold\n"
    few, many = header + 900 * part + "--x--\n", header + 1100 * part + "--x--\n"
    assert "--x" not in mail_text(few) and mail_text(few).count("a: hold") == 900
    assert mail_text(many) == many


def test_attachments_do_not_count_towards_the_size_of_a_message(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["From"] = "Ann <ann@example.org>"
    mail.set_content("south@1: 1\n")
    mail.add_attachment(bytes(1_500_000), maintype="image", subtype="png", filename="map.png")
    path = tmp_path / "ann.eml"
    path.write_bytes(mail.as_bytes())
    assert path.stat().st_size > 2_000_000
    assert "south@1: 1\n" in read_message(str(path))[1]
    path.write_bytes(b"south@1: 1\n" * 100_000)
    with pytest.raises(InvalidInput, match="larger than the limit of 1 MB"):
        read_message(str(path))


def test_text_above_a_saved_mail_is_kept() -> None:
    lines = mail_text(f"guard: hold\n\n{saved(TEXT, 'plain', 'base64')}").splitlines()
    assert lines[0] == "guard: hold"
    assert lines.count("valley/red@1:") == 1


def test_text_that_was_decoded_before_is_kept() -> None:
    header = "From: Ann\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    assert mail_text(header + TEXT).splitlines()[4:] == TEXT.splitlines()


@pytest.mark.parametrize("line", ["guard: hold\r\n", "a: b\r\n c\r\n", "Content-Type: text/plain\r\n"])
def test_the_time_for_lines_with_colons_is_proportional_to_their_number(line: str) -> None:
    text = line * 5_000 + "See you"
    assert mail_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"From: Ann\nSubject: orders\n\n{TEXT}",
        f"From: Ann\nContent-Type: text/plain\n\n{TEXT}",
        "Content-Type: multipart/mixed; boundary=x\n\nvanguard: hold",
        "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nYTogaG9sZA==",
        "Content-Type: multipart/mixed; boundary=x\n\n" * 30,
    ],
    ids=range(6),
)
def test_other_text_is_unchanged(text: str) -> None:
    assert mail_text(text) == text


def test_a_saved_mail_is_taken_like_its_text(sh: Shell, valley: object) -> None:
    for name, text in (("mail.txt", TEXT), *((f"{form}.eml", saved(TEXT, form)) for form in FORMATS)):
        said = sh("campaign", "orders", "take", "--dry-run", sh.write(name, text))
        assert said.code == 0, said.err
        assert said.err.count("ignored:") == 1
        assert "Vanguard: march to Bridge" in said.out or '"march to bridge"' in said.out, said.out


def with_attachment(text: str) -> str:
    """Return a mail with this text and an attachment with an order."""
    mail = EmailMessage()
    mail["From"] = "Ann <ann@x.org>"
    mail.set_content(text)
    mail.add_attachment("vanguard: march to ford\n", filename="map.txt")
    return mail.as_string()


def test_an_attachment_is_not_read_beside_the_text_of_a_mail(sh: Shell, valley: object) -> None:
    mail = sh.write("ann.eml", with_attachment("valley/red@1:\nvanguard: march to bridge\n"))
    said = sh("campaign", "orders", "take", mail)
    assert said.code == 0, said.err
    assert 'ann.eml: the attachment "map.txt" is not read; if it counts, take it as a file' in " ".join(
        said.err.split()
    )
    assert "Vanguard: march to Bridge" in said.out


def test_a_player_cannot_give_the_orders_in_a_mail_that_they_forward_as_an_attachment(
    sh: Shell, valley: object
) -> None:
    inner, outer = EmailMessage(), EmailMessage()
    inner["From"], inner["To"] = "Ann <ann@x.org>", "Bob <bob@x.org>"
    inner["Date"] = "Sat, 5 Dec 2026 10:11:12 +0000"
    inner.set_content("valley/red@1:\nvanguard: march to bridge\n")
    outer["From"], outer["To"] = "Bob <bob@x.org>", "Umpire <u@x.org>"
    outer.set_content("valley/blue@1:\nguard: hold\n")
    outer.add_attachment(inner)
    said = sh("campaign", "orders", "take", sh.write("bob.eml", outer.as_string()))
    assert "Guard: hold" in said.out and "Vanguard" not in said.out
    assert "ignored, because another player quotes it: vanguard: march to bridge" in " ".join(
        said.err.split()
    )


def test_an_attachment_is_read_if_the_mail_has_no_other_text() -> None:
    unread: list[str] = []
    assert "vanguard: march to ford" in mail_text(with_attachment(" \n"), unread)
    assert not unread


@pytest.mark.filterwarnings("ignore:.*Windows-1252")
@pytest.mark.parametrize("encoding", ["quoted-printable", "8bit"])
def test_each_mail_of_an_mbox_has_its_own_character_set(tmp_path: Path, encoding: str) -> None:
    """The second mail says nothing about its character set, and is in UTF-8."""
    line = "From ann@example.org Thu Dec  3 07:00:00 2026\nFrom: Ann <ann@example.org>\n"
    header = f"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: {encoding}\n"
    first = b"M=FChlbach: hold" if encoding == "quoted-printable" else "M\xfchlbach: hold".encode("latin-1")
    second = "M\xfchlbach: march to \xc1rva\n"
    path = tmp_path / "mails.mbox"
    path.write_bytes(f"{line}{header}\n".encode() + first + f"\n\n{line}\n{second}".encode())
    text = read_message(str(path))[1]
    assert "M\xfchlbach: hold\n" in text and text.endswith(second)

"""Read mails that a mail program has saved as files, such as `ann.eml`.

Such a file can contain the same text twice, as plain text and as HTML, and both can be encoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_string
from email.message import Message

from cardbattle.battles.messages.pasted_text import NEWLINE
from cardbattle.files.spreadsheet import read_text
from cardbattle.files.toml import MEGABYTE

HEADER = re.compile(r"(?:From .*\r?\n)?(?:[!-9;-~]+:.*\r?\n(?:[ \t].*\r?\n)*)+\r?\n")
CONTENT_TYPE = re.compile(r"^Content-Type:", re.IGNORECASE | re.MULTILINE)
BOUNDARY = re.compile(r"\bboundary=", re.IGNORECASE)
MOST_BOUNDARIES = 20  # a text with more is not read as a mail, because its parts can be nested deeply
TEXT_TYPES = ("text/plain", "text/html")
ENCODED = ("base64", "quoted-printable")


def read_message(path: str) -> tuple[str, str]:
    """Return the printable name of a file with a message, and its text. The path `-` means standard input.

    Raises InvalidInput as `read_text` does.
    """
    name, text = read_text(path, MEGABYTE, is_letter=True)
    return name, mail_text(text)


def mail_text(text: str) -> str:
    r"""Return the header and the decoded text of a saved mail. Other text is returned unchanged.

    If a mail has its text in several formats, the result has the plain text only. Lines keep their numbers
    where possible. Further mails in the same file are read too.

    >>> mail_text("Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nYTogaG9sZA==\n")
    'Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\na: hold'
    """
    header = HEADER.match(text)
    is_mail = header is not None and CONTENT_TYPE.search(header[0]) is not None
    if header is None or not is_mail or len(BOUNDARY.findall(text)) > MOST_BOUNDARIES:
        return text
    mail = message_from_string(text)
    parts = [*text_parts(mail)]
    if not parts or not (mail.is_multipart() or is_encoded(mail)):
        return text
    lines, end = NEWLINE.split(header[0].rstrip()), header.end()
    for part in parts:
        raw = str(part.get_payload())
        at = text.find(raw, end)
        lines += [""] * max(1, text.count("\n", 0, at) - len(lines))
        lines += NEWLINE.split(decoded(part))
        end = at + len(raw)
    after = (mail.epilogue or "").lstrip("\r\n")
    if after.strip():
        lines += [""] * max(1, text.count("\n", 0, len(text) - len(after)) - len(lines))
        lines += NEWLINE.split(mail_text(after))
    return "\n".join(lines)


def text_parts(mail: Message) -> Iterator[Message]:
    """Yield the parts of a mail that have its text. Of alternatives, only the plain text, if there is one."""
    if not mail.is_multipart():
        if mail.get_content_type() in TEXT_TYPES:
            yield mail
        return
    parts = [part for part in mail.get_payload() if isinstance(part, Message)]
    if mail.get_content_subtype() == "alternative":
        plain = [part for part in parts if part.get_content_type() == TEXT_TYPES[0] and decoded(part).strip()]
        parts = (plain or parts[::-1])[:1]
    for part in parts:
        yield from text_parts(part)


def is_encoded(part: Message) -> bool:
    """Return True if the text of a part is not written as it reads."""
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower() in ENCODED


def decoded(part: Message) -> str:
    """Return the text of a part."""
    content = part.get_payload(decode=True) if is_encoded(part) else None
    if not isinstance(content, bytes):
        return str(part.get_payload())
    try:
        return content.decode(part.get_content_charset("utf-8"), "replace")
    except (LookupError, ValueError):  # an unknown character set
        return content.decode("utf-8", "replace")

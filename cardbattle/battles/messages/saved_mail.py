"""Read mails that a mail program has saved as files, such as `ann.eml`.

Such a file can contain the same text twice, as plain text and as HTML, and both can be encoded. An attachment
is read only if the mail has no other text.
"""

from __future__ import annotations

import re
import warnings
from binascii import a2b_base64, a2b_qp
from collections.abc import Iterator
from email import message_from_string
from email.message import Message
from itertools import islice

from cardbattle.battles.messages.pasted_text import MBOX, MOST_LINES, MOST_MAILS, NEWLINE
from cardbattle.core.errors import Remark
from cardbattle.core.names import quoted
from cardbattle.files.spreadsheet import read_text
from cardbattle.files.toml import MEGABYTE, invalid_file

# A block of lines such as `From: Ann`, which is a header if an empty line ends it, or another line
BLOCK = re.compile(
    r"(?P<header>(?:From [^\n]*\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+)(?P<end>\r?\n)?|[^\n]*\n"
)
CONTENT_TYPE = re.compile(r"^Content-Type:", re.IGNORECASE | re.MULTILINE)
SENDER = re.compile(r"^From[ :]", re.IGNORECASE | re.MULTILINE)
BASE64_LINES = re.compile(r"\s*(?:[A-Za-z0-9+/=]+\r?(?:\n|$))*")
BOUNDARY = re.compile(r"\bboundary=", re.IGNORECASE)
MOST_BOUNDARIES = 20  # a text with more is not read as a mail, because its parts can be nested deeply
MOST_PARTS = 1000  # a text with more lines that can begin a part is not read as a mail
ATTACHMENT = re.compile(r"\n{1000,}")  # the empty lines that replace a large attachment
MOST_BYTES = 25 * MEGABYTE  # with attachments; mail servers seldom allow more
TEXT_TYPES = ("text/plain", "text/html")
ENCODED = ("base64", "quoted-printable")


def read_message(path: str) -> tuple[str, str]:
    """Return the printable name of a file with a message, and its text. The path `-` means standard input.

    If there are too many lines to read, those of large attachments are left out, so that the lines below get
    other numbers. Raises InvalidInput as `read_text` does, also if the text without attachments is larger
    than 1 MB. Warns of each attachment with text that is not read.
    """
    name, content = read_text(path, MOST_BYTES, is_letter=True)
    unread: list[str] = []
    text = mail_text(content, unread)
    for attachment in unread:
        remark = f"{name}: the attachment {quoted(attachment)} is not read; if it counts, take it as a file"
        warnings.warn(remark, Remark, stacklevel=2)
    if text.count("\n") >= MOST_LINES:
        text = ATTACHMENT.sub("\n\n", text)
    if len(text.encode()) > MEGABYTE:
        raise invalid_file(name, "the file is larger than the limit of 1 MB; split it")
    return name, text


def mail_text(text: str, unread: list[str] | None = None) -> str:
    r"""Return a text in which the saved mails have their header and their decoded text.

    If a mail has its text in several formats, the result has the plain text only. Lines keep their numbers
    where possible. Text that is not in a saved mail is unchanged. The function adds the names of attachments
    with text that is not read to `unread`.

    >>> mail_text("Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nYTogaG9sZA==\n")
    'Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\na: hold\n'
    """
    headers = [*islice(headers_in(text), MOST_MAILS + 1)] if CONTENT_TYPE.search(text) else []
    if len(headers) > MOST_MAILS:
        return text
    chunks: list[str] = []
    end = missing = 0  # the end of the last mail, and the number of lines that its text lacks
    for n, header in enumerate(headers):
        if header.start() < end:
            continue  # of a mail in another mail
        next_start = headers[n + 1].start() if n + 1 < len(headers) else len(text)
        stop = end_of_mail(text, header, next_start)
        mail = text[header.start() : stop]
        plain = decode_mail(mail, header[0], unread)
        missing += mail.count("\n") - plain.count("\n")
        chunks += [text[end : header.start()], plain, "\n" * missing]
        missing, end = min(missing, 0), stop
    return "".join([*chunks, text[end:]])


def headers_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the headers that say how a mail is encoded, or that begin a mail in an mbox file.

    Below other text, a header must name the sender.
    """
    for block in BLOCK.finditer(text):
        is_certain = not block.start() or SENDER.search(block[0])
        is_mail = MBOX.fullmatch(block[0].partition("\n")[0]) or CONTENT_TYPE.search(block["header"] or "")
        if block["end"] and is_certain and is_mail:
            yield block


def end_of_mail(text: str, header: re.Match[str], next_start: int) -> int:
    """Return where the mail with this header ends. The next header begins at `next_start`."""
    boundary = message_from_string(header[0]).get_boundary()
    if boundary is None:
        return next_start
    close = text.find(f"\n--{boundary}--", header.end() - 1)
    after = text.find("\n", close + 1) + 1 if close >= 0 else 0
    return after or len(text)


def decode_mail(text: str, header: str, unread: list[str] | None = None) -> str:
    """Return the header and the decoded text of one mail. Without parts and encoding, it is unchanged."""
    if len(BOUNDARY.findall(text)) > MOST_BOUNDARIES or text.count("\n--") > MOST_PARTS:
        return text
    mail = message_from_string(text)
    parts = [*text_parts(mail)]
    body = [part for part in parts if part.get_content_disposition() != "attachment"]
    if any(decoded(part).strip() for part in body):
        attached = (part for part in parts if part not in body and decoded(part).strip())
        if unread is not None:
            unread += [part.get_filename("") for part in attached]
        parts = body
    if not parts or not (mail.is_multipart() or is_encoded(mail)):
        return text
    lines, end = NEWLINE.split(header.rstrip()), len(header)
    above = counted = 0  # the number of line breaks before the position `counted`
    for part in parts:
        raw = str(part.get_payload())
        at = max(text.find(raw, end), end)
        above, counted = above + text.count("\n", counted, at), at
        lines += [""] * max(1, above - len(lines))
        lines += NEWLINE.split(decoded(part))
        end = at + len(raw)
    return "\n".join(lines if lines[-1] == "" else [*lines, ""])


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
        if mail.get_content_maintype() == "message":
            yield header_part(part)
        yield from text_parts(part)


def header_part(mail: Message) -> Message:
    """Return the header of a mail inside another mail as text, which shows who sent it."""
    header = Message()
    lines = (f"{name}: {mail[name]}" for name in ("From", "To", "Date", "Subject") if mail[name])
    header.set_payload("\n".join(["", *lines, "", ""]))
    return header


def is_encoded(part: Message) -> bool:
    """Return True if the text of a part is not written as it reads."""
    return encoding_of(part) in ENCODED


def encoding_of(part: Message) -> str:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower()


def decoded(part: Message) -> str:
    """Return the text of a part. Lines below base64, and text that was decoded before, are unchanged."""
    text = str(part.get_payload())
    if not is_encoded(part):
        return text
    is_base64 = encoding_of(part) == "base64"
    code = text[: end_of_base64(text)] if is_base64 else text
    try:
        content = a2b_base64(f"{code}==") if is_base64 else a2b_qp(code.encode("utf-8"))
    except ValueError:  # not base64
        return text
    try:
        plain = content.decode(part.get_content_charset("utf-8"), "replace")
    except (LookupError, ValueError):  # an unknown character set
        plain = content.decode("utf-8", "replace")
    return plain + text[len(code) :]


def end_of_base64(text: str) -> int:
    """Return where the lines in base64 at the beginning of a text end."""
    code = BASE64_LINES.match(text)
    return code.end() if code else 0

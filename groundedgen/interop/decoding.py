"""Bytes of a text file become the text that its author saw, or an error; never mojibake."""

from __future__ import annotations

import codecs
import re
from typing import Final

from groundedgen.errors import InputError

__all__ = ["decode", "decode_html"]

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_DECLARED: Final = re.compile(rb"(?i)<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})")
# What a web page may declare. A name outside this list is an error, because Python's
# registry also holds codecs that are no character sets (rot13, unicode_escape, idna).
_WEB_CODECS: Final = frozenset(
    {"big5", "euc_jp", "euc_kr", "gb18030", "gb2312", "gbk", "iso2022_jp", "koi8-r", "koi8-u"}
    | {"mac-roman", "shift_jis", "utf-8", "ascii", *(f"cp125{n}" for n in range(9))}
    | {"iso8859-1", *(f"iso8859-{n}" for n in range(2, 17) if n != 12), "cp874", "cp949"}
)


def decode(data: bytes, name: str) -> str:
    r"""The text of a UTF-8 file; a byte order mark at its start is not part of it.

    Line ends stay as they are.

    Args:
        data: The whole file.
        name: How errors name it.

    Raises:
        InputError: It is binary (`binary_file`) or not UTF-8 (`bad_encoding`; the message
            holds the offset of the first wrong byte, from 0).

    >>> decode(b"\xef\xbb\xbfna\xc3\xafve\r\n", "a.txt")
    'naïve\r\n'
    >>> decode(b"na\xefve", "a.txt")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    groundedgen.errors.InputError: a.txt: not UTF-8: byte 0xEF at offset 2; save it as UTF-8 ...
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            raise _not_utf8(name, f"it is {encoding} text", encoding)
    offset = data.find(b"\0")
    if offset >= 0:
        raise InputError(
            f"{name}: not a text file: byte 0x00 at offset {offset}; "
            "give a text file, or save UTF-16 text as UTF-8",
            code="binary_file",
        )
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + len(data) - len(body)
        where = f"not UTF-8: byte 0x{data[offset]:02X} at offset {offset}"
        raise _not_utf8(name, where, "WINDOWS-1252") from None


def decode_html(data: bytes, name: str) -> str:
    """As `decode`, but a page that is not UTF-8 is read as the character set it declares.

    Bytes that are not of that set are an error too.
    """
    declared = _DECLARED.search(data, 0, 4096)
    codec = _web_codec(declared[1].decode("ascii")) if declared else None
    # Text that happens to be valid UTF-8 is UTF-8, whatever it declares, except that
    # ISO-2022-JP writes everything in ASCII bytes.
    if not codec or codec == "utf-8" or (codec != "iso2022_jp" and _is_utf8(data)):
        return decode(data, name)
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        where = (
            f"declares {codec}, but holds byte 0x{data[error.start]:02X} at offset {error.start}"
        )
        raise _not_utf8(name, where, codec.upper()) from None


def _web_codec(label: str) -> str | None:
    try:
        codec = codecs.lookup(label).name
    except LookupError:
        return None
    # Every browser reads Latin-1 as its Windows superset.
    codec = "cp1252" if codec in ("iso8859-1", "ascii") else codec
    return codec if codec in _WEB_CODECS else None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _not_utf8(name: str, what: str, encoding: str) -> InputError:
    return InputError(
        f"{name}: {what}; save it as UTF-8 (for instance: iconv -f {encoding} -t UTF-8)",
        code="bad_encoding",
    )

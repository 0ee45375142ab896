"""The parts of a ``multipart/form-data`` body."""

import email.policy
from dataclasses import dataclass, field
from email.parser import BytesParser

from gateway.internal.management.gojson import BodyUnreadable

_FORM = "multipart/form-data"


@dataclass(frozen=True, slots=True)
class Part:
    """One part: the name of its field, the name of its file (None for a plain value), and its content."""

    name: str
    file_name: str | None
    content: bytes = field(repr=False)


def is_form(content_type: str) -> bool:
    """Return whether a body of this type is a form."""
    return content_type.partition(";")[0].strip().lower() == _FORM


def parts_of(content_type: str, body: bytes) -> list[Part]:
    """Return the parts of a form, in order.

    Raises:
        BodyUnreadable: It is not a form.
    """
    head = b"Content-Type: " + content_type.encode("latin-1", "replace") + b"\r\n\r\n"
    form = BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    if not form.is_multipart():
        raise BodyUnreadable("invalid multipart form: no part found")
    parts = []
    for part in form.iter_parts():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            name = str(part.get_param("name", "", "content-disposition"))
            parts.append(Part(name, part.get_filename(), content))
    return parts

import base64
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.inference.rsa import KeyUnreadable, read_key
from tests.inference.rsa_key import MESSAGE, PKCS1, PKCS8, SIGNATURE


@pytest.mark.parametrize("pem", [PKCS8, PKCS1, PKCS8.replace("\n", "\\n"), PKCS8.replace("\n", "\r\n")])
def test_a_signature_is_the_one_openssl_makes(pem: str) -> None:
    assert read_key(pem).sign(MESSAGE) == SIGNATURE


@given(st.binary())
def test_what_is_no_key_is_refused_whatever_it_is(content: bytes) -> None:
    with pytest.raises(KeyUnreadable):
        read_key(base64.b64encode(content).decode())


@given(st.text())
def test_text_is_no_key(text: str) -> None:
    with pytest.raises(KeyUnreadable):
        read_key(text)


@pytest.mark.parametrize("pem", [PKCS8, PKCS1])
def test_a_key_whose_parts_do_not_belong_together_is_refused(pem: str) -> None:
    first, *lines, last, _ = pem.split("\n")
    content = bytearray(base64.b64decode("".join(lines)))
    content[-200] ^= 1
    damaged = "\n".join([first, base64.b64encode(bytes(content)).decode(), last, ""])
    with pytest.raises(KeyUnreadable):
        read_key(damaged)


def written(key: Any, encryption: KeySerializationEncryption) -> str:
    content: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    return content.decode()


@pytest.mark.parametrize(
    ("pem", "problem"),
    [
        (written(ec.generate_private_key(ec.SECP256R1()), NoEncryption()), "not an RSA key"),
        (written(ed25519.Ed25519PrivateKey.generate(), NoEncryption()), "not an RSA key"),
        (
            written(load_pem_private_key(PKCS8.encode(), None), BestAvailableEncryption(b"word")),
            "not an unencrypted RSA key in PEM",
        ),
    ],
)
def test_a_key_of_another_kind_is_refused_with_the_reason(pem: str, problem: str) -> None:
    with pytest.raises(KeyUnreadable, match=problem):
        read_key(pem)


def test_the_key_is_not_in_its_representation() -> None:
    assert repr(read_key(PKCS8)) == "PrivateKey()"

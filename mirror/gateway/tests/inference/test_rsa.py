import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.inference.rsa import KeyUnreadable, read_key
from tests.inference.rsa_key import MESSAGE, PKCS1, PKCS8, SIGNATURE


@pytest.mark.parametrize("pem", [PKCS8, PKCS1, PKCS8.replace("\n", "\\n"), PKCS8.replace("\n", "\r\n")])
def test_a_signature_is_the_one_openssl_makes(pem: str) -> None:
    assert read_key(pem).sign(MESSAGE) == SIGNATURE


@given(st.binary(max_size=300))
def test_every_signature_can_be_verified(message: bytes) -> None:
    key = read_key(PKCS8)
    opened = pow(int.from_bytes(key.sign(message)), key.public, key.modulus)
    assert opened.bit_length() == 1024 - 15


@given(st.binary())
def test_what_is_no_key_is_refused_whatever_it_is(content: bytes) -> None:
    with pytest.raises(KeyUnreadable):
        read_key(base64.b64encode(content).decode())


@given(st.text())
def test_text_is_no_key(text: str) -> None:
    with pytest.raises(KeyUnreadable):
        read_key(text)


def test_a_damaged_key_signs_nothing() -> None:
    key = read_key(PKCS8)
    damaged = type(key)(key.modulus, key.public, key.private + 2)
    with pytest.raises(KeyUnreadable):
        damaged.sign(MESSAGE)


def test_the_key_is_not_in_its_representation() -> None:
    assert repr(read_key(PKCS8)) == "PrivateKey()"

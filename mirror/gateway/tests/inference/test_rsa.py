import base64

import pytest

from gateway.internal.inference.service_accounts import KeyUnreadable, sign
from tests.inference.rsa_key import MESSAGE, PKCS1, PKCS8, SIGNATURE


@pytest.mark.parametrize("pem", [PKCS8, PKCS1, PKCS8.replace("\n", "\\n"), PKCS8.replace("\n", "\r\n")])
def test_a_signature_is_the_one_openssl_makes(pem: str) -> None:
    assert sign(pem, MESSAGE) == SIGNATURE


@pytest.mark.parametrize("pem", [PKCS8, PKCS1])
def test_a_key_whose_parts_do_not_belong_together_is_refused(pem: str) -> None:
    first, *lines, last, _ = pem.split("\n")
    content = bytearray(base64.b64decode("".join(lines)))
    content[-200] ^= 1
    damaged = "\n".join([first, base64.b64encode(bytes(content)).decode(), last, ""])
    with pytest.raises(KeyUnreadable):
        sign(damaged, MESSAGE)

import pytest

from gateway.internal.admission.presented import presented_key


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({}, ""),
        ({"authorization": "Bearer s3cret"}, "s3cret"),
        ({"authorization": "bEaReR s3cret"}, "s3cret"),
        ({"authorization": "s3cret"}, "s3cret"),
        ({"authorization": "\tBearer  s3cret "}, " s3cret"),
        ({"authorization": "Basic dTpw"}, "Basic dTpw"),
        ({"authorization": "Bearer"}, "Bearer"),
        ({"authorization": "Bearer "}, "Bearer"),
        ({"authorization": " \t"}, ""),
        ({"x-management-key": " s3cret "}, "s3cret"),
        ({"authorization": " ", "x-management-key": "s3cret"}, "s3cret"),
        ({"authorization": "Bearer ", "x-management-key": "s3cret"}, "Bearer"),
        ({"authorization": "Bearer client", "x-management-key": "s3cret"}, "client"),
    ],
)
def test_the_key_is_found_where_the_stock_gateway_looks_for_it(headers: dict[str, str], key: str) -> None:
    assert presented_key(headers) == key

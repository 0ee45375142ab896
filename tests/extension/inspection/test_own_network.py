import pytest

from adapter.port import NoAnswerKind
from extension.inspection.policy.own_network import OwnNetwork

KINDS = [NoAnswerKind.TIMEOUT, NoAnswerKind.CONNECT, NoAnswerKind.PROXY, NoAnswerKind.UNKNOWN]


@pytest.mark.parametrize("kind", [*KINDS, NoAnswerKind.DNS, NoAnswerKind.TLS])
def test_hosts_that_are_all_silent_are_suspect_of_our_own_network(kind: NoAnswerKind) -> None:
    network = OwnNetwork()
    network.hear("https://a.example/v1/models", kind)
    assert not network.is_suspect(kind)
    network.hear("https://a.example/v1/models", kind)
    assert not network.is_suspect(kind)
    network.hear("https://b.example/v1/models", kind)
    assert network.is_suspect(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_any_answer_shows_that_the_network_works(kind: NoAnswerKind) -> None:
    network = OwnNetwork()
    for host in "ab":
        network.hear(f"https://{host}.example/v1/models", kind)
    network.hear("http://127.0.0.1:8080/v1/models", None)
    assert not network.is_suspect(kind)


def test_an_address_that_needs_no_name_server_does_not_refute_failed_look_ups() -> None:
    network = OwnNetwork()
    for host in "ab":
        network.hear(f"https://{host}.example/v1/models", NoAnswerKind.DNS)
    network.hear("https://192.0.2.1/v1/models", None)
    network.hear("http://localhost:11434/v1/models", None)
    assert network.is_suspect(NoAnswerKind.DNS)
    network.hear("http://c.example/v1/models", None)
    assert not network.is_suspect(NoAnswerKind.DNS)


def test_an_answer_without_https_does_not_refute_failed_certificates() -> None:
    network = OwnNetwork()
    for host in "ab":
        network.hear(f"https://{host}.example/v1/models", NoAnswerKind.TLS)
    network.hear("http://c.example/v1/models", None)
    assert network.is_suspect(NoAnswerKind.TLS)
    network.hear("https://d.example/v1/models", None)
    assert not network.is_suspect(NoAnswerKind.TLS)


def test_silences_of_different_kinds_are_one_outage() -> None:
    network = OwnNetwork()
    network.hear("https://a.example/v1", NoAnswerKind.DNS)
    network.hear("https://b.example/v1", NoAnswerKind.CONNECT)
    assert network.is_suspect(NoAnswerKind.CONNECT)

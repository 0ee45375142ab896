import resource

import pytest

from gateway.connection_limits import api_call_connections, descriptors, limits_for, raise_descriptors
from gateway.connection_limits.limits import api_call_share


@pytest.mark.parametrize("number", [128, 256, 1024, 4096, 65_536, 1_048_576])
def test_connections_of_clients_and_upstreams_and_api_calls_fit_into_the_descriptors(number: int) -> None:
    limits = limits_for(number)
    assert 2 * limits.connections + 2 * api_call_share(number, 512) + 64 <= number


@pytest.mark.parametrize("number", [0, 16, 64])
def test_with_hardly_any_descriptors_a_few_connections_are_left(number: int) -> None:
    limits = limits_for(number)
    assert (limits.connections, limits.per_address, api_call_share(number, 512)) == (8, 2, 1)


def test_most_of_many_descriptors_are_left_alone() -> None:
    assert limits_for(1_048_576).connections == 10_000
    assert api_call_share(1_048_576, 512) == 512


def test_the_descriptors_are_raised_to_what_the_process_may_have() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowered = min(soft, 512)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowered, hard))
    try:
        assert descriptors() == lowered
        assert api_call_connections() == api_call_share(lowered, 512)
        raised = raise_descriptors()
        assert raised == (65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536))
        assert raise_descriptors() == raised
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

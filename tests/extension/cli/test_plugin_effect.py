"""Words of the plugin status for a process that does not serve."""

import json

import pytest

from extension.cli.plugin_effect import Served, advice, fault_of

FAULT = {"error": "Inspection is off: No space left on device.", "hint": "It is tried again by itself."}


@pytest.mark.parametrize(
    ("code", "sentence"),
    [("store_unavailable", "cannot serve"), ("gateway_untrusted", "cannot serve"), ("not_running", "does not answer")],
)
def test_a_process_that_says_why_it_cannot_serve_does_answer(code: str, sentence: str) -> None:
    served = Served(503, json.dumps({**FAULT, "code": code}).encode())

    assert served.answered == (sentence == "cannot serve")
    assert fault_of(served, "0.2.0") == (
        f"The plugin is loaded, but its process {sentence}: Inspection is off: No space left on device."
        " It is tried again by itself."
    )


def test_a_library_that_is_not_loaded_is_replaced_before_the_gateway_is_restarted() -> None:
    sentence = advice({"enabled": True, "plugins_enabled": True, "path": "plugins/poolkeeper.so"})

    assert (
        0
        < sentence.index("poolkeeper plugin install")
        < sentence.index("restart the gateway")
        < sentence.index("pluginhost")
    )

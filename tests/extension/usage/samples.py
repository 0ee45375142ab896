"""Records as gateways write them."""

from typing import Any


def record(**changes: Any) -> dict[str, Any]:
    """A record of release 7.2.140."""
    return {
        "timestamp": "2026-08-22T10:00:00.123456789Z",
        "latency_ms": 1530,
        "ttft_ms": 410,
        "source": "sk-upstream-secret-0123456789",
        "auth_index": "4c1433b9bad2bd52",
        "client_ip": "203.0.113.9",
        "x_forwarded_for": "203.0.113.10",
        "user_agent": "curl/8",
        "tokens": tokens(12, 30, 42),
        "failed": False,
        "generate": True,
        "fail": {"status_code": 200, "body": ""},
        "accounting_version": 2,
        "token_breakdown": breakdown(12, 30),
        "provider": "claude",
        "executor_type": "ClaudeExecutor",
        "model": "claude-sonnet-4-5",
        "alias": "sonnet",
        "endpoint": "POST /v1/messages",
        "auth_type": "apikey",
        "api_key": "client-key-in-clear",
        "request_id": "1a2b3c4d",
        "reasoning_effort": "",
        "service_tier": "auto",
        **changes,
    }


def tokens(entered: int, written_out: int, total: int, **changes: int) -> dict[str, Any]:
    """The overlapping counts."""
    return {
        "input_tokens": entered,
        "output_tokens": written_out,
        "reasoning_tokens": 0,
        "cached_tokens": 0,
        "cache_read_tokens": 0,
        "cache_read_tokens_present": True,
        "cache_creation_tokens": 0,
        "total_tokens": total,
        **changes,
    }


def breakdown(
    uncached: int, plain: int, *, read: int = 0, written: int = 0, reasoning: int = 0, beyond: int = 0
) -> dict[str, Any]:
    """The parts that exclude each other."""
    entered, outgoing = uncached + read + written, plain + reasoning
    return {
        "schema_version": 2,
        "quality": "unclassified" if beyond else "complete",
        "total_tokens": entered + outgoing + beyond,
        "input": {
            "total_tokens": entered,
            "uncached_tokens": uncached,
            "cache_read_tokens": read,
            "cache_write_tokens": written,
        },
        "output": {"total_tokens": outgoing, "non_reasoning_tokens": plain, "reasoning_tokens": reasoning},
        "unclassified_tokens": beyond,
    }

"""Ids of configuration entries as a stock gateway v7.2.140 addressed them, with the entries they were made from."""

from adapter.port import Section
from adapter.rules.identity import KeyFacts

BASE = "http://127.0.0.1:9911"


def _compat(name: str, key: str) -> KeyFacts:
    return KeyFacts(Section.COMPAT, key, f"{BASE}/v1", compat_name=name)


RECORDED: tuple[tuple[KeyFacts, str], ...] = (
    (KeyFacts(Section.GEMINI, "ok-gemini-1", BASE), "gemini:apikey:e8d52b820229"),
    (KeyFacts(Section.GEMINI, "s401-gemini-2", BASE), "gemini:apikey:4451a3a6c890"),
    (KeyFacts(Section.CLAUDE, "ok-claude-1", BASE), "claude:apikey:88094f3ea970"),
    (KeyFacts(Section.CLAUDE, "s403-claude-2", BASE), "claude:apikey:c574117335f2"),
    (KeyFacts(Section.CODEX, "ok-codex-1", BASE), "codex:apikey:51f0453f5267"),
    (KeyFacts(Section.CODEX, "s429-codex-2", BASE), "codex:apikey:4aa83186496d"),
    (KeyFacts(Section.VERTEX, "ok-vertex-1", BASE), "vertex:apikey:7ef1bb49e3c6"),
    (_compat("solo", "ok-solo-1"), "openai-compatibility:solo:7cb2e6acabd8"),
    (_compat("duo", "ok-duo-1"), "openai-compatibility:duo:4e0fba019fab"),
    (_compat("duo", "s401-duo-2"), "openai-compatibility:duo:213f43e049fa"),
    (_compat("dark", "ok-dark-1"), "openai-compatibility:dark:25d4586141ee"),
)

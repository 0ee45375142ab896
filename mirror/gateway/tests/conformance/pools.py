"""A configuration with every kind of credential, and credential files, for tests of how they are listed and named."""

import json

KINDS = """gemini-api-key:
  - api-key: AIza-test
interactions-api-key:
  - api-key: inter-1
claude-api-key:
  - api-key: sk-test
    base-url: https://api.example.com
codex-api-key:
  - api-key: sk-c
    base-url: https://api.openai.com/v1
    proxy-url: socks5://p:1
    prefix: team
    headers: {x-b: "2", X-A: "1"}
xai-api-key:
  - api-key: xai-1
    base-url: https://x.example
openai-compatibility:
  - name: OpenRouter
    base-url: https://openrouter.ai/api/v1
    api-key-entries:
      - api-key: sk-or-1
  - name: local
    base-url: http://127.0.0.1:8000/v1
vertex-api-key:
  - api-key: vk-1
    base-url: https://v.example/api
"""
"""One credential of every kind a configuration can have."""

CLAUDE = {"type": "claude", "email": "a@b.c", "access_token": "token-a"}
FILES = {
    "claude-a@b.c.json": json.dumps(CLAUDE),
    "Codex-z@b.c.json": json.dumps({"type": "Codex", "email": "z@b.c", "access_token": "token-z"}),
    "vertex-p.json": json.dumps({"type": "vertex", "project_id": "p", "email": "s@p.example", "service_account": {}}),
}

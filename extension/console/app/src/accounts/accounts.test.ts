import { beforeEach, expect, test } from "vitest";
import { VERDICTS } from "../connection/api.js";
import { speakEnglish } from "../testing/english.js";
import { accountName } from "./account_name.js";
import { accountAddress, accountsAddress } from "./address.js";
import { hostName, hostOf } from "./host_name.js";
import { rankOf, statusText, toneOf } from "./status.js";

beforeEach(speakEnglish);

test("each status has a label of its own and says who has to act; one that the page does not know says nothing", () => {
  const statuses = ["", ...Object.keys(VERDICTS)];
  expect(new Set(statuses.map(statusText)).size).toBe(statuses.length);
  expect(["invalid_key", "revoked", "rate_limited", "unreachable", "healthy", "", "new_one"].map(toneOf)).toEqual([
    "dead",
    "you",
    "wait",
    "provider",
    "good",
    "unknown",
    "unknown",
  ]);
  expect(statusText("never_seen")).toBe("never seen");
  expect([...statuses].sort((a, b) => rankOf(a) - rankOf(b)).at(-1)).toBe("healthy");
});

test("an account is named by its key, or by its file", () => {
  expect(accountName({ id: 3, displayName: "relay", keyHint: "sk-a…9f3c" })).toBe("relay #3 (sk-a…9f3c)");
  expect(accountName({ id: 3, displayName: "relay" })).toBe("relay #3");
  expect(accountName({ id: 3, displayName: "eve", fileName: "claude-eve.json" })).toBe("eve, claude-eve.json");
  expect(accountName({ id: 3, displayName: "a.json", fileName: "a.json" })).toBe("a.json");
});

test("the host is that of the base URL, or the provider, which stands in for its own address", () => {
  expect(hostOf("https://Relay.example:8443/v1", "x")).toBe("relay.example:8443");
  expect(hostOf("", "Claude")).toBe("claude");
  expect([hostName("claude"), hostName("a.example"), hostName("")]).toEqual([
    "claude (vendor's own address)",
    "a.example",
    "unknown host",
  ]);
});

test("lists of accounts and single ones have addresses", () => {
  expect(accountsAddress({ source: "oauth", verdict: "revoked", q: "" })).toBe(
    "inspection?source=oauth&verdict=revoked",
  );
  expect(accountAddress(3)).toBe("inspection?account=3");
});

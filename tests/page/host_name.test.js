import assert from "node:assert/strict";
import test from "node:test";

import { hostName } from "../../extension/console/static/layout/host_name.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("hosts of a network keep their names", () => {
  for (const host of ["relay.example", "127.0.0.1:8080", "[::1]", "localhost", "relay:80", "relay"]) {
    assert.equal(hostName(host), host);
  }
});

test("a vendor that stands in for the host of accounts without a base URL is named as one", () => {
  assert.equal(hostName("claude"), "claude (vendor's own address)");
  assert.equal(hostName(""), "unknown host");
});

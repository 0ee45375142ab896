import assert from "node:assert/strict";
import test from "node:test";

import { addressParts } from "../../extension/console/static/layout/address.js";

test("a host or URL breaks at its marks, and never within a number", () => {
  const wanted = {
    "127.0.0.3:1890": ["127.0.0.3:", "1890"],
    "http://127.0.0.3:1890/v1/models": ["http://", "127.0.0.3:", "1890/", "v1/", "models"],
    "generativelanguage.googleapis.com": ["generativelanguage.", "googleapis.", "com"],
    "[2001:db8::1]:8080": ["[2001:db8::1]:", "8080"],
    "relay": ["relay"],
    "": [""],
  };
  for (const [address, parts] of Object.entries(wanted)) assert.deepEqual(addressParts(address), parts);
});

test("the parts of an address are the whole address", () => {
  for (const address of ["https://a.b/c//d.json?e=1.5&f=:9", "مثال.إختبار:80", "x".repeat(10_000)]) {
    assert.equal(addressParts(address).join(""), address);
  }
});

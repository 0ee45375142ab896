import assert from "node:assert/strict";
import test from "node:test";

import { chooseFamily, parseStored, switchSource } from "../../extension/console/static/settings/stored_settings.js";
import { SettingsStore } from "../../extension/console/static/settings/settings_store.js";
import { settings } from "./samples.js";
import { speakEnglish } from "./english.js";

speakEnglish();

const FAMILIES = ["all", "compat"];

/** @param {unknown} stored */
function restored(stored) {
  return parseStored(JSON.stringify(stored), settings(), FAMILIES);
}

test("nothing stored gives the defaults without a word", () => {
  assert.deepEqual(parseStored(null, settings(), FAMILIES), { settings: settings(), ignored: [] });
});

test("text that is no object is ignored as a whole", () => {
  for (const text of ["", "{", "[]", "3", "null"]) {
    const { settings: kept, ignored } = parseStored(text, settings(), FAMILIES);
    assert.deepEqual(kept, settings());
    assert.equal(ignored.length, 1);
  }
});

test("sound settings are kept beside unsound ones, which are named", () => {
  const { settings: kept, ignored } = restored({ workers: 8, retries: 99, brake: "yes", timeoutSeconds: 2.5 });
  assert.equal(kept.workers, 8);
  assert.equal(kept.retries, settings().retries);
  assert.equal(kept.brake, settings().brake);
  assert.equal(ignored.length, 3);
});

test("a name that is no setting is named, shortened where it is long", () => {
  const { ignored } = restored({ [`x${"y".repeat(100)}`]: 1 });
  assert.equal(ignored.length, 1);
  assert.ok(ignored[0].length < 100);
});

test("a mode that the source does not know falls back to the default", () => {
  const { settings: kept, ignored } = restored({ accountSource: "api_key", autoActionMode: "strategy4" });
  assert.equal(kept.autoActionMode, "none");
  assert.equal(ignored.length, 1);
});

test("a family that the service does not know is ignored", () => {
  const { settings: kept, ignored } = restored({ accountSource: "api_key", apiKeyFamily: "unheard-of" });
  assert.equal(kept.apiKeyFamily, "all");
  assert.equal(ignored.length, 1);
});

test("under API keys both names carry the family", () => {
  const { settings: kept } = restored({ accountSource: "api_key", apiKeyFamily: "compat", targetType: "all" });
  assert.equal(kept.targetType, "compat");
});

test("another source turns automatic actions off and returns to its own family", () => {
  const before = settings({ apiKeyFamily: "compat", targetType: "codex", autoActionMode: "strategy4" });
  const keys = switchSource(before, "api_key");
  assert.deepEqual([keys.targetType, keys.autoActionMode], ["compat", "none"]);
  assert.equal(switchSource(keys, "oauth").targetType, "all");
});

test("choosing a type of file leaves the family of API keys alone", () => {
  assert.equal(chooseFamily(settings({ apiKeyFamily: "compat" }), "codex").apiKeyFamily, "compat");
  assert.equal(chooseFamily(settings({ accountSource: "api_key" }), "compat").apiKeyFamily, "compat");
});

test("a browser that refuses storage still has settings", () => {
  const store = new SettingsStore(() => { throw new Error("refused"); }, settings(), FAMILIES);
  assert.deepEqual(store.restore(), []);
  store.replace(settings({ workers: 4 }));
  assert.equal(store.current.workers, 4);
});

test("a reset keeps the accounts in view", () => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  const storage = /** @type {Storage} */ (/** @type {unknown} */ ({
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => kept.set(key, text),
  }));
  const store = new SettingsStore(() => storage, settings(), FAMILIES);
  store.replace(settings({ accountSource: "api_key", workers: 4 }));
  store.reset();
  assert.deepEqual([store.current.accountSource, store.current.workers], ["api_key", settings().workers]);
  const again = new SettingsStore(() => storage, settings(), FAMILIES);
  assert.deepEqual(again.restore(), []);
  assert.equal(again.current.accountSource, "api_key");
});

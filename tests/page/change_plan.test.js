import assert from "node:assert/strict";
import test from "node:test";

import {
  deleteRefusal, planDelete, planSwitch, switchRefusal,
} from "../../extension/console/static/actions/change_plan.js";
import { account } from "./samples.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("accounts are grouped by the write that their kind needs", () => {
  const plan = planSwitch([account({ id: 1 }), account({ id: 2, switch: "file" }), account({ id: 3 })], true);
  assert.deepEqual(plan.ids, [1, 2, 3]);
  assert.deepEqual(plan.groups.map(({ accounts }) => accounts.map(({ id }) => id)), [[1, 3], [2]]);
  assert.deepEqual(plan.groups.map(({ write }) => write), ["entry_disable", "file_disable"]);
});

test("an account that is so already, or cannot be switched, stays as it is with its reason", () => {
  const plan = planSwitch([
    account({ id: 1, enabled: false }), account({ id: 2, switch: "none", switchReason: "No index." }),
    account({ id: 3, enabled: null }),
  ], true);
  assert.deepEqual(plan.ids, [3]);
  assert.deepEqual(plan.left.map(({ account: { id }, reason }) => [id, reason]),
    [[1, "Already disabled."], [2, "No index."]]);
});

test("only what the service calls deletable is deleted", () => {
  const plan = planDelete([account({ id: 1 }), account({ id: 2, deletable: true })]);
  assert.deepEqual(plan.ids, [2]);
  assert.deepEqual(plan.left.map(({ reason }) => reason), ["API keys are never deleted; disable the account instead."]);
});

test("a refusal is empty as soon as something can be done", () => {
  assert.equal(deleteRefusal([]), "");
  assert.equal(deleteRefusal([account(), account({ deletable: true })]), "");
  assert.equal(deleteRefusal([account()]), "API keys are never deleted; disable the account instead.");
  assert.equal(switchRefusal(account()), "");
  assert.notEqual(switchRefusal(account({ switch: "none", switchReason: "" })), "");
});

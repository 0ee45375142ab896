import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FleetGatewayView } from "../../connection/api.js";
import { firstUsable, readBeginning } from "../../session/fleet.js";
import { speakEnglish } from "../../testing/english.js";
import { Questions, settled } from "../../testing/questions.js";
import { labelsOf, labelsText, requestOf, stateOf, testText, toneOf } from "./model.js";

const EAST: FleetGatewayView = {
  id: 17,
  name: "east",
  url: "https://10.0.0.5:8317",
  keySet: true,
  keyRef: "",
  caSet: false,
  labels: { team: "a", tier: "1" },
  egress: "",
  enabled: true,
  keyRefused: false,
  release: "7.2.140",
  capabilities: [],
  seenAt: 0,
  addedBy: "console",
  addedAt: 0,
  revision: 1,
  problem: "",
};
const FIELDS = {
  name: "east",
  url: EAST.url,
  key: "",
  keyRef: "",
  labels: "team=a",
  egress: "",
  ca: "",
  enabled: true,
};
const refused = (code: string) => [{ error: "No.", code, hint: "" }, { status: 400 }] as const;

beforeEach(speakEnglish);
afterEach(() => vi.unstubAllGlobals());

test.each([
  [{}, "ready", "good"],
  [{ enabled: false }, "off", "unknown"],
  [{ keyRefused: true, enabled: false }, "key_refused", "dead"],
  [{ problem: "No key here." }, "unusable", "you"],
])("a gateway with %j is %s", (values, state, tone) => {
  expect([stateOf({ ...EAST, ...values }), toneOf({ ...EAST, ...values })]).toEqual([state, tone]);
});

test("labels are written and read alike; what is no label is refused", () => {
  expect(labelsText(EAST.labels)).toBe("team=a, tier=1");
  expect(labelsOf(" team = a ,tier=1, ")).toEqual({ team: "a", tier: "1" });
  expect(labelsOf("")).toEqual({});
  expect(labelsOf("team")).toBeNull();
});

test("a change sends no key unless one is typed, and an addition none that is empty", () => {
  expect(requestOf(FIELDS, EAST)).not.toHaveProperty("key");
  expect(requestOf({ ...FIELDS, key: "k" }, EAST)).toMatchObject({ key: "k", name: "east", labels: { team: "a" } });
  expect(requestOf(FIELDS, { ...EAST, keyRef: "env:KEY" })).toMatchObject({ keyRef: "" });
  expect(requestOf(FIELDS, undefined)).toEqual({
    name: "east",
    url: EAST.url,
    labels: { team: "a" },
    egress: "",
    enabled: true,
  });
});

test("the answer to a test says release, accounts and cost of a call", () => {
  const answer = {
    release: "7.2.140",
    capabilities: [],
    secondsPerCall: 0.0123,
    accounts: 40,
    enabled: 39,
    skipped: 0,
  };
  expect(testText({ ...answer, hashedKey: false })).toBe("It answers: release 7.2.140, 40 accounts, 0.012 s a call.");
  expect(testText({ ...answer, hashedKey: true })).toContain("stored as a hash");
});

test("a service of one gateway is asked about no other, whatever another service was asked about", async () => {
  const questions = new Questions();
  const beginning = readBeginning(questions.client, ["", "east"]);
  await questions.answer({ fleet: false });
  await questions.answer({ settings: {} });
  expect((await beginning).fleet).toBeNull();
  expect(questions.client.address("pool").search).toBe("");
});

test("a fleet is asked about the gateway of the link, else of the last choice, else the first that can be used", async () => {
  const questions = new Questions();
  const beginning = readBeginning(questions.client, ["", "gone"]);
  await settled();
  expect(questions.waiting.map(({ path }) => path.split("?")[1])).toEqual(["pool=gone", "pool=gone"]);
  await questions.answer(...refused("pool_unknown"));
  await questions.answer(...refused("pool_unknown"));
  await questions.answer({ gateways: [{ ...EAST, name: "off", enabled: false }, EAST] });
  await questions.answer({ fleet: true });
  const config = await questions.answer({ settings: {} });
  expect(config.path).toBe("/v0/management/poolkeeper/config?pool=east");
  expect((await beginning).fleet?.pool).toBe("east");
  expect(questions.client.address("fleet/workers").search).toBe("");
});

test("a fleet without a usable gateway begins without one", async () => {
  const questions = new Questions();
  const beginning = readBeginning(questions.client, []);
  await questions.answer(...refused("pool_missing"));
  await questions.answer(...refused("pool_missing"));
  await questions.answer({ gateways: [] });
  expect(await beginning).toMatchObject({ fleet: { pool: "" }, info: { families: [] } });
  expect(firstUsable([{ ...EAST, problem: "No key." }])).toBe("");
});

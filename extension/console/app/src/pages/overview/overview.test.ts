import { beforeEach, expect, test } from "vitest";
import type {
  ActionView,
  CollectionAnswer,
  FiguresView,
  OverviewAnswer,
  ReloginView,
  RunHealthView,
  RunView,
  ScheduleView,
  SourceFindingsView,
} from "../../connection/api.js";
import { speakEnglish } from "../../testing/english.js";
import { causesOf } from "./attention.js";
import { accountCount, blindOf, blindUsage, changeSince, hostRows, toneCounts, trendOf } from "./model.js";
import { nextStart, timelineOf } from "./timeline.js";
import { trafficNotes, type Traffic } from "./traffic.js";

beforeEach(speakEnglish);

const FINDINGS: SourceFindingsView = {
  onHold: 0,
  toDisable: 0,
  toEnable: 0,
  toDelete: 0,
  withoutSwitch: 0,
  readyToDisable: 0,
  readyToEnable: 0,
  readyToDelete: 0,
  enabled: {},
  neverChecked: 0,
  old: 0,
};
const overview = (more: Partial<OverviewAnswer> = {}): OverviewAnswer => ({
  readAt: 0,
  since: 0,
  statuses: {},
  hosts: [],
  hostsLeftOff: 0,
  runs: [run(1)],
  attention: { onHold: 0, reloginCount: 0, revokedCount: 0, relogin: [], endingCount: 0, ending: [] },
  automatic: [],
  blind: { neverChecked: 0, old: 0, oldBefore: 1, schedules: 1, failedSchedules: [] },
  findings: {},
  ...more,
});
function run(number: number, more: Partial<RunHealthView> = {}): RunHealthView {
  return { run: number, source: "api_key", startedAt: number * 100, done: 10, statuses: { healthy: 10 }, ...more };
}

test("each cause has its count and a way to as many accounts of each source", () => {
  const findings = {
    api_key: { ...FINDINGS, toDisable: 5, readyToDisable: 4, onHold: 1 },
    oauth: { ...FINDINGS, toDisable: 2, readyToDisable: 2, toEnable: 3, readyToEnable: 3 },
  };
  const causes = causesOf(overview({ findings }), []);
  expect(causes.map(({ id, tone }) => [id, tone])).toEqual([
    ["disable", "dead"],
    ["enable", "good"],
    ["on_hold", "unknown"],
  ]);
  expect(causes[0].title).toBe("6 accounts are recommended for disabling");
  expect(causes.map(({ ways }) => ways.map(({ label, href }) => `${label} ${href}`))).toEqual([
    [
      "API keys: 4 inspection?source=api_key&action=disable&state=ready",
      "OAuth files: 2 inspection?source=oauth&action=disable&state=ready",
    ],
    ["Review 3 inspection?source=oauth&action=enable&state=ready"],
    ["Review 1 inspection?source=api_key&onHold=true"],
  ]);
});

const session = (number: number, verdict: ReloginView["verdict"]): ReloginView => ({
  id: number,
  source: "oauth",
  displayName: "",
  fileName: `claude-${number}.json`,
  keyHint: "",
  verdict,
});

test("expired and revoked sessions are counted apart, a few are named, and the way leads to where one signs in", () => {
  const relogin = [1, 2, 3, 4].map((number) => session(number, "relogin_needed")).concat(session(9, "revoked"));
  const attention = { ...overview().attention, reloginCount: 7, revokedCount: 2, relogin };
  const [expired, revoked] = causesOf(overview({ attention }), []);
  expect([expired.title, revoked.title]).toEqual([
    "5 sessions have expired: sign in again",
    "2 sessions were revoked: sign in again",
  ]);
  expect([expired.hint, revoked.hint]).toEqual([
    "claude-1.json, claude-2.json, claude-3.json and 2 more",
    "claude-9.json and 1 more",
  ]);
  expect([expired.note?.slice(0, 32), revoked.note]).toEqual(["This gateway has no sign-in page", undefined]);
  const [withSignIn] = causesOf(overview({ attention }), ["sign-in", "login-page"]);
  expect(withSignIn.ways).toEqual([{ label: "Sign in", href: "inspection?source=oauth&verdict=relogin_needed" }]);
  const [withPanel] = causesOf(overview({ attention }), ["login-page"]);
  expect(withPanel.ways.map(({ href }) => href)).toEqual([
    "inspection?source=oauth&verdict=relogin_needed",
    "/management.html#/oauth",
  ]);
});

test("a pool that was never checked leads to a run of each source; one without a cause says nothing", () => {
  const findings = { api_key: { ...FINDINGS, neverChecked: 3 }, oauth: { ...FINDINGS, neverChecked: 2 } };
  const [cause] = causesOf(overview({ runs: [], findings }), []);
  expect([cause.id, ...cause.ways.map(({ href }) => href)]).toEqual([
    "no_runs",
    "inspection?source=api_key&check=true",
    "inspection?source=oauth&check=true",
  ]);
  const [alone] = causesOf(overview({ runs: [], findings: { oauth: findings.oauth } }), []);
  expect(alone.ways).toEqual([{ label: "Check now", href: "inspection?check=true" }]);
  expect(causesOf(overview(), [])).toEqual([]);
});

test("statuses are counted by who has to act, those without a result as unknown", () => {
  const statuses = { api_key: { healthy: 3, invalid_key: 2, "": 4 }, oauth: { revoked: 1, out_of_quota: 5 } };
  expect(toneCounts(...Object.values(statuses))).toEqual({
    good: 3,
    dead: 2,
    you: 1,
    wait: 5,
    provider: 0,
    unknown: 4,
  });
  expect(accountCount({ statuses })).toBe(15);
});

test("a trend joins the newest runs of both sources, and leaves out runs over a part of one", () => {
  const runs = [
    run(1),
    run(2, { source: "oauth", done: 5, statuses: { healthy: 4, revoked: 1 } }),
    run(3, { done: 2, statuses: { healthy: 2 } }),
    run(4, { statuses: { healthy: 7, invalid_key: 3 } }),
  ];
  const points = trendOf(runs);
  expect(points).toEqual([
    { at: 200, healthy: 14 },
    { at: 400, healthy: 11 },
  ]);
  expect([changeSince(points, 300), changeSince(points, 100), changeSince(points, 500)]).toEqual([
    "3 fewer than a day ago",
    "",
    "",
  ]);
  expect(trendOf([])).toEqual([]);
});

const action = (id: number, more: Partial<ActionView> = {}): ActionView => ({
  id,
  account: id,
  displayName: "",
  keyHint: "",
  place: "",
  action: "disable",
  outcome: "applied",
  text: "",
  texts: [],
  actor: "schedule",
  reason: "",
  reasons: [],
  at: 1000 + id,
  before: {},
  run: 3,
  actorKind: "automation",
  cause: "run",
  undoes: null,
  batch: 8,
  ...more,
});
const scheduled = (id: number, more: Partial<RunView> = {}) =>
  ({
    id,
    state: "finished",
    accountSource: "api_key",
    done: 57,
    verdicts: { healthy: 50 },
    startedAt: 500,
    finishedAt: 900 + id,
    schedule: 1,
    ...more,
  }) as RunView;
const SCHEDULE = { id: 1, name: "Nightly", enabled: true, nextAt: 9 } as ScheduleView;
const AUTOMATION = {
  actions: [action(1), action(2), action(3, { outcome: "refused" }), action(4, { batch: 9, action: "enable" })],
  reverted: [4],
  runs: [scheduled(3), scheduled(5), scheduled(6, { schedule: null }), scheduled(7, { startedAt: 1, finishedAt: 2 })],
  schedules: [SCHEDULE],
};

test("the time line has a line for each change of a batch with its undo, and each scheduled run", () => {
  const entries = timelineOf(AUTOMATION, 100);
  expect(entries.map(({ words, undo, isUndone }) => [words, undo, isUndone])).toEqual([
    ["Enabled 1 account", null, true],
    ["1 account, disable: refused", null, false],
    ["Disabled 2 accounts", 8, false],
    ["Nightly: 57 accounts checked, 50 healthy, nothing changed", null, false],
    ["Nightly: 57 accounts checked, 50 healthy", null, false],
  ]);
  expect(entries.map(({ href }) => href)).toEqual([
    "activity?batch=9",
    "activity?batch=8",
    "activity?batch=8",
    "inspection?source=api_key&run=5",
    "inspection?source=api_key&run=3",
  ]);
});

test("the time line is the same at every look: it depends on what is stored alone", () => {
  expect(timelineOf(AUTOMATION, 100)).toEqual(timelineOf(structuredClone(AUTOMATION), 100));
});

test("a batch of which a part is undone can still be undone", () => {
  const [entry] = timelineOf({ ...AUTOMATION, actions: [action(1), action(2)], reverted: [2], runs: [] }, 0);
  expect([entry.undo, entry.isUndone]).toEqual([8, false]);
});

test("the schedule that starts next is named, of those that are enabled", () => {
  const off = { ...SCHEDULE, id: 2, enabled: false, nextAt: 1 };
  expect(nextStart([{ ...SCHEDULE, id: 3, nextAt: 20 }, SCHEDULE, off])?.id).toBe(1);
  expect(nextStart([off])).toBeNull();
});

test("places that nothing is known of are named, each with where to act", () => {
  const failed = { id: 4, name: "Nightly", problem: "no room", problems: [], lastAt: 1 };
  const blind = { ...overview().blind, schedules: 0, failedSchedules: [failed] };
  const findings = { oauth: { ...FINDINGS, neverChecked: 2, old: 1 } };
  const places = blindOf(overview({ blind, findings }));
  expect(places.map(({ id, ways: [way] }) => [id, way.href])).toEqual([
    ["never", "inspection?source=oauth&verdict=none&state=in_checks"],
    ["old", "inspection?source=oauth&state=old"],
    ["schedule 4", "schedules"],
    ["no_schedule", "schedules"],
  ]);
  expect(blindOf(overview())).toEqual([]);
});

const COLLECTION = { supported: true, recording: true, problem: "", problems: [] } as unknown as CollectionAnswer;
const GAP = { id: 1, start: 1, end: 2, kind: "down", missing: null };
test.each([
  [{}, [], []],
  [{ recording: false }, [], ["off"]],
  [{ problem: "no connection", recording: false }, [], ["collector"]],
  [{ supported: false }, [GAP], ["collector", "gaps"]],
])("usage that is collected as %j has blind places %j", (more, gaps, ids) => {
  expect(blindUsage({ ...COLLECTION, ...more }, gaps).map(({ id }) => id)).toEqual(ids);
});

test("a host leads to its accounts and says how many of them are healthy", () => {
  const host = {
    source: "oauth",
    host: "claude",
    total: 5,
    unhealthy: 3,
    statuses: { healthy: 2, revoked: 3 },
  } as const;
  const [row] = hostRows({ hosts: [host] });
  expect([row.href, row.healthy, row.total, row.counts.you]).toEqual(["inspection?source=oauth&host=claude", 2, 5, 3]);
});

const day = (requests: number, usd: string, more: object = {}) =>
  ({
    totals: { requests, failed: 10, usd, unpriced: 0 } as FiguresView,
    gaps: [],
    ...more,
  }) as unknown as Traffic["summary"];
test("requests and cost of today are compared with yesterday by the same time, unless records are missing", () => {
  expect(trafficNotes({ summary: day(120, "5"), before: day(100, "10") })).toEqual({
    requests: "+20 % vs. yesterday by now · 10 failed (8.3 %)",
    cost: "−50 % vs. yesterday by now",
  });
  expect(trafficNotes({ summary: day(120, "5", { gaps: [GAP] }), before: day(100, "10") })).toEqual({
    requests: "≥ 10 failed (8.3 %)",
    cost: "",
  });
});

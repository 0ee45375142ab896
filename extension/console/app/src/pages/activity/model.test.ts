import { beforeEach, expect, test } from "vitest";
import type { ActionView } from "../../connection/api.js";
import { csvText } from "../../connection/save_file.js";
import { speakEnglish } from "../../testing/english.js";
import { csvOf, daysOf, FACETS, isOf, linesOf, namesOf, searched, sinceOf, sourceOf, titleOf } from "./model.js";

const NOON = new Date(2026, 10, 25, 12).getTime();
const HOUR = 3_600_000;
const ACTION: ActionView = {
  id: 1,
  account: 2,
  displayName: "relay-401",
  keyHint: "sk-a…9f3c",
  place: "openai-compatibility[0].api-key-entries[0]",
  action: "disable",
  outcome: "applied",
  text: "Written to config.yaml and read back.",
  texts: [],
  actor: "page",
  reason: "",
  reasons: [],
  at: NOON,
  before: {},
  run: null,
  actorKind: "person",
  cause: "request",
  undoes: null,
  batch: 7,
};
const automatic = (id: number, values: Partial<ActionView> = {}): ActionView => ({
  ...ACTION,
  id,
  account: id,
  displayName: `relay-${id}`,
  batch: 3,
  run: 4,
  actorKind: "automation",
  cause: "run",
  at: NOON - 20 * HOUR,
  ...values,
});
const ANSWER = {
  actions: [
    {
      ...ACTION,
      id: 20,
      account: 20,
      displayName: "one.json",
      place: "one.json",
      keyHint: "",
      action: "delete" as const,
    },
    ACTION,
    automatic(12, { outcome: "refused" }),
    automatic(11, { action: "enable" }),
    automatic(10),
    automatic(9),
    { ...ACTION, id: 5, batch: null, at: NOON - 30 * HOUR, cause: "undo" as const, action: "enable" as const },
  ],
  reverted: [9],
};

beforeEach(speakEnglish);

test("the actions of a command are one line, in the order in which they were made", () => {
  const lines = linesOf(ANSWER, [20]);
  expect(lines.map(({ id, actions }) => [id, actions.map((action) => action.id)])).toEqual([
    ["7", [1, 20]],
    ["3", [9, 10, 11, 12]],
    ["action-5", [5]],
  ]);
});

test("a line says what was done, by which run, to whom, and what can still be taken back", () => {
  const [people, run, undo] = linesOf(ANSWER, [20]);
  expect(titleOf(people)).toBe("1 account disabled, 1 file deleted");
  expect(titleOf(run)).toBe("Run 4: 2 accounts disabled, 1 account enabled");
  expect(titleOf(undo)).toBe("Undo: relay-401 sk-a…9f3c enabled");
  expect(namesOf(undo)).toBe("Done");
  expect(namesOf(run)).toBe("relay-9 sk-a…9f3c, relay-10 sk-a…9f3c, relay-11 sk-a…9f3c and 1 more");
  expect([run.undoable.map(({ id }) => id), run.undone, run.failed]).toEqual([[11, 10], 1, 1]);
  expect([people.undoable.map(({ id }) => id), people.restorable]).toEqual([[1], [20]]);
});

test("a deleted file is restored by its newest deletion alone, and only while it is kept", () => {
  const again = { ...ANSWER.actions[0], id: 4, batch: 2 };
  const answer = { actions: [ANSWER.actions[0], again], reverted: [] };
  expect(linesOf(answer, [20]).map(({ restorable }) => restorable)).toEqual([[20], []]);
  expect(linesOf(answer, []).map(({ restorable }) => restorable)).toEqual([[], []]);
});

test("chips count the lines that they show", () => {
  const lines = linesOf(ANSWER, [20]);
  const counts = Object.fromEntries(FACETS.map((facet) => [facet, lines.filter((line) => isOf(line, facet)).length]));
  expect(counts).toEqual({ all: 3, automatic: 1, people: 2, undone: 1, failed: 1, deleted: 1 });
});

test.each([
  ["", ["7", "3", "action-5"]],
  ["relay-11", ["3"]],
  ["ONE.json", ["7"]],
  ["web undo", ["action-5"]],
  ["sk-live-0123456789abcdefghij9f3c", ["7", "3", "action-5"]],
  ["nothing", []],
])("a search for %j shows %j; of a whole key only its end is looked for", (words, ids) => {
  expect(searched(linesOf(ANSWER, []), words).map(({ id }) => id)).toEqual(ids);
});

test("lines stand below their days, the newest first", () => {
  expect(daysOf(linesOf(ANSWER, [])).map(([day, lines]) => [new Date(day).getDate(), lines.length])).toEqual([
    [25, 1],
    [24, 2],
  ]);
});

test.each([
  ["a key by its hint", { keyHint: "sk", place: "" }, "api_key"],
  ["a key by its place", { keyHint: "", place: "claude-api-key[5]" }, "api_key"],
  ["a file", { keyHint: "", place: "claude-a[1].json" }, "oauth"],
  ["an old action", { keyHint: "", place: "" }, null],
])("%s leads to its source", (_, action, source) => {
  expect(sourceOf(action)).toBe(source);
});

test("periods end now, and all times have no beginning", () => {
  expect([sinceOf("24h", NOON), sinceOf("all", NOON)]).toEqual([NOON - 24 * HOUR, undefined]);
});

test("a file has a row an action, and no cell that a spreadsheet takes for a formula", () => {
  const lines = linesOf(
    { actions: [{ ...ACTION, displayName: "=1+1", reason: 'he said "no", twice' }], reverted: [] },
    [],
  );
  const [head, row, rest] = csvOf(lines).split("\r\n");
  expect(head.split(",")).toHaveLength(13);
  expect(row).toContain(',"he said ""no"", twice"');
  expect(row).toContain(",'=1+1,");
  expect(rest).toBe("");
  expect(csvText([[null, 3, "@a"]])).toBe(",3,'@a\r\n");
});

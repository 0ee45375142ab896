import { beforeEach, expect, test } from "vitest";
import { speakEnglish } from "../testing/english.js";
import { ApiProblem, explained, isAnswerLost, problemOf, unreachable } from "./problem.js";

beforeEach(speakEnglish);

test("an error answer becomes sentences with a hint of when to try again", () => {
  const problem = problemOf(429, '{"error": "too many sign-ins", "code": "banned", "hint": "wait"}', "120");
  expect([problem.message, problem.code, problem.retryAfter]).toEqual(["Too many sign-ins.", "banned", 120]);
  expect(problem.hint).toBe("Wait. Try again in 2 minutes.");
});

test("the answer of a proxy has a message and a next step, and leaves a change in doubt", () => {
  const problem = problemOf(502, "<html>Bad gateway</html>", null);
  expect([problem.message, problem.code]).toEqual(["The service returned HTTP 502.", "status_502"]);
  expect(problem.hint).toMatch(/proxy/);
  expect(isAnswerLost(problem)).toBe(true);
  expect(isAnswerLost(problemOf(504, '{"error": "Late.", "code": "gateway_timed_out"}', null))).toBe(false);
});

test.each([
  ["POST", "pool/status", true],
  ["POST", "pool/plan", false],
  ["GET", "pool", false],
])("%s %s without an answer may have changed something: %s", (method, path, isInDoubt) => {
  expect(/may have been made/.test(unreachable(method, path).hint)).toBe(isInDoubt);
});

test("anything that is thrown can be explained", () => {
  expect(explained(new ApiProblem({ message: "No.", code: "x", hint: "Yes." })).hint).toBe("Yes.");
  expect(explained(new TypeError("broken")).message).toBe("broken");
  expect(explained("text").message).toBe("text");
});

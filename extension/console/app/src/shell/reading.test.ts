import { expect, test } from "vitest";
import { ApiProblem } from "../connection/problem.js";
import { Reading } from "./reading.js";

test("the answer to the newest read counts, whichever comes first", async () => {
  const reading = new Reading<string>();
  const first = Promise.withResolvers<string>();
  const reads = [reading.refresh(() => first.promise), reading.refresh(() => Promise.resolve("new"))];
  first.resolve("old");
  await Promise.all(reads);
  expect([reading.value.value, reading.isReading.value]).toEqual(["new", false]);
});

test("a read that fails leaves the answer before, beside the problem", async () => {
  const reading = new Reading<string>();
  const problem = new ApiProblem({ message: "No.", code: "x", status: 500 });
  await reading.refresh(() => Promise.resolve("rows"));
  await reading.refresh(() => Promise.reject(problem));
  expect([reading.value.value, reading.problem.value]).toEqual(["rows", problem]);
  await reading.refresh(() => Promise.resolve("new rows"));
  expect([reading.value.value, reading.problem.value]).toEqual(["new rows", null]);
});

test("the end of the session and a page that was left are no problems of a read", async () => {
  const reading = new Reading<string>();
  await reading.refresh(() => Promise.reject(new ApiProblem({ message: "", code: "left" })));
  await reading.refresh(() => Promise.reject(new ApiProblem({ message: "", code: "x", status: 401 })));
  expect(reading.problem.value).toBeNull();
});

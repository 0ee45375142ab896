import { expect, test } from "vitest";
import { ApiProblem } from "../connection/problem.js";
import { Notices } from "./notices.js";
import { pageAddress, pageOf } from "./pages.js";
import { matching, searchOf } from "./palette_model.js";

test.each([
  ["/monitor/prices", "prices"],
  ["/plugin/resources/poolkeeper/usage", "usage"],
  ["/monitor/nothing", null],
  ["/monitor/", null],
])("%s is the page %s", (pathname, name) => {
  expect(pageOf({ pathname })).toBe(name);
});

test("the address of a page leaves empty values out", () => {
  expect(pageAddress("requests", { model: "a b", failed: true, client: "" })).toBe("requests?model=a+b&failed=true");
  expect(pageAddress("prices")).toBe("prices");
});

test("of a pasted key only the tail is looked for, other words as they are", () => {
  expect(searchOf(" sk-ant-api03-0123456789abcdef9f3c ")).toBe("9f3c");
  expect(searchOf("relay ok")).toBe("relay ok");
});

test("commands are found by all words, those that begin with the first one first", () => {
  const commands = ["Client keys", "Prices", "Overview of prices"].map((label) => ({
    id: label,
    label,
    act: () => {},
  }));
  expect(matching(commands, "pri").map(({ label }) => label)).toEqual(["Prices", "Overview of prices"]);
  expect(matching(commands, "prices over").map(({ label }) => label)).toEqual(["Overview of prices"]);
});

test("one trouble that fails several reads is shown once, and not again once it was dismissed", () => {
  const notices = new Notices();
  const problem = new ApiProblem({ message: "No.", code: "x", status: 500 });
  notices.showProblem("prices", problem);
  notices.showProblem("usage", problem);
  expect(notices.list.value.map(({ topic }) => topic)).toEqual(["prices"]);
  notices.dismiss(notices.list.value[0]);
  notices.showProblem("prices", problem);
  expect(notices.list.value).toEqual([]);
  notices.clear("prices");
  notices.showProblem("prices", problem);
  expect(notices.list.value).toHaveLength(1);
});

test("a failed request is shown until it succeeds; the end of the session is not", async () => {
  const notices = new Notices();
  const failing = (status: number) => () => Promise.reject(new ApiProblem({ message: "No.", code: "x", status }));
  expect(await notices.attempt("prices", failing(500))).toBe(false);
  expect(notices.list.value).toHaveLength(1);
  expect(await notices.attempt("prices", () => Promise.resolve())).toBe(true);
  await notices.attempt("prices", failing(401));
  expect(notices.list.value).toEqual([]);
});

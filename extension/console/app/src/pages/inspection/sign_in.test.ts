import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiProblem } from "../../connection/problem.js";
import type { Account } from "./rows.js";
import { isWithoutAddress, SignIns } from "./sign_in.js";

const accounts = [1, 2].map((id) => ({ id })) as Account[];
const BEGUN = { action: 7, url: "https://vendor.example/", state: "secret", userCode: "", takesCallback: true };
const WAITING = { waiting: true, action: { outcome: "uncertain" }, run: null };
const DONE = { waiting: false, action: { outcome: "applied" }, run: 3 };

/** Return sign-ins over a service that answers each path with the next of its answers, and what was sent. */
function signInsOver(answers: Record<string, unknown[]>) {
  const sent: [string, unknown][] = [];
  const post = (path: string, body: unknown) => {
    sent.push([path.replace("pool/sign-in", ""), body]);
    const answer = answers[path.replace("pool/sign-in", "")]?.shift();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { signIns: new SignIns({ post } as never), sent };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a sign-in is asked about until it ends", async () => {
  const { signIns, sent } = signInsOver({ "": [BEGUN], "/state": [WAITING, DONE] });
  await signIns.start(accounts.slice(0, 1));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map(([path]) => path)).toEqual(["", "/state", "/state"]);
  expect(signIns.turn.value?.ended?.run).toBe(3);
  expect(signIns.hasNext).toBe(false);
});

test("a sign-in that is skipped ends at the gateway, too, and the next one begins", async () => {
  const { signIns, sent } = signInsOver({ "": [BEGUN, { ...BEGUN, action: 8 }], "/cancel": [DONE] });
  await signIns.start(accounts);
  await signIns.next();
  expect(sent).toEqual([
    ["", { account: 1 }],
    ["/cancel", { action: 7, state: "secret" }],
    ["", { account: 2 }],
  ]);
  expect(signIns.turn.value?.at).toBe(2);
  await signIns.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.at(-1)).toEqual(["/cancel", { action: 8, state: "secret" }]);
});

test("an address that is refused is said at its field, and the sign-in goes on", async () => {
  const problem = new ApiProblem({
    message: "Another sign-in.",
    code: "callback_unfit",
    status: 400,
    field: "callback",
  });
  const { signIns, sent } = signInsOver({ "": [BEGUN], "/callback": [problem], "/state": [DONE] });
  await signIns.start(accounts);
  await signIns.follow("http://localhost/?code=1");
  expect(signIns.refusal.value.callback).toBe("Another sign-in.");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent.at(-1)).toEqual(["/state", { action: 7, state: "secret" }]);
  expect(signIns.turn.value?.ended).toBe(DONE);
});

test("a sign-in that the service does not know is not asked about again", async () => {
  const unknown = new ApiProblem({ message: "There is no such sign-in.", code: "sign_in_refused", status: 409 });
  const { signIns, sent } = signInsOver({ "": [BEGUN], "/state": [unknown] });
  await signIns.start(accounts.slice(0, 1));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map(([path]) => path)).toEqual(["", "/state"]);
  expect(signIns.turn.value?.problem?.message).toBe("There is no such sign-in.");
});

test("a gateway without an address is told apart from trouble", async () => {
  const unsupported = new ApiProblem({ message: "It lacks that.", code: "unsupported", status: 501 });
  const { signIns } = signInsOver({
    "": [unsupported, new ApiProblem({ message: "Away.", code: "gateway_unavailable" })],
  });
  await signIns.start(accounts);
  expect(signIns.turn.value && isWithoutAddress(signIns.turn.value)).toBe(true);
  await signIns.retry();
  expect(signIns.turn.value?.problem?.message).toBe("Away.");
  expect(signIns.turn.value && isWithoutAddress(signIns.turn.value)).toBe(false);
});

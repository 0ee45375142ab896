import { beforeEach, expect, test, vi } from "vitest";
import { clock, storeClock } from "../../language/clock.js";
import { formatClock, formatTime } from "../../language/formats.js";
import { panelAddress } from "../../shell/panel_address.js";
import { speakEnglish } from "../../testing/english.js";
import { settingRows } from "./model.js";

const AFTERNOON = new Date(2026, 10, 25, 15, 2, 3).getTime();

beforeEach(speakEnglish);

test("settings are written in words, and an own address without effect says so", () => {
  const values = (settings: Record<string, unknown>) => settingRows(settings).map(({ value }) => value);
  expect(values({ gateway: null, listen: "127.0.0.1:8318", secureCookies: false, keepRuns: 200, hosts: "" })).toEqual([
    "–",
    "the gateway's own address",
    "off",
    "200",
    "–",
  ]);
  expect(values({ gateway: "http://127.0.0.1:8317", listen: "127.0.0.1:8318" })[1]).toBe("127.0.0.1:8318");
});

test.each([
  [{ gateway: "http://10.0.0.1:8317" }, false, "https://pool.example/management.html"],
  [{ gateway: null }, true, "https://pool.example/management.html"],
  [{ gateway: null }, false, null],
])("a gateway %j, served by it as a plugin: %j, has its panel at %j", (settings, isPlugin, address) => {
  expect(panelAddress(settings, isPlugin, "https://pool.example/monitor/settings")).toBe(address);
});

test.each([
  ["24", /^15:02$/],
  ["12", /^0?3:02 pm$/i],
] as const)("times with %s hours are written %s, in every format", (name, words) => {
  vi.stubGlobal("window", { localStorage: { setItem: () => {}, removeItem: () => {} } });
  storeClock(name);
  expect(formatClock(AFTERNOON)).toMatch(words);
  expect(formatTime(AFTERNOON)).toContain(name === "24" ? "15:02:03" : "3:02:03");
  storeClock("locale");
  expect(clock.value).toBe("locale");
});

import type { Client } from "../../connection/client.js";
import type { Keys } from "./model.js";

const MONTH_MS = 30 * 24 * 3_600_000;
const LIMIT = 1_000;
/** Keys whose newest request is read, those with the most requests first: one read for each. */
const DATED = 60;

/** Read the client keys of the gateway, and those in use with their usage of the last 30 days. */
export async function readKeys(client: Client, now: number): Promise<Keys & { isPartial: boolean }> {
  const period = { start: now - MONTH_MS, end: now };
  const [clientKeys, { budgets }, { aliases }, { groups, gaps }] = await Promise.all([
    client.get("config/client-keys"),
    client.get("config/budgets"),
    client.get("../api-key-aliases"),
    client.get("../usage/summary", { ...period, by: "client", limit: LIMIT }),
  ]);
  const names = groups.map(({ name }) => name).filter(Boolean);
  const times = await Promise.all(
    names.slice(0, DATED).map(async (name) => {
      const { events } = await client.get("../usage", { ...period, client: name, limit: 1 });
      return events.map(({ at }) => [name, at] as const);
    }),
  );
  return { clientKeys, budgets, aliases, groups, lastTimes: new Map(times.flat()), isPartial: gaps.length > 0 };
}

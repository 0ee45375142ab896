/** Gateway of a fleet that the pages are about: that of a link, or the one chosen last in this browser. */

import { signal, type Signal } from "@preact/signals";
import { store, stored } from "../connection/browser_store.js";
import type { Client } from "../connection/client.js";
import type { ConfigAnswer, FleetGatewayView, InfoAnswer } from "../connection/api.js";
import { ApiProblem } from "../connection/problem.js";

const KEY = "poolkeeper.pool";
const PARAMETER = "pool";
/** Codes with which a fleet refuses a request that names no gateway, or one that is gone or cannot be used. */
const WITHOUT_POOL = ["pool_missing", "pool_unknown", "pool_unusable"];

export interface Fleet {
  /** As they were read last. */
  gateways: Signal<readonly FleetGatewayView[]>;
  /** Name of the chosen gateway; empty while the fleet has none that can be used. */
  pool: string;
}

/** What the pages begin with. */
export interface Beginning {
  info: InfoAnswer;
  config: ConfigAnswer;
  /** Null for a service of one gateway. */
  fleet: Fleet | null;
}

/** Stands in for the answers of a gateway in a fleet that has none. */
const NO_GATEWAY: Omit<Beginning, "fleet"> = {
  info: {
    name: "Poolkeeper",
    version: "",
    prefix: "",
    page: "",
    fleet: true,
    gateway: { name: "", version: "", capabilities: [], secondsPerCall: null, refusal: null, refusedUntil: null },
    families: [],
    verdicts: [],
  },
  config: { settings: {}, inspectionDefaults: {} },
};

/** Read what the pages begin with, and set the gateway that the client asks about. */
export async function readBeginning(client: Client, wishes: readonly string[]): Promise<Beginning> {
  const both = () => Promise.all([client.get("info"), client.get("config")]);
  let fleet: Fleet;
  client.pool = wishes.find(Boolean) ?? "";
  try {
    const [info, config] = await both();
    if (!info.fleet) client.pool = "";
    return { info, config, fleet: info.fleet ? await readFleet(client, client.pool) : null };
  } catch (problem) {
    if (!isWithoutPool(problem) && !(client.pool && isOfGateway(problem))) throw problem;
    // A gateway that refuses its key, or is away, keeps no page of the others closed; alone it is waited for.
    fleet = await readFleet(client, "").catch(() => {
      throw problem;
    });
  }
  client.pool = fleet.pool;
  try {
    if (fleet.pool) {
      const [info, config] = await both();
      return { info, config, fleet };
    }
  } catch (problem) {
    if (!isOfGateway(problem)) throw problem;
    fleet.pool = client.pool = "";
  }
  return { ...NO_GATEWAY, fleet };
}

const isWithoutPool = (problem: unknown) => problem instanceof ApiProblem && WITHOUT_POOL.includes(problem.code);
const isOfGateway = (problem: unknown) => problem instanceof ApiProblem && problem.code.startsWith("gateway_");

async function readFleet(client: Client, pool: string): Promise<Fleet> {
  const { gateways } = await client.get("fleet/gateways");
  return { gateways: signal(gateways), pool: pool || firstUsable(gateways) };
}

/** Return the first gateway that can be worked with; empty where none can. */
export function firstUsable(gateways: readonly FleetGatewayView[]): string {
  return gateways.find(({ enabled, problem, keyRefused }) => enabled && !problem && !keyRefused)?.name ?? "";
}

/** Return the gateways that are wished for, the one of the address before the stored one. */
export function wishedPools(): string[] {
  const named = new URLSearchParams(window.location.search).get(PARAMETER) ?? "";
  return [named, stored(KEY) ?? ""];
}

/** Show another gateway: a fresh document, so that nothing of the one before stays. */
export function choosePool(name: string): void {
  const query = store(KEY, name) ? "" : `?${new URLSearchParams({ [PARAMETER]: name })}`;
  window.location.assign(window.location.pathname + query);
}

/** Gateways of a fleet as rows, and the form of one. Pure. */

import type { FleetGatewayView, GatewayTestView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatDecimal } from "../../language/formats.js";
import type { Tone } from "../../parts/tone.js";

export type GatewayState = "ready" | "key_refused" | "unusable" | "off";

const TONES: Record<GatewayState, Tone> = { ready: "good", key_refused: "dead", unusable: "you", off: "unknown" };
const LABEL = /^([^=,\s]+)\s*=\s*([^,]*)$/;

export function stateOf({ enabled, keyRefused, problem }: FleetGatewayView): GatewayState {
  if (keyRefused) return "key_refused";
  if (!enabled) return "off";
  return problem ? "unusable" : "ready";
}

export function toneOf(gateway: FleetGatewayView): Tone {
  return TONES[stateOf(gateway)];
}

export function labelsText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}

/** Return the labels of a text such as `team=east, tier=1`; null where a part is none. */
export function labelsOf(written: string): Record<string, string> | null {
  const parts = written.split(",").map((part) => part.trim());
  const pairs = parts.filter(Boolean).map((part) => LABEL.exec(part));
  if (pairs.includes(null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", (pair?.[2] ?? "").trim()]));
}

/** Return what a gateway answered to a test, in words. */
export function testText(test: GatewayTestView): string {
  const seconds = formatDecimal(test.secondsPerCall, 3);
  const answer = text("fleet.tested", { release: test.release, n: test.accounts, seconds });
  return test.hashedKey ? `${answer} ${text("fleet.hashed_key")}` : answer;
}

/** Fields of the form, as they are typed. */
export interface GatewayFields {
  name: string;
  url: string;
  key: string;
  keyRef: string;
  labels: string;
  egress: string;
  ca: string;
  enabled: boolean;
}

/** Return the request that adds a gateway, or changes a stored one: its key stays unless one is typed. */
export function requestOf(fields: GatewayFields, stored: FleetGatewayView | undefined) {
  const { name, url, key, keyRef, egress, ca, enabled } = fields;
  const common = { name: name.trim(), url: url.trim(), labels: labelsOf(fields.labels) ?? {}, egress, enabled };
  return {
    ...common,
    ...(key ? { key } : {}),
    ...(keyRef.trim() || stored?.keyRef ? { keyRef: keyRef.trim() } : {}),
    ...(ca.trim() ? { ca: ca.trim() } : {}),
  };
}

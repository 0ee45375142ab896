/** Settings of the service as rows, and the address of the gateway's own panel. Pure. */

import { text } from "../../language/catalogue.js";
import { UNKNOWN } from "../../language/formats.js";

const PANEL = "/management.html";

/** Return the settings of the service in words; the own address has no effect where the service is in the gateway. */
export function settingRows(settings: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(settings).map(([name, value]) => ({
    name,
    value: name === "listen" && !settings.gateway ? text("settings.listen_unused") : written(value),
  }));
}

/**
 * Return the address of the gateway's panel; null where it has none. It lies on the origin of the page: the service
 * passes on what is not its own, and a plugin is served by the gateway.
 */
export function panelAddress(settings: Record<string, unknown>, isPlugin: boolean, here: string): string | null {
  return settings.gateway || isPlugin ? new URL(PANEL, here).href : null;
}

function written(value: unknown): string {
  if (value === null || value === undefined || value === "") return UNKNOWN;
  if (typeof value === "boolean") return text(value ? "settings.on" : "settings.off");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

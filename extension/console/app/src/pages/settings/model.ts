/** Settings of the service as rows. Pure. */

import { text } from "../../language/catalogue.js";
import { UNKNOWN } from "../../language/formats.js";

/** Return the settings of the service in words; the own address has no effect where the service is in the gateway. */
export function settingRows(settings: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(settings).map(([name, value]) => ({
    name,
    value: name === "listen" && !settings.gateway ? text("settings.listen_unused") : written(value),
  }));
}

function written(value: unknown): string {
  if (value === null || value === undefined || value === "") return UNKNOWN;
  if (typeof value === "boolean") return text(value ? "settings.on" : "settings.off");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

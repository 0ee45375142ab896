/**
 * What a run may do by itself, under each source, with a name for each mode.
 *
 * @type {Record<string, [string, string][]>}
 */
export const MODES = {
  oauth: [
    ["none", "None: recommend only"],
    ["disable", "Disable what fails"],
    ["delete", "Delete what is revoked, disable what else fails"],
    ["strategy4", "Strategy 4: disable, delete and enable, all accounts"],
    ["strategy5", "Strategy 5: as 4, only accounts now disabled"],
    ["strategy6", "Strategy 6: as 4, only accounts now enabled"],
  ],
  api_key: [
    ["none", "None: recommend only"],
    ["disable", "Disable what fails, enable what works again"],
  ],
};

/**
 * @param {string} source
 * @param {string} mode
 */
export function modeLabel(source, mode) {
  return MODES[source]?.find(([token]) => token === mode)?.[1] ?? mode;
}

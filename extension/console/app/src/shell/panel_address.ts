const PANEL = "/management.html";

/**
 * Return the address of the gateway's panel; null where it has none. It lies on the origin of the page: the service
 * passes on what is not its own, and a plugin is served by the gateway.
 */
export function panelAddress(settings: Record<string, unknown>, isPlugin: boolean, here: string): string | null {
  return settings.gateway || isPlugin ? new URL(PANEL, here).href : null;
}

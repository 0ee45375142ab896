import {
  AlignLeft,
  Bell,
  Calendar,
  ChartColumn,
  DollarSign,
  History,
  House,
  KeyRound,
  List,
  Network,
  Server,
  Settings,
  User,
  type IconNode,
} from "lucide";
import type { ComponentType } from "preact";
import type { Services } from "./services.js";

/** Module of a page: its default export is the page. */
export interface PageModule {
  default: ComponentType;
}

export interface PageRow {
  icon: IconNode;
  group: "" | "pool" | "traffic" | "automation" | "fleet" | "foot";
  load: () => Promise<PageModule>;
}

/**
 * Pages in the order of the side bar, by the last part of their address. A page that is built here has a folder
 * `pages/<name>` with `page.tsx`, and stands in `BUILT_PAGES` of `extension/console/pages.py` as well.
 */
export const PAGES = {
  overview: { icon: House, group: "", load: () => import("../pages/overview/page.js") },
  inspection: { icon: KeyRound, group: "pool", load: () => import("../pages/inspection/page.js") },
  runs: { icon: History, group: "pool", load: () => import("../pages/runs/page.js") },
  activity: { icon: List, group: "pool", load: () => import("../pages/activity/page.js") },
  usage: { icon: ChartColumn, group: "traffic", load: () => import("../pages/usage/page.js") },
  requests: { icon: AlignLeft, group: "traffic", load: () => import("../pages/requests/page.js") },
  prices: { icon: DollarSign, group: "traffic", load: () => import("../pages/prices/page.js") },
  keys: { icon: User, group: "traffic", load: () => import("../pages/keys/page.js") },
  schedules: { icon: Calendar, group: "automation", load: () => import("../pages/schedules/page.js") },
  notifications: { icon: Bell, group: "automation", load: () => import("../pages/notifications/page.js") },
  fleet: { icon: Network, group: "fleet", load: () => import("../pages/fleet/page.js") },
  workers: { icon: Server, group: "fleet", load: () => import("../pages/workers/page.js") },
  settings: { icon: Settings, group: "foot", load: () => import("../pages/settings/page.js") },
} as const satisfies Record<string, PageRow>;

export type PageName = keyof typeof PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];
/** Pages that do without the rest of the texts, as `vite.config.ts` parts them. */
export const FIRST_PAGES: readonly PageName[] = ["overview", "inspection"];
/** Pages of the bottom bar of a phone; the others are below "More". */
export const PHONE_PAGES: readonly PageName[] = ["overview", "inspection", "usage", "activity"];

export function pageRow(name: PageName): PageRow {
  return PAGES[name];
}

export function isOfFleet(name: PageName | null): boolean {
  return name !== null && pageRow(name).group === "fleet";
}

/** Return the pages to offer: those of a fleet only in one, those of a gateway where there is one, and the one in view. */
export function offeredPages({ fleet, router }: Pick<Services, "fleet" | "router">): PageName[] {
  const page = router.page.value;
  return PAGE_NAMES.filter((name) => name === page || (isOfFleet(name) ? fleet !== null : fleet?.pool !== ""));
}

/** Return the page that an address names; null for any other. */
export function pageOf({ pathname }: Pick<URL, "pathname">): PageName | null {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  return PAGE_NAMES.find((name) => name === last) ?? null;
}

/** Return the address of a page with a query; empty values are left out. */
export function pageAddress(name: PageName, query: Record<string, string | number | boolean> = {}): string {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== "") parts.set(key, String(value));
  return parts.size ? `${name}?${parts}` : name;
}

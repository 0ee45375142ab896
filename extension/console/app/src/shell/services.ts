import type { Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ConfigAnswer, InfoAnswer } from "../connection/api.js";
import type { Client } from "../connection/client.js";
import type { Fleet } from "../session/fleet.js";
import type { Automation } from "./automation.js";
import type { Live } from "./live.js";
import type { Notices } from "./notices.js";
import type { PageName } from "./pages.js";
import type { Command } from "./palette_model.js";
import type { Router } from "./router.js";

/** Number beside a page in the side bar; an urgent one is red. */
export interface PageCount {
  n: number;
  isUrgent?: boolean;
}

/** What the shell offers to pages. */
export interface Services {
  /** Reads and changes of the API; reads end when the page is left. */
  client: Client;
  router: Router;
  live: Live;
  notices: Notices;
  automation: Automation;
  /** Gateway with its capabilities, families and statuses. */
  info: InfoAnswer;
  /** Settings of the service. */
  config: ConfigAnswer;
  /** Gateways of the fleet; null for a service of one gateway. */
  fleet: Fleet | null;
  /** Numbers beside the pages in the side bar. */
  counts: Signal<Partial<Record<PageName, PageCount>>>;
  /** Commands of the page in view, found by the palette. */
  commands: Signal<readonly Command[]>;
  changeLanguage(tag: string | null): Promise<void>;
  signOut(): Promise<void>;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error("There are no services before sign-in.");
  return services;
}

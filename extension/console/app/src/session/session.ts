import { signal } from "@preact/signals";
import { baseAddress } from "../connection/base_address.js";
import { Client } from "../connection/client.js";
import { EVENTS, FROM_GATEWAY, SILENT } from "../connection/known_reads.js";
import { isOfStore, isSignedOut, isUnanswered, STORE, UNREACHABLE } from "../connection/problem.js";
import { ReadAgain } from "../connection/read_again.js";
import { loadCatalogue, storeLanguage, text } from "../language/catalogue.js";
import { Automation } from "../shell/automation.js";
import { Live } from "../shell/live.js";
import { Notices } from "../shell/notices.js";
import { isOfFleet } from "../shell/pages.js";
import { Router } from "../shell/router.js";
import type { Services } from "../shell/services.js";
import { readBeginning, wishedPools } from "./fleet.js";
import { OtherTabs } from "./other_tabs.js";

/**
 * `starting`: it is not known yet whether there is a session; `late`: the service, or its gateway, lets the first
 * answers wait; `signed_out`: the key is asked for; `expired`: it is asked for over a page that is kept.
 */
export type SessionState = "starting" | "late" | "signed_out" | "open" | "expired";

/** Time after which a start is late enough to be spoken of. */
const LATE_MS = 800;

/** Sign-in and sign-out, and the services that exist after it. */
export class Session {
  readonly state = signal<SessionState>("starting");
  readonly services = signal<Services | null>(null);
  readonly notices = new Notices();
  readonly client: Client;
  readonly #readAgain = new ReadAgain(() => this.#readAll());
  readonly #otherTabs: OtherTabs;
  #isEntering = false;
  #languageChanges = 0;

  constructor() {
    this.client = new Client(baseAddress(), {
      onAnswer: (path, isGood) => this.#hearAnswer(path, isGood),
      onProblem: (code) => {
        if (SILENT.includes(code)) this.#live?.hearGateway(false);
      },
      onSignedOut: () => this.#end(),
      onReadFailed: () => this.#readAgain.soon(),
    });
    this.#otherTabs = new OtherTabs(this.client.base.pathname, {
      onSignedOut: () => {
        if (this.services.peek()) window.location.reload();
      },
      onLanguage: (tag) => void this.changeLanguage(tag),
    });
  }

  get #live(): Live | undefined {
    return this.services.peek()?.live;
  }

  /** Go on with an earlier session, or ask for the key. */
  async start(): Promise<void> {
    const late = setTimeout(() => {
      if (this.state.peek() === "starting") this.state.value = "late";
    }, LATE_MS);
    try {
      if (await this.client.restoreSession()) await this.enter();
      else this.#askForKey();
    } catch (problem) {
      this.#stopEntering(problem);
    } finally {
      clearTimeout(late);
    }
  }

  /** Open the pages after a sign-in, or the page that was kept. */
  async enter(): Promise<void> {
    if (this.#isEntering) return;
    this.#isEntering = true;
    const isKept = this.services.peek() !== null;
    try {
      const services = this.services.peek() ?? (await this.#build());
      const hasGateway = services.fleet?.pool !== "";
      if (hasGateway) await services.live.prepare();
      this.notices.clear("session", STORE);
      this.services.value = services;
      this.state.value = "open";
      if (isKept) services.live.reload();
      if (hasGateway) {
        services.live.open();
        void services.automation.refresh();
      } else if (!isOfFleet(services.router.page.peek())) services.router.go("fleet");
    } catch (problem) {
      if (!isSignedOut(problem)) this.#stopEntering(problem);
    } finally {
      this.#isEntering = false;
    }
  }

  async signOut(): Promise<void> {
    const isDone = await this.notices.attempt("session", async () => {
      await this.client.signOut().catch((problem: unknown) => {
        if (!isSignedOut(problem)) throw problem;
      });
    });
    if (!isDone) return;
    this.#otherTabs.tellSignedOut();
    // A fresh document: nothing of the session stays in this one's memory.
    window.location.reload();
  }

  /** Show all in another language; null follows the browser. The document stays, and with it a key in memory. */
  async changeLanguage(tag: string | null): Promise<void> {
    this.#languageChanges += 1;
    const change = this.#languageChanges;
    const isNewest = () => change === this.#languageChanges;
    try {
      await loadCatalogue(tag, isNewest);
      if (!isNewest()) return;
      storeLanguage(tag);
      this.notices.clearAll();
      void this.services.peek()?.automation.refresh();
    } catch {
      const failure = { text: text("problem.texts"), hint: text("problem.texts_hint") };
      if (isNewest()) this.notices.show("language", { level: "error", ...failure });
    }
  }

  async #build(): Promise<Services> {
    const { client, notices } = this;
    const { info, config, fleet } = await readBeginning(client, wishedPools());
    const live = new Live(client, notices);
    const automation = new Automation(client, notices);
    live.on(["pool", "run.state", "reload"], () => automation.refresh());
    return {
      client,
      router: new Router(),
      live,
      notices,
      automation,
      info,
      config,
      fleet,
      counts: signal({}),
      commands: signal([]),
      changeLanguage: (tag) => this.changeLanguage(tag),
      signOut: () => this.signOut(),
    };
  }

  #hearAnswer(path: string, isGood: boolean): void {
    this.notices.clear(UNREACHABLE);
    if (isGood && path !== EVENTS) this.#live?.hearService();
    if (isGood && FROM_GATEWAY.includes(path)) this.#live?.hearGateway(true);
  }

  /** Read again what could not be read: all that the page shows, or what it begins with. */
  #readAll(): void {
    const state = this.state.peek();
    if (this.client.leaving || state === "signed_out" || state === "expired") return;
    if (this.#isEntering) this.#readAgain.soon();
    else if (state !== "open") void this.start();
    // Without events the service is likely gone; everything is read when they arrive again.
    else if (!this.#live?.isLost) this.#live?.reload();
  }

  #askForKey(): void {
    this.notices.clear("session", STORE);
    this.state.value = "signed_out";
  }

  /** Say why the pages do not open. A service that cannot answer ends no session: it is asked again without the form. */
  #stopEntering(problem: unknown): void {
    if (!isOfStore(problem)) this.notices.clear(STORE);
    this.state.value = isUnanswered(problem) ? "late" : "signed_out";
    this.notices.showProblem("session", problem);
  }

  /** The session has ended: the page is kept below the form. */
  #end(): void {
    this.#live?.close();
    this.state.value = this.services.peek() ? "expired" : "signed_out";
  }
}

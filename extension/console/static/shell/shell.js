import { baseAddress } from "../connection/base_address.js";
import { Client } from "../connection/client.js";
import { EVENTS, FROM_GATEWAY, SILENT, TOPICS_OF_READS } from "../connection/known_reads.js";
import { PageClient } from "../connection/page_client.js";
import { isOfStore, isSignedOut, isUnanswered } from "../connection/problem.js";
import { byId } from "../dom.js";
import * as format from "../formatting.js";
import { loadCatalogue, storeLanguage, text } from "../language/catalogue.js";
import { Notices } from "../notices.js";
import { LanguageOfTabs } from "../session/language_of_tabs.js";
import { OpeningPage } from "../session/opening_page.js";
import { OtherTabs } from "../session/other_tabs.js";
import { SignInView } from "../session/sign_in_view.js";
import { SettingsStore } from "../settings/settings_store.js";
import { Vocabulary } from "../table/vocabulary.js";
import { AutomationSwitch } from "./automation_switch.js";
import { takeOutUnusable, unusableText } from "./link_values.js";
import { Live } from "./live.js";
import { Navigation } from "./navigation.js";
import { ReadAgain } from "./read_again.js";
import { Router } from "./router.js";
import { openOnAccounts, SourceChoice } from "./source_choice.js";

/** Sign-in and sign-out, navigation, and the page in view. */
export class Shell {
  /** @type {{router: Router, live: Live, automation: AutomationSwitch} | null} */ #session = null;
  /** Whether somebody is asked to sign in. */ #isSignedOut = false;
  #isEntering = false;
  /** Whether the pages are there, and follow events. */ #isOpen = false;
  #languageChanges = 0;

  constructor() {
    this.notices = new Notices(byId("notices"));
    this.client = new Client(baseAddress(), {
      onAnswer: (path, isGood) => {
        this.notices.serviceAnswered();
        if (isGood && path !== EVENTS) this.#session?.live.hearService();
        if (isGood && FROM_GATEWAY.includes(path)) this.#session?.live.hearGateway(true);
      },
      onProblem: (code) => { if (SILENT.includes(code)) this.#session?.live.hearGateway(false); },
      onSignedOut: () => this.#signedOut(text("sign_in.expired")),
      onReadFailed: () => this.readAgain.soon(),
    });
    this.readAgain = new ReadAgain(() => this.#readAgain());
    this.signIn = new SignInView(this.client, () => this.#signedIn(true));
    this.opening = new OpeningPage(() => this.signIn.hide());
    this.navigation = new Navigation(byId("navigation"));
    this.languageOfTabs = new LanguageOfTabs(byId("page"), (tag) => this.#changeLanguage(tag));
    this.otherTabs = new OtherTabs(this.client.base.pathname, {
      onSignedOut: () => { if (this.#session) window.location.reload(); },
      onLanguage: (tag) => this.languageOfTabs.follow(tag),
    });
    this.#write();
    byId("sign-out").addEventListener("click", () => this.#signOut());
  }

  /** Write the fixed texts in the language in use. */
  #write() {
    byId("skip-link").textContent = text("shell.skip");
    byId("notices").setAttribute("aria-label", text("shell.notices"));
    byId("sign-out").textContent = text("sign_in.out");
  }

  async start() {
    try {
      if (await this.client.restoreSession()) await this.#signedIn();
      else this.#askForKey();
    } catch (problem) {
      this.#stopEntering(problem);
    }
  }

  #askForKey() {
    this.#isSignedOut = true;
    this.#clearNotices();
    this.signIn.show();
  }

  /** Clear what was said about a start that failed. */
  #clearNotices() {
    this.notices.clear("session");
    this.notices.storeAnswered();
  }

  /** Read again what could not be read: all that the page shows, or what it begins with. */
  #readAgain() {
    if (this.client.leaving || this.#isSignedOut) return;
    if (this.#isEntering) this.readAgain.soon();
    else if (!this.#isOpen) this.start();
    // Without events the service is likely gone; live.js has everything read when they arrive again.
    else if (!this.#session?.live.isLost) this.#session?.live.reload();
  }

  /** @param {boolean} [isFromForm] whether somebody has just signed in */
  async #signedIn(isFromForm = false) {
    if (this.#isEntering) return;
    this.#isEntering = true;
    this.#isSignedOut = false;
    try {
      if (!this.#session) this.opening.soon();
      this.#session ??= await this.#build();
      const { live, router } = this.#session;
      await live.prepare();
      this.opening.end();
      this.#clearNotices();
      // Links are followed by the router from the moment they can be seen: another load would lose a key in memory.
      this.#showView(true);
      if (await router.resume()) live.reload();
      // The form that had the keyboard is gone: the next Tab would land somewhere in the navigation.
      if (isFromForm && document.activeElement === document.body) byId("page").focus({ preventScroll: true });
      live.open();
      this.#isOpen = !this.#isSignedOut;
    } catch (problem) {
      if (!isSignedOut(problem)) this.#stopEntering(problem);
    } finally {
      this.#isEntering = false;
    }
  }

  /**
   * Say why the page does not open. A service that cannot answer ends no session: it is asked again without the form.
   *
   * @param {unknown} problem
   */
  #stopEntering(problem) {
    if (!isOfStore(problem)) this.notices.storeAnswered();
    if (isUnanswered(problem)) this.opening.show();
    else this.signIn.show();
    this.notices.showProblem("session", problem);
  }

  async #build() {
    const { client, notices } = this;
    const [info, config] = await Promise.all([client.get("info"), client.get("config")]);
    const store = await this.#settings(info, config);
    byId("gateway").textContent = `${info.gateway.name} ${info.gateway.version}`;
    const live = new Live(client, notices, byId("live"));
    const automation = new AutomationSwitch(byId("automation", HTMLButtonElement), client, notices);
    live.on(["pool", "run.state", "reload"], () => automation.refresh());
    automation.refresh();
    const shared = {
      client, notices, text, format, store, config, live, gateway: info.gateway, vocabulary: new Vocabulary(info),
      source: new SourceChoice(store),
    };
    const router = new Router(byId("page"), (query, left) => ({
      ...shared, client: new PageClient(client, left, (isLate) => live.waitForGateway(isLate)), query,
      navigate: (name, values) => router.navigate(name, values),
      changeLanguage: (tag) => this.#changeLanguage(tag),
    }), {
      onShown: (name) => {
        for (const topic of TOPICS_OF_READS) notices.clear(topic);
        this.navigation.mark(name);
        this.languageOfTabs.pageShown();
        document.title = name ? `${text(`pages.${name}`)} · Poolkeeper` : "Poolkeeper";
      },
      onAddress: (name, query) => {
        const keys = { source: store.current.accountSource, families: store.families };
        const odd = takeOutUnusable(name, query, keys);
        if (odd.length) notices.show("link", { level: "warning", text: unusableText(odd) });
        else notices.clear("link");
      },
      onProblem: (problem) => {
        if (!isSignedOut(problem)) notices.showProblem("page", problem);
      },
      // Events that were missed meanwhile are told as "reload" when the connection is back.
      onLoadFailed: () => { client.hasMissed = true; },
    });
    live.on(["reload"], () => router.retry());
    return { router, live, automation };
  }

  /**
   * Restore the run settings; a first visit opens on the source that has accounts.
   *
   * @param {import("../../_generated_types.js").InfoAnswer} info
   * @param {import("../../_generated_types.js").ConfigAnswer} config
   */
  async #settings(info, config) {
    const families = ["all", ...info.families.map(({ token }) => token)];
    const store = new SettingsStore(() => window.localStorage, config.inspectionDefaults, families);
    const ignored = store.restore();
    if (ignored.length) {
      this.notices.show("settings", { level: "warning", text: text("shell.settings_reset"), details: ignored });
    }
    if (!store.wasStored) await openOnAccounts(this.client, store);
    return store;
  }

  /**
   * Show all in another language. The document stays, and with it a key in memory.
   *
   * @param {string | null} tag null follows the browser
   */
  async #changeLanguage(tag) {
    const change = ++this.#languageChanges;
    const isWanted = () => change === this.#languageChanges;
    try {
      await loadCatalogue(tag, isWanted);
      if (!isWanted()) return;
      storeLanguage(tag);
      this.notices.clearAll();
    } catch {
      const said = { text: text("problem.texts"), hint: text("problem.texts_hint") };
      if (isWanted()) this.notices.show("language", { level: "error", ...said });
    }
    if (!isWanted()) return;
    this.#write();
    const { navigation, opening, signIn } = this;
    for (const part of [navigation, opening, signIn, this.#session?.live, this.#session?.automation]) part?.write();
    await this.#session?.router.showAnew();
  }

  async #signOut() {
    try {
      await this.client.signOut();
    } catch (problem) {
      if (!isSignedOut(problem)) {
        this.notices.showProblem("session", problem);
        return;
      }
    }
    this.otherTabs.tellSignedOut();
    // A fresh document: nothing of the session is left in this one's memory.
    window.location.reload();
  }

  /** @param {string} why */
  #signedOut(why) {
    this.#isSignedOut = true;
    this.#isOpen = false;
    this.opening.end();
    this.#showView(false);
    if (!this.#session) {
      this.signIn.show();
      return;
    }
    this.#session.live.close();
    this.#session.router.pause();
    this.signIn.showOver(why);
  }

  /** @param {boolean} signedIn */
  #showView(signedIn) {
    for (const id of ["page", "navigation", "sign-out", "skip-link"]) byId(id).hidden = !signedIn;
    // The switch shows itself once its state is known: until then it would be a button without a name.
    if (signedIn) this.signIn.hide();
    else byId("automation").hidden = true;
  }
}

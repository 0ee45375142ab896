import { Client } from "./connection/client.js";
import { LiveUpdates } from "./connection/live_updates.js";
import { isSignedOut } from "./connection/problem.js";
import { byId } from "./dom.js";
import { InspectionPage } from "./inspection_page.js";
import { Notices } from "./notices.js";
import { SignInView } from "./session/sign_in_view.js";
import { SourceCounts } from "./pool/source_counts.js";
import { SettingsStore } from "./settings/settings_store.js";
import { switchSource } from "./settings/stored_settings.js";
import { Vocabulary } from "./table/vocabulary.js";

/** Return the base URL of the API, as the service wrote it into the page. */
function baseAddress() {
  const { content } = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=poolkeeper-paths]"));
  return new URL(content, document.baseURI);
}

/** Sign-in and sign-out, and the page of a session. */
class App {
  /** @type {LiveUpdates | null} */ #updates = null;

  constructor() {
    this.notices = new Notices(byId("notices"));
    this.client = new Client(baseAddress(), {
      onAnswer: () => this.notices.serviceAnswered(),
      onSignedOut: () => this.#signedOut("Session expired. Sign in again."),
    });
    this.signIn = new SignInView(this.client, () => this.#signedIn());
    byId("sign-out").addEventListener("click", () => this.#signOut());
  }

  async start() {
    try {
      if (await this.client.restoreSession()) await this.#signedIn();
      else this.signIn.show();
    } catch (problem) {
      this.signIn.show();
      this.notices.showProblem("session", problem);
    }
  }

  async #signedIn() {
    try {
      this.notices.clear("session");
      this.#updates ??= await this.#build();
      this.#showView(true);
      await this.#updates.open();
    } catch (problem) {
      if (!isSignedOut(problem)) this.notices.showProblem("session", problem);
    }
  }

  async #build() {
    const [info, config] = await Promise.all([this.client.get("info"), this.client.get("config")]);
    const families = ["all", ...info.families.map(({ token }) => token)];
    const store = new SettingsStore(() => window.localStorage, config.inspectionDefaults, families);
    const ignored = store.restore();
    if (ignored.length) {
      this.notices.show("settings", {
        level: "warning",
        text: "Some settings stored in this browser are invalid and were reset to their defaults.",
        details: ignored,
      });
    }
    const counts = new SourceCounts(this.client);
    const counted = counts.refresh();
    byId("refresh").addEventListener("click", () => counts.refresh());
    if (!store.wasStored) {
      await counted;
      const source = counts.opening(store.current.accountSource);
      if (source !== store.current.accountSource) store.current = switchSource(store.current, source);
    }
    byId("gateway").textContent = `${info.gateway.name} ${info.gateway.version}`;
    const vocabulary = new Vocabulary(info);
    const keptRuns = Number(config.settings.keepRuns);
    const page = new InspectionPage({ client: this.client, notices: this.notices, store, vocabulary, keptRuns });
    return new LiveUpdates(this.client, page, byId("live"));
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
    // A fresh document: nothing of the session is left in this one's memory.
    window.location.reload();
  }

  /** @param {string} why */
  #signedOut(why) {
    this.#updates?.close();
    this.#showView(false);
    this.signIn.show(why);
  }

  /** @param {boolean} signedIn */
  #showView(signedIn) {
    byId("inspection-view").hidden = !signedIn;
    byId("sign-out").hidden = !signedIn;
    if (signedIn) this.signIn.hide();
  }
}

new App().start();

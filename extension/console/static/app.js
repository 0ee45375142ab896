import { Client } from "./connection/client.js";
import { LiveFeed } from "./connection/live_feed.js";
import { isSignedOut } from "./connection/problem.js";
import { byId } from "./dom.js";
import { InspectionPage } from "./inspection_page.js";
import { Notices } from "./notices.js";
import { LogInView } from "./session/log_in_view.js";
import { SettingsStore } from "./settings/settings_store.js";
import { Vocabulary } from "./table/vocabulary.js";

/** Address of the own paths, as the service wrote it into the page. */
function baseAddress() {
  const { content } = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=poolkeeper-paths]"));
  return new URL(content, document.baseURI);
}

/** Logs in and out, and builds the page once there is a session. */
class App {
  /** @type {LiveFeed | null} */ #feed = null;

  constructor() {
    this.notices = new Notices(byId("notices"));
    this.client = new Client(baseAddress(), {
      onAnswer: () => this.notices.serviceAnswered(),
      onSignedOut: () => this.#signedOut("The session has ended. Log in again."),
    });
    this.logIn = new LogInView(this.client, () => this.#signedIn());
    byId("log-out").addEventListener("click", () => this.#logOut());
  }

  async start() {
    try {
      if (await this.client.restoreSession()) await this.#signedIn();
      else this.logIn.show();
    } catch (problem) {
      this.logIn.show();
      this.notices.showProblem("session", problem);
    }
  }

  async #signedIn() {
    try {
      this.notices.clear("session");
      this.#feed ??= await this.#build();
      this.#showView(true);
      await this.#feed.open();
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
        text: "Some of the settings stored in this browser could not be used and were replaced by the defaults.",
        details: ignored,
      });
    }
    byId("gateway").textContent = `${info.gateway.name} ${info.gateway.version}`;
    const vocabulary = new Vocabulary(info);
    const keptRuns = Number(config.settings.keepRuns);
    const page = new InspectionPage({ client: this.client, notices: this.notices, store, vocabulary, keptRuns });
    return new LiveFeed(this.client, page, byId("live"));
  }

  async #logOut() {
    try {
      await this.client.logOut();
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
    this.#feed?.close();
    this.#showView(false);
    this.logIn.show(why);
  }

  /** @param {boolean} signedIn */
  #showView(signedIn) {
    byId("inspection-view").hidden = !signedIn;
    byId("log-out").hidden = !signedIn;
    if (signedIn) this.logIn.hide();
  }
}

new App().start();

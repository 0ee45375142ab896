import { LANGUAGE_KEY, storedLanguage } from "../language/catalogue.js";
import { clock, CLOCK_KEY, storedClock } from "../language/clock.js";
import { PATTERNS_KEY, restorePatterns } from "../shell/patterns.js";
import { applyTheme, storedTheme, THEME_KEY } from "../shell/theme.js";

const SIGNED_OUT = "signed_out";

/**
 * Other tabs of the same service in this browser: they sign out together, and have one theme and one language. What is
 * sent between them is the fact alone; a key or a session never is.
 */
export class OtherTabs {
  #channel: BroadcastChannel | null = null;

  /** `path` of the service's API tells services on one origin apart. */
  constructor(path: string, listener: { onSignedOut(): void; onLanguage(tag: string | null): void }) {
    try {
      this.#channel = new BroadcastChannel(path);
    } catch {
      // A browser that keeps tabs apart: the others end with their next request.
    }
    this.#channel?.addEventListener("message", ({ data }) => {
      if (data === SIGNED_OUT) listener.onSignedOut();
    });
    // The key is null when all that is stored was cleared.
    window.addEventListener("storage", ({ key }) => {
      if (key === null || key === THEME_KEY) applyTheme(storedTheme());
      if (key === null || key === CLOCK_KEY) clock.value = storedClock();
      if (key === null || key === PATTERNS_KEY) restorePatterns();
      if (key === null || key === LANGUAGE_KEY) listener.onLanguage(storedLanguage());
    });
  }

  tellSignedOut(): void {
    this.#channel?.postMessage(SIGNED_OUT);
  }
}

import { signal, type ReadonlySignal } from "@preact/signals";
import { explained, isOfStore, isSilent, STORE, UNREACHABLE } from "../connection/problem.js";

export interface Notice {
  topic: string;
  level: "info" | "warning" | "error";
  text: string;
  hint?: string;
  details?: readonly string[];
  /** A button, which also clears the notice. */
  action?: { label: string; act: () => unknown };
  /** Over the lower edge of the window instead of above the page. */
  isToast?: boolean;
}

/** Notices above the page and toasts, each until it is dismissed, cleared or replaced by a newer one of its topic. */
export class Notices {
  readonly #list = signal<readonly Notice[]>([]);
  /** Words of dismissed notices, which are not repeated until their topic is cleared. */
  readonly #dismissed = new Map<string, string>();

  get list(): ReadonlySignal<readonly Notice[]> {
    return this.#list;
  }

  show(topic: string, notice: Omit<Notice, "topic" | "level"> & Partial<Pick<Notice, "level">>): void {
    const shown: Notice = { level: "info", ...notice, topic };
    const words = wordsOf(shown);
    const list = this.#list.peek();
    // One trouble fails several reads: the same words are shown once.
    const isShown = list.some((other) => wordsOf(other) === words && !other.action);
    if (!shown.action && (isShown || this.#dismissed.get(topic) === words)) return;
    const isNew = !list.some((other) => other.topic === topic);
    this.#list.value = isNew ? [...list, shown] : list.map((other) => (other.topic === topic ? shown : other));
  }

  /** Show anything thrown; the end of the session has its own view, and reads of a page that was left say nothing. */
  showProblem(topic: string, problem: unknown): void {
    if (isSilent(problem)) return;
    const { message, hint, code } = explained(problem);
    const shared = isOfStore(problem) ? STORE : topic;
    this.show(code === UNREACHABLE ? code : shared, { level: "error", text: message, hint });
  }

  /** Run a request and show a notice when it fails. Returns whether it succeeded. */
  async attempt(topic: string, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      this.clear(topic);
      return true;
    } catch (problem) {
      this.showProblem(topic, problem);
      return false;
    }
  }

  dismiss(notice: Notice): void {
    this.clear(notice.topic);
    this.#dismissed.set(notice.topic, wordsOf(notice));
  }

  clear(...topics: string[]): void {
    for (const topic of topics) this.#dismissed.delete(topic);
    const list = this.#list.peek();
    if (list.some(({ topic }) => topics.includes(topic))) {
      this.#list.value = list.filter(({ topic }) => !topics.includes(topic));
    }
  }

  /** Clear all notices, also those that were dismissed. */
  clearAll(): void {
    this.#dismissed.clear();
    this.#list.value = [];
  }
}

function wordsOf({ level, text, hint = "", details = [] }: Notice): string {
  return [level, text, hint, ...details].join("\n");
}

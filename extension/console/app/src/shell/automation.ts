import { signal } from "@preact/signals";
import type { AutomationAnswer } from "../connection/api.js";
import type { Client } from "../connection/client.js";
import { text } from "../language/catalogue.js";
import { formatActor, formatTime } from "../language/formats.js";
import type { Notices } from "./notices.js";

/** Whether all automation is paused, with a notice that says so. */
export class Automation {
  /** Newest state; null until it is read. */
  readonly state = signal<AutomationAnswer | null>(null);

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
  ) {}

  async refresh(): Promise<void> {
    await this.notices.attempt("automation-read", async () => this.#show(await this.client.get("config/automation")));
  }

  /** Pause automation, or have it go on. */
  async turn(): Promise<void> {
    const paused = !this.state.peek()?.paused;
    await this.notices.attempt("automation-change", async () =>
      this.#show(await this.client.post("config/automation", { paused })),
    );
  }

  #show(state: AutomationAnswer): void {
    this.state.value = state;
    this.notices.clear("automation");
    if (!state.paused) return;
    const hint = text("automation.by", { time: formatTime(state.pausedAt), actor: formatActor(state.pausedBy) });
    this.notices.show("automation", { level: "warning", text: text("automation.paused"), hint });
  }
}

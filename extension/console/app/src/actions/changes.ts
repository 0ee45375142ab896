import { signal } from "@preact/signals";
import type { BatchView, CommandAnswer } from "../connection/api.js";
import type { Client } from "../connection/client.js";
import { ApiProblem, explained, isSignedOut, isSilent, type Explanation } from "../connection/problem.js";
import { text } from "../language/catalogue.js";
import type { Notices } from "../shell/notices.js";
import type { Answer, Question } from "./change_plan.js";
import { Command, LOSS, newestBatch, NO_RECORD } from "./command.js";
import { summaryOf, wentAsAsked } from "./outcome.js";
import { carryOutReversal, reversalOfCommand, reversalVerb, type Reversal } from "./reversal.js";

/** What the dialog of a change shows. */
export type Stage =
  | { kind: "reading" }
  | { kind: "question"; question: Question }
  | { kind: "sent"; batch: BatchView | null; isLost: boolean }
  | { kind: "result"; answer: CommandAnswer; reversal: Reversal | null }
  | { kind: "failed"; problem: Explanation; isUnknown: boolean; accept: (() => Promise<void>) | null };

/** Topic of the notice that tells of the last change. */
const TOPIC = "undo";

/**
 * Changes of one page: each is a question first, then followed to its end in the dialog. A dialog that is closed before
 * its end leaves the change to the service; what became of it is told in a toast.
 */
export class Changes {
  readonly stage = signal<Stage | null>(null);
  /** Note that is being typed; it stays when a session ends before the change is sent. */
  readonly note = signal("");
  /** What takes back the last change. */
  last: Reversal | null = null;
  /** Counts dialogs: an answer for an earlier one is not shown. */
  #showing = 0;

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
    private readonly onChanged: () => Promise<void>,
  ) {}

  /**
   * Open the dialog at once, and ask when the question is known. A recommended change that is plain is made without it:
   * the toast takes it back.
   */
  async ask(read: () => Promise<Question | null>, isRecommended = false): Promise<void> {
    const isShown = this.#open();
    this.note.value = "";
    try {
      const question = await read();
      if (!isShown()) return;
      if (isRecommended && question?.isPlain) await this.confirm(question, { note: "", included: [] }, false);
      else if (question) this.stage.value = { kind: "question", question };
      else this.close();
    } catch (problem) {
      if (isShown()) this.#fail(problem);
    }
  }

  /** Carry out what the question asks, once; a question that was left meanwhile changes nothing. */
  async confirm(question: Question, answer: Answer, acceptsLoss: boolean): Promise<void> {
    const asked = this.#showing;
    let command: Command | null = null;
    let isShown = () => asked === this.#showing;
    try {
      // While this is read the question stays: where the session has ended it is there after the sign-in.
      const newest = await newestBatch(this.client);
      if (!isShown()) return;
      isShown = this.#open({ kind: "sent", batch: null, isLost: false });
      command = new Command(this.client, newest, acceptsLoss, {
        onProgress: (batch) => {
          if (isShown()) this.stage.value = { kind: "sent", batch, isLost: false };
        },
        onLost: () => {
          if (isShown()) this.stage.value = { kind: "sent", batch: null, isLost: true };
        },
        isWanted: () => true,
      });
      const done = await question.perform(command, answer);
      await this.onChanged();
      this.#settle(done, isShown());
    } catch (problem) {
      if (command?.hasBegun) void this.onChanged();
      if (isSignedOut(problem) && !command?.hasBegun) {
        if (isShown() && command) this.stage.value = { kind: "question", question };
      } else if (isShown()) {
        this.#fail(problem, () => this.confirm(question, answer, true));
      } else if (!isSilent(problem)) this.notices.showProblem(TOPIC, problem);
    }
  }

  close(): void {
    const stage = this.stage.peek();
    this.#showing += 1;
    this.stage.value = null;
    if (stage?.kind === "result" && stage.reversal) this.#tell(summaryOf(stage.answer), stage.reversal);
  }

  /** Start no further change of a batch. */
  async cancelRest(batch: number): Promise<void> {
    await this.client.post("pool/batches/cancel", undefined, { batch });
  }

  undoLast(): Promise<void> {
    if (this.last) return this.undo(this.last);
    this.notices.clear(TOPIC);
    this.notices.show(TOPIC, { text: text("undo.nothing"), isToast: true });
    return Promise.resolve();
  }

  /** Take changes back at once. After a session that ended meanwhile the same stands there as a question. */
  undo(reversal: Reversal): Promise<void> {
    this.last = null;
    this.notices.clear(TOPIC);
    const question: Question = {
      title: reversalVerb(reversal),
      verb: reversalVerb(reversal),
      isDangerous: false,
      lines: [],
      warning: "",
      sections: [],
      held: [],
      losses: [],
      typed: 0,
      size: reversal.n,
      asksWhy: false,
      isPlain: false,
      perform: (command) => carryOutReversal(this.client, reversal, command),
    };
    return this.confirm(question, { note: "", included: [] }, false);
  }

  /** Show a dialog; return whether it is still the one in view. */
  #open(stage: Stage = { kind: "reading" }): () => boolean {
    this.#showing += 1;
    const number = this.#showing;
    this.stage.value = stage;
    return () => number === this.#showing && this.stage.peek() !== null;
  }

  /** Show what became of a change: in the dialog where there is something to read, else in a toast. */
  #settle(answer: CommandAnswer, isShown: boolean): void {
    const reversal = reversalOfCommand(answer);
    if (reversal) this.last = reversal;
    if (isShown && !wentAsAsked(answer)) {
      this.stage.value = { kind: "result", answer, reversal };
      return;
    }
    if (isShown) this.close();
    this.#tell(summaryOf(answer), reversal);
  }

  #tell(words: string, reversal: Reversal | null): void {
    const action = reversal && { label: reversalVerb(reversal), act: () => this.undo(reversal) };
    this.notices.show(TOPIC, { text: words, isToast: true, ...(action ? { action } : {}) });
  }

  #fail(problem: unknown, accept: (() => Promise<void>) | null = null): void {
    if (isSilent(problem) && !isSignedOut(problem)) {
      this.close();
      return;
    }
    const isLoss = problem instanceof ApiProblem && problem.code === LOSS;
    const shown = isSignedOut(problem)
      ? { message: text("dialog.session_ended"), hint: text("dialog.goes_on"), code: "" }
      : explained(problem);
    const isUnknown = shown.code === NO_RECORD;
    this.stage.value = { kind: "failed", problem: shown, isUnknown, accept: isLoss ? accept : null };
  }
}

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { AccountName, type NamedAccount } from "../accounts/account_name.js";
import type { ActionView, BatchView, PlannedView } from "../connection/api.js";
import { text } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Field } from "../parts/field.js";
import { Status } from "../parts/status.js";
import type { HeldHost, Question } from "./change_plan.js";
import type { Changes, Stage } from "./changes.js";
import { batchLines, countsText, outcomeText, outcomeTone, progressText, worstFirst } from "./outcome.js";
import { reversalVerb } from "./reversal.js";
import { assign } from "../parts/assign.js";

const NAMES_SHOWN = 12;
/** Names that one press on the number of the rest adds. */
const NAMES_MORE = 200;
const OUTCOMES_SHOWN = 200;

/** Dialog of a change, from the plan to its result. */
export function ChangeDialog({ changes }: { changes: Changes }) {
  const stage = changes.stage.value;
  useEffect(() => keepFocus, []);
  if (!stage) return null;
  if (stage.kind === "question")
    return <QuestionDialog key={stage.question.title} changes={changes} question={stage.question} />;
  return <StageDialog changes={changes} stage={stage} />;
}

/** Give the keyboard to the page once the dialog is gone: the button that opened it may be gone with the state of its row. */
function keepFocus(): void {
  queueMicrotask(() => {
    if (document.activeElement === document.body) document.getElementById("page")?.focus({ preventScroll: true });
  });
}

function StageDialog({ changes, stage }: { changes: Changes; stage: Exclude<Stage, { kind: "question" }> }) {
  const close = () => changes.close();
  switch (stage.kind) {
    case "reading":
      return (
        <Sheet
          title={text("dialog.planning")}
          onClose={close}
          foot={<Button onPress={close}>{text("dialog.cancel")}</Button>}
        >
          <p role="status">{text("dialog.reading_plan")}</p>
        </Sheet>
      );
    case "sent":
      return <SentDialog changes={changes} batch={stage.batch} isLost={stage.isLost} />;
    case "failed":
      return (
        <Sheet
          title={text(stage.isUnknown ? "dialog.unknown" : "dialog.failed")}
          onClose={close}
          foot={
            <>
              <Button onPress={close}>{text("dialog.close")}</Button>
              {stage.accept && (
                <Button tone="dead" onPress={stage.accept}>
                  {text("dialog.accept_loss")}
                </Button>
              )}
            </>
          }
        >
          <div role="alert">
            <p class="problem">{stage.problem.message}</p>
            <p class="quiet">{stage.problem.hint}</p>
          </div>
        </Sheet>
      );
    default: {
      const { answer, reversal } = stage;
      const { actions, batch } = answer;
      return (
        <Sheet
          title={text("dialog.result")}
          onClose={close}
          foot={
            <>
              <Button kind="primary" onPress={close}>
                {text("dialog.close")}
              </Button>
              {reversal && <Button onPress={() => changes.undo(reversal)}>{reversalVerb(reversal)}</Button>}
            </>
          }
        >
          <p>{countsText(actions)}</p>
          {batchLines(batch).map((line) => (
            <p key={line}>{line}</p>
          ))}
          <Outcomes actions={actions} />
        </Sheet>
      );
    }
  }
}

/** Dialog whose first button, which leaves it, has the keyboard when it opens. */
function Sheet(props: { title: string; onClose: () => void; foot: ComponentChildren; children: ComponentChildren }) {
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => foot.current?.querySelector("button")?.focus({ preventScroll: true }), []);
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      foot={
        <div class="row" ref={foot}>
          {props.foot}
        </div>
      }
    >
      {props.children}
    </Dialog>
  );
}

function SentDialog({ changes, batch, isLost }: { changes: Changes; batch: BatchView | null; isLost: boolean }) {
  const close = () => changes.close();
  return (
    <Sheet
      title={text(isLost ? "dialog.unknown" : "dialog.working")}
      onClose={close}
      foot={
        <>
          <Button onPress={close}>{text("dialog.close")}</Button>
          {batch && <Button onPress={() => changes.cancelRest(batch.id)}>{text("dialog.cancel_rest")}</Button>}
        </>
      }
    >
      <p role="status">
        {isLost ? text("lost.answer") : batch ? progressText(batch, Date.now()) : text("dialog.sent")}
      </p>
      {batch && <progress max={Math.max(1, batch.total)} value={batch.done} aria-label={text("dialog.working")} />}
      <p class="quiet">{text(isLost ? "lost.look" : "dialog.goes_on")}</p>
    </Sheet>
  );
}

function QuestionDialog({ changes, question }: { changes: Changes; question: Question }) {
  const included = useSignal<ReadonlySet<HeldHost>>(new Set());
  const accepts = useSignal(false);
  const typed = useSignal("");
  const entries: PlannedView[] = [...included.value].flatMap((host) => [...host.entries]);
  const size = question.size + entries.length;
  const isTyped = !question.typed || typed.value.replace(/\D/g, "") === String(question.typed);
  const isReady = size > 0 && isTyped && (!question.losses.length || accepts.value);
  const close = () => changes.close();
  const confirm = () =>
    changes.confirm(question, { note: changes.note.peek().trim(), included: entries }, accepts.peek());
  const toggle = (host: HeldHost) => {
    const next = new Set(included.peek());
    if (!next.delete(host)) next.add(host);
    included.value = next;
  };
  const isPossible = question.size > 0 || question.held.length > 0;
  return (
    <Sheet
      title={question.title}
      onClose={close}
      foot={
        <>
          <Button onPress={close}>{text(isPossible ? "dialog.cancel" : "dialog.close")}</Button>
          {isPossible && (
            <Button
              kind={question.isDangerous ? "plain" : "primary"}
              tone={question.isDangerous ? "dead" : undefined}
              isDisabled={!isReady}
              onPress={confirm}
            >
              {question.verb}
            </Button>
          )}
        </>
      }
    >
      {question.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {question.warning && (
        <p class="warning" role="note">
          {question.warning}
        </p>
      )}
      {question.sections.map((section) => (
        <section key={section.text} class="stack tight">
          <p>{section.text}</p>
          <NameList names={section.names} />
        </section>
      ))}
      <HeldHosts held={question.held} included={included.value} toggle={toggle} />
      {question.losses.length > 0 && (
        <label class="warning">
          <input
            type="checkbox"
            checked={accepts.value}
            onChange={({ currentTarget }) => assign(accepts, currentTarget.checked)}
          />{" "}
          {text("plan.losses", { parts: question.losses.join(", ") })}
        </label>
      )}
      {question.typed > 0 && (
        <Field label={text("plan.type_number", { n: question.typed })}>
          <input
            inputMode="numeric"
            autocomplete="off"
            value={typed.value}
            onInput={({ currentTarget }) => assign(typed, currentTarget.value)}
          />
        </Field>
      )}
      {question.asksWhy && (
        <Field label={text("dialog.note")}>
          <input
            maxLength={200}
            value={changes.note.value}
            onInput={({ currentTarget }) => assign(changes.note, currentTarget.value)}
          />
        </Field>
      )}
    </Sheet>
  );
}

function HeldHosts(props: {
  held: readonly HeldHost[];
  included: ReadonlySet<HeldHost>;
  toggle: (host: HeldHost) => void;
}) {
  if (!props.held.length) return null;
  return (
    <fieldset class="choices">
      <legend>{text("hold.left_out")}</legend>
      {props.held.map((host) => (
        <label key={host.host}>
          <input type="checkbox" checked={props.included.has(host)} onChange={() => props.toggle(host)} />
          <span>
            <bdi>{host.host}</bdi>: {text("count.accounts", { n: host.entries.length })}
            {host.reasons.map((reason) => (
              <small key={reason}>{reason}</small>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** First names of many, and a button that adds more. */
function NameList({ names }: { names: readonly (NamedAccount & { reason?: string })[] }) {
  const most = useSignal(NAMES_SHOWN);
  const rest = names.length - most.value;
  return (
    <ul class="names">
      {names.slice(0, most.value).map(({ reason, ...account }) => (
        <li key={account.id}>
          <AccountName {...account} />
          {reason && <span class="quiet">: {reason}</span>}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <Button
            size="small"
            kind="ghost"
            onPress={() => {
              most.value += NAMES_MORE;
            }}
          >
            {text("count.more", { n: rest })}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Outcomes({ actions }: { actions: readonly ActionView[] }) {
  const rest = actions.length - OUTCOMES_SHOWN;
  return (
    <ul class="stack tight">
      {worstFirst(actions)
        .slice(0, OUTCOMES_SHOWN)
        .map(({ id, account, outcome, text: written, texts, displayName, keyHint, place }) => (
          <li key={id}>
            <Status tone={outcomeTone(outcome)}>{outcomeText(outcome)}</Status>{" "}
            <b>
              <AccountName id={account} displayName={displayName} keyHint={keyHint} place={place} />
            </b>{" "}
            {reasonsText(texts, written)}
          </li>
        ))}
      {rest > 0 && <li class="quiet">{text("count.more", { n: rest })}</li>}
    </ul>
  );
}

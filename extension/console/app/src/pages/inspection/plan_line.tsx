import { useSignal } from "@preact/signals";
import { LoaderCircle, Zap } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { accountsAddress } from "../../accounts/address.js";
import { FAILING, statusText } from "../../accounts/status.js";
import type { RunView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { Icon } from "../../parts/icon.js";
import { useServices } from "../../shell/services.js";
import type { AccountsModel } from "./accounts_model.js";
import { failingOf, pendingNames, ProgressPace } from "./progress_pace.js";
import type { Counts, Filters } from "./query.js";
import { inScope } from "./query.js";
import { needsSignIn, nextChange, RowBook, type Account } from "./rows.js";
import { deedsText, describeRun, planText } from "./run_text.js";
import { isActive, isResumable, type RunCommand } from "./runs.js";

const TICK_MS = 1_000;
const SPOKEN_STEP = 10;
/** Age up to which the page says what an automatic run did. */
const TOLD_MS = 24 * 3_600_000;

export interface PlanLineProps {
  model: AccountsModel;
  filters: Filters;
  counts: Counts;
  isWhole: boolean;
}

/** Line above the list: the run under way, or what the last checks recommend and the last automatic run did. */
export function PlanLine(props: PlanLineProps) {
  const { model } = props;
  const active = model.runs.active;
  return active ? <RunBar model={model} run={active} /> : <Plan {...props} />;
}

function Line({ icon, children, label }: { icon: typeof Zap; label: string; children: ComponentChildren }) {
  return (
    <section class="plan-line" aria-label={label}>
      <Icon of={icon} />
      {children}
    </section>
  );
}

/** Progress of the run under way, with its commands. */
function RunBar({ model, run }: { model: AccountsModel; run: RunView }) {
  const { notices } = useServices();
  const pace = useRef(new ProgressPace()).current;
  const tick = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      tick.value += 1;
    }, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const steer = (command: RunCommand) => notices.attempt("run", () => model.runs.steer(command, run.id));
  const percent = run.total ? Math.floor((100 * run.done) / run.total) : 0;
  const pending = pendingNames(run, model.pool.accounts.value.values());
  const words = tick.value >= 0 ? pace.describe(run, performance.now(), pending) : "";
  const failing = failingOf(run, model.failingOf(run.id));
  const statuses = FAILING.map(statusText).join(", ");
  return (
    <Line icon={LoaderCircle} label={text("run.progress")}>
      <span title={describeRun(run, Date.now())}>
        <b>{text("run.number", { run: String(run.id) })}</b> {tokenText("run_state", run.state)}
      </span>
      <progress max={Math.max(1, run.total)} value={run.done} aria-label={text("run.progress")} />
      <span class="number">{text("run.done", { done: run.done, total: run.total })}</span>
      {run.done > 0 && (
        <a
          class="link"
          href={accountsAddress({ source: run.accountSource, run: run.id, verdict: FAILING.join(",") })}
          title={text("run.failing_hint", { statuses })}
        >
          {text("run.failing", { n: failing })}
        </a>
      )}
      <span class="quiet grow cut">{words}</span>
      <span class="visually-hidden" role="status">
        {text("run.percent", { n: percent - (percent % SPOKEN_STEP) })}
      </span>
      {run.state === "running" && (
        <Button size="small" onPress={() => steer("pause")}>
          {text("run.pause")}
        </Button>
      )}
      {isResumable(run) && (
        <Button size="small" onPress={() => steer("resume")}>
          {text("run.resume")}
        </Button>
      )}
      {["running", "paused"].includes(run.state) && (
        <Button size="small" onPress={() => steer("finish")}>
          {text("run.finish")}
        </Button>
      )}
      <Button size="small" tone="dead" isDisabled={run.state === "stopping"} onPress={() => steer("stop")}>
        {text("run.stop")}
      </Button>
    </Line>
  );
}

function Plan({ model, filters, counts, isWhole }: PlanLineProps) {
  const { router } = useServices();
  const newest = model.runs.list.value.at(0);
  // Until the list was read after a run, it is not known what the run put on hold.
  const isKnown = isWhole && !model.isOutdated.value;
  const size = counts.toDisable + counts.toEnable + counts.toDelete;
  const held = counts.onHoldInScope;
  const review = () => {
    const book = new RowBook();
    const accounts = [...model.pool.accounts.peek().values()].filter((account) =>
      inScope(book.ofAccount(account), filters.scope),
    );
    const of = (verb: "disable" | "enable" | "delete") => ({
      verb,
      accounts: accounts.filter((account: Account) => nextChange(book.ofAccount(account)) === verb),
    });
    return model.change([of("disable"), of("enable"), of("delete")].filter((wish) => wish.accounts.length));
  };
  return (
    <Line icon={Zap} label={text("accounts.plan")}>
      <p class="grow">
        <LastRun model={model} run={newest} />
        {isKnown && <PlanWords counts={counts} wasChecked={newest !== undefined} />}{" "}
        {held > 0 && !(model.deeds.value && held === newest?.stillOnHold) && (
          <span class="quiet">{text("accounts.held", { n: held })}</span>
        )}
      </p>
      <SignInQueue model={model} />
      {held > 0 && !filters.onHold && (
        <Button size="small" kind="ghost" onPress={() => router.set({ onHold: "true" }, { push: true })}>
          {text("run.show_held")}
        </Button>
      )}
      {held > 0 && filters.onHold && <Anyway model={model} />}
      {size > 0 && isKnown && (
        <Button size="small" kind="primary" onPress={review}>
          {text("accounts.review", { n: size })}
        </Button>
      )}
    </Line>
  );
}

function PlanWords({ counts, wasChecked }: { counts: Counts; wasChecked: boolean }) {
  const words = planText(counts);
  if (words) return <b>{words}</b>;
  return <span class="quiet">{text(wasChecked ? "accounts.nothing_to_change" : "overview.no_runs")}</span>;
}

/** Button that signs in, one after the other, the accounts in view that need it. */
function SignInQueue({ model }: { model: AccountsModel }) {
  const rows = (model.canSignIn && model.shown.value?.rows.filter(needsSignIn)) || [];
  if (rows.length < 2) return null;
  return (
    <Button size="small" tone="you" onPress={() => model.signIns.start(rows.flatMap(({ account }) => account ?? []))}>
      {text("relogin.needed", { n: rows.length })}
    </Button>
  );
}

/** Button that makes the changes on hold in view all the same. */
function Anyway({ model }: { model: AccountsModel }) {
  const rows = model.shown.value?.rows.filter(({ account, onHold }) => account && onHold && account.onHold) ?? [];
  const of = (verb: "disable" | "delete") => ({
    verb,
    accounts: rows.filter(({ action }) => action === verb).flatMap(({ account }) => account ?? []),
  });
  const wishes = [of("disable"), of("delete")].filter(({ accounts }) => accounts.length);
  if (!wishes.length) return null;
  const [{ verb }] = wishes;
  return (
    <Button size="small" tone="dead" onPress={() => model.change(wishes, { includesHeld: true })}>
      {text(`accounts.${verb}_anyway`, { n: wishes.reduce((sum, { accounts }) => sum + accounts.length, 0) })}
    </Button>
  );
}

/** What the last run did, if it acted lately or did not come to its end. */
function LastRun({ model, run }: { model: AccountsModel; run: RunView | undefined }) {
  const { notices } = useServices();
  if (!run || isActive(run)) return null;
  const isLate = run.finishedAt !== null && Date.now() - run.finishedAt > TOLD_MS;
  const deeds = isLate ? "" : deedsText(run, model.deeds.value);
  const isBroken = isResumable(run);
  if (!deeds && !isBroken) return null;
  const { disable = 0, enable = 0 } = model.deeds.value ?? {};
  const hasUndo = deeds !== "" && disable + enable > 0;
  const undo = () => model.changes.undo({ run: run.id, n: disable + enable });
  return (
    <>
      {isBroken ? describeRun(run, Date.now()) : deeds}{" "}
      {isBroken && (
        <Button size="small" onPress={() => notices.attempt("run", () => model.runs.steer("resume", run.id))}>
          {text("run.resume")}
        </Button>
      )}
      {hasUndo && (
        <Button size="small" onPress={undo}>
          {text("dialog.undo")}
        </Button>
      )}{" "}
    </>
  );
}

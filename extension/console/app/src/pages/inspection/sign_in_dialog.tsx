import { useEffect } from "preact/hooks";
import { accountName } from "../../accounts/account_name.js";
import { outcomeTone } from "../../actions/outcome.js";
import { text } from "../../language/catalogue.js";
import { reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { Status } from "../../parts/status.js";
import { PanelLink } from "../../shell/panel_link.js";
import { isWithoutAddress, type SignIns, type Turn } from "./sign_in.js";

/** Sign-in under way, of one account or of several one after the other. */
export function SignInDialog({ signIns }: { signIns: SignIns }) {
  const turn = signIns.turn.value;
  if (!turn) return null;
  const { account, at, ended, problem } = turn;
  const n = signIns.accounts.length;
  const hasFailed = Boolean(problem) || (ended !== undefined && ended.action.outcome !== "applied");
  const foot = (
    <>
      <Button onPress={() => signIns.close()}>{text(ended ? "dialog.close" : "dialog.cancel")}</Button>
      {hasFailed && !isWithoutAddress(turn) && <Button onPress={() => signIns.retry()}>{text("relogin.retry")}</Button>}
      {signIns.hasNext && (
        <Button kind={ended ? "primary" : "plain"} onPress={() => signIns.next()}>
          {text(ended ? "relogin.next" : "relogin.skip")}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={text("relogin.again")} foot={foot} onClose={() => signIns.close()}>
      <p>
        <b>
          <bdi>{accountName(account)}</bdi>
        </b>{" "}
        {n > 1 && <span class="quiet">{text("relogin.of", { at: String(at), n: String(n) })}</span>}
      </p>
      <div class="stack" aria-live="polite" key={at}>
        {ended ? (
          <Ended ended={ended} />
        ) : problem ? (
          <Problem turn={turn} />
        ) : (
          <Waiting signIns={signIns} turn={turn} />
        )}
      </div>
    </Dialog>
  );
}

function Ended({ ended: { action, run } }: { ended: NonNullable<Turn["ended"]> }) {
  const isDone = action.outcome === "applied";
  return (
    <>
      <Status tone={outcomeTone(action.outcome)}>{reasonsText(action.texts, action.text)}</Status>
      {(isDone || run !== null) && <p class="quiet">{text(run === null ? "relogin.no_check" : "relogin.checking")}</p>}
    </>
  );
}

function Problem({ turn }: { turn: Turn }) {
  if (isWithoutAddress(turn)) {
    return (
      <>
        <p>{text("relogin.no_address")}</p>
        <PanelLink />
      </>
    );
  }
  const { problem } = turn;
  return (
    <p class="problem" role="alert">
      {[problem?.message, problem?.hint].filter(Boolean).join(" ")}
    </p>
  );
}

function Waiting({ signIns, turn: { begun } }: { signIns: SignIns; turn: Turn }) {
  useEffect(() => {
    // Whoever comes back from the vendor's tab sees the result at once.
    const look = () => void signIns.follow();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, []);
  if (!begun) return <p class="quiet">{text("relogin.starting")}</p>;
  const refusal = signIns.refusal.value;
  return (
    <>
      <p class="quiet">{text("relogin.other")}</p>
      <p class="row">
        <a class="button primary normal" href={begun.url} target="_blank" rel="noopener noreferrer">
          {text("relogin.open")}
        </a>
        {begun.userCode && (
          <span>
            {text("relogin.code")} <bdi class="mono">{begun.userCode}</bdi>
          </span>
        )}
      </p>
      <p class="quiet">{text("relogin.waiting")}</p>
      {begun.takesCallback && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void signIns.follow(String(new FormData(event.currentTarget).get("callback")));
          }}
        >
          <Field
            label={text("relogin.callback")}
            hint={text("relogin.callback_hint")}
            problem={refusal.callback ?? refusal[""]}
          >
            <input name="callback" type="password" autoComplete="off" spellcheck={false} required maxLength={8000} />
          </Field>
          <p>
            <Button type="submit">{text("relogin.hand_over")}</Button>
          </p>
        </form>
      )}
    </>
  );
}

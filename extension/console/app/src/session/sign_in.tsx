import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { needsKey } from "../connection/management_key.js";
import { explained, isUnanswered, type Explanation } from "../connection/problem.js";
import { ReadAgain } from "../connection/read_again.js";
import { text } from "../language/catalogue.js";
import { Button } from "../parts/button.js";
import { LanguageMenu, ThemeMenu } from "../shell/preferences.js";
import { panelKey } from "./panel_key.js";
import type { Session } from "./session.js";

const keyOfPanel = () =>
  panelKey(() => window.localStorage, {
    origin: window.location.origin,
    host: window.location.host,
    browser: navigator.userAgent,
  });

/** Form that takes the management key, in the middle of an empty page. */
export function SignInPage({ session }: { session: Session }) {
  return (
    <main class="sign-in">
      <SignInForm session={session} />
      <div class="row">
        <LanguageMenu change={(tag) => session.changeLanguage(tag)} />
        <ThemeMenu />
      </div>
    </main>
  );
}

/** The same over a page whose session has ended: what was typed there, a selection and an open drawer are kept. */
export function SignInDialog({ session }: { session: Session }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const used = document.activeElement;
    const node = dialog.current;
    node?.showModal();
    return () => {
      node?.close();
      if (used instanceof HTMLElement) used.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog sign-in-over"
      aria-labelledby="sign-in-heading"
      onCancel={(event) => event.preventDefault()}
      // Escape pressed twice closes in spite of the above; nothing behind the form could be used.
      onClose={() => dialog.current?.isConnected && dialog.current.showModal()}
    >
      <SignInForm session={session} reason={text("sign_in.expired")} />
    </dialog>
  );
}

/**
 * A service that does not answer, or not yet, says nothing about the key: the same key is tried again until it does, or
 * until another one is typed.
 */
function SignInForm({ session, reason = "" }: { session: Session; reason?: string }) {
  const field = useRef<HTMLInputElement>(null);
  const isBusy = useSignal(false);
  const refusal = useSignal<Explanation | null>(null);
  const waitingKey = useRef("");
  const again = useRef<ReadAgain | null>(null);
  again.current ??= new ReadAgain(() => {
    if (waitingKey.current) void enter(waitingKey.current);
  });
  useEffect(() => field.current?.focus(), []);

  async function enter(key: string) {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      await session.client.signIn(key);
      waitingKey.current = "";
      if (field.current) field.current.value = "";
      await session.enter();
    } catch (problem) {
      waitingKey.current = isUnanswered(problem) ? key : "";
      refusal.value = explained(problem);
      if (waitingKey.current) again.current?.soon();
      else field.current?.select();
    } finally {
      isBusy.value = false;
    }
  }

  const shown = refusal.value ?? (reason ? { message: reason, hint: "" } : null);
  return (
    <form
      class="card sign-in-form"
      aria-labelledby="sign-in-heading"
      onSubmit={(event) => {
        event.preventDefault();
        void enter(field.current?.value ?? "");
      }}
    >
      <p class="brand">
        <img src="static/icon.svg" width="26" height="26" alt="" />
        Poolkeeper
      </p>
      <h1 id="sign-in-heading">{text("sign_in.in")}</h1>
      <p class="quiet">{text("sign_in.at", { host: window.location.host })}</p>
      <input type="text" name="username" value="management" autocomplete="username" hidden readonly />
      <div class="field">
        <label for="management-key">{text("sign_in.key")}</label>
        <input
          ref={field}
          id="management-key"
          name="key"
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          required
          aria-describedby="sign-in-help sign-in-problem"
          aria-invalid={refusal.value !== null}
          onInput={() => {
            waitingKey.current = "";
            refusal.value = null;
          }}
        />
        <small id="sign-in-help">{text(needsKey() ? "sign_in.help_keyed" : "sign_in.help")}</small>
      </div>
      <div id="sign-in-problem" role="alert">
        {shown && (
          <div class="problem">
            <p>{shown.message}</p>
            {shown.hint && <p class="quiet">{shown.hint}</p>}
            {waitingKey.current && <p class="quiet">{text("sign_in.again")}</p>}
          </div>
        )}
      </div>
      <Button kind="primary" type="submit" isBusy={isBusy.value}>
        {text("sign_in.in")}
      </Button>
      {needsKey() && keyOfPanel() && <Button onPress={() => enter(keyOfPanel())}>{text("sign_in.panel_key")}</Button>}
    </form>
  );
}

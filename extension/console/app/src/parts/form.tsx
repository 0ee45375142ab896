import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { isSilent } from "../connection/problem.js";
import { Drawer } from "./drawer.js";
import { refusalOf, type Refusal } from "./refusal.js";

/** A value that is refused here, before the service sees it. */
export class WrongField extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** State of a form with fields of these names: `attempt` sends once at a time, and keeps a refusal for its field. */
export function useForm(names: readonly string[]) {
  const refusal = useSignal<Refusal>({});
  const isBusy = useSignal(false);
  const attempt = async (act: () => Promise<unknown>) => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    refusal.value = {};
    try {
      await act();
    } catch (problem) {
      if (problem instanceof WrongField) refusal.value = { [problem.field]: problem.message };
      else if (!isSilent(problem)) refusal.value = refusalOf(problem, names);
    } finally {
      isBusy.value = false;
    }
  };
  return { refusal, isBusy, attempt };
}

/** What no field of a form is about. */
export function Refused({ of: { "": words } }: { of: Refusal }) {
  return words ? (
    <p class="problem" role="alert">
      {words}
    </p>
  ) : null;
}

/** Drawer with a form and the button that sends it. */
export function FormDrawer(props: {
  title: ComponentChildren;
  head?: ComponentChildren;
  names: readonly string[];
  /** Further buttons of the foot: at its start, and beside the one that sends. */
  start?: ComponentChildren;
  beside?: ComponentChildren;
  verb: string;
  isUnchecked?: boolean;
  send: (fields: FormData) => Promise<unknown>;
  onClose: () => void;
  children: (refusal: Refusal) => ComponentChildren;
  below?: ComponentChildren;
}) {
  const id = useId();
  const { refusal, isBusy, attempt } = useForm(props.names);
  const foot = (
    <>
      {props.start}
      <span class="grow" />
      {props.beside}
      <button type="submit" form={id} class="button primary normal" aria-busy={isBusy.value || undefined}>
        {props.verb}
      </button>
    </>
  );
  return (
    <Drawer title={props.title} head={props.head} foot={foot} onClose={props.onClose}>
      <form
        id={id}
        class="stack"
        noValidate={props.isUnchecked}
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          void attempt(() => props.send(fields));
        }}
      >
        {props.children(refusal.value)}
        <Refused of={refusal.value} />
      </form>
      {props.below}
    </Drawer>
  );
}

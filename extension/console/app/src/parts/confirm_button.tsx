import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { text } from "../language/catalogue.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { assign } from "./assign.js";

/** Button whose act cannot be undone: a question over the page comes first. */
export function ConfirmButton(props: {
  children: ComponentChildren;
  label?: string;
  size?: "small" | "normal";
  question: string;
  effect: string;
  act: () => Promise<unknown>;
}) {
  const isAsking = useSignal(false);
  const close = () => {
    isAsking.value = false;
  };
  const foot = (
    <>
      <Button onPress={close}>{text("dialog.cancel")}</Button>
      <Button
        tone="dead"
        onPress={async () => {
          await props.act();
          close();
        }}
      >
        {props.children}
      </Button>
    </>
  );
  return (
    <>
      <Button tone="dead" size={props.size} label={props.label} onPress={() => assign(isAsking, true)}>
        {props.children}
      </Button>
      {isAsking.value && (
        <Dialog title={props.question} foot={foot} onClose={close}>
          <p>{props.effect}</p>
        </Dialog>
      )}
    </>
  );
}

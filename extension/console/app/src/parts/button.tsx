import { useSignal } from "@preact/signals";
import type { IconNode } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.js";
import type { Tone } from "./tone.js";

export interface ButtonProps {
  children?: ComponentChildren;
  /** Name of a button without a text, or a longer one than its text, which it then begins with. */
  label?: string;
  icon?: IconNode;
  /** `primary`: the one of a page or drawer; `ghost`: without a border. */
  kind?: "plain" | "primary" | "ghost";
  size?: "small" | "normal";
  tone?: Extract<Tone, "good" | "dead" | "you">;
  type?: "button" | "submit";
  isBusy?: boolean;
  isDisabled?: boolean;
  onPress?: () => unknown;
}

/**
 * Button that acts once at a time. While the promise of `onPress` is open it is marked busy and does nothing more: a
 * slow service would otherwise get a change as often as its button was pressed. It is not disabled, which would take
 * the keyboard away from it.
 */
export function Button(props: ButtonProps) {
  const { children, label, icon, kind = "plain", size = "normal", tone, type = "button", onPress } = props;
  const isActing = useSignal(false);
  const isBusy = props.isBusy || isActing.value;
  const press = async () => {
    if (isBusy || !onPress) return;
    isActing.value = true;
    try {
      await onPress();
    } finally {
      isActing.value = false;
    }
  };
  return (
    <button
      type={type}
      class={`button ${kind} ${size}${children ? "" : " square"}`}
      data-tone={tone}
      aria-label={label}
      title={children ? undefined : label}
      aria-busy={isBusy || undefined}
      disabled={props.isDisabled}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else if (onPress) void press();
      }}
    >
      {icon && <Icon of={icon} size={size === "small" ? 14 : 16} />}
      {children}
    </button>
  );
}

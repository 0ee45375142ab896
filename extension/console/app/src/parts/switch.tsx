import { useSignal } from "@preact/signals";

/** Switch that takes effect at once; it is busy until the promise of `onTurn` ends. */
export function Switch(props: {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  onTurn: (isOn: boolean) => unknown;
}) {
  const isActing = useSignal(false);
  const turn = async () => {
    if (isActing.peek()) return;
    isActing.value = true;
    try {
      await props.onTurn(!props.isOn);
    } finally {
      isActing.value = false;
    }
  };
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={props.isOn}
      aria-label={props.label}
      aria-busy={isActing.value || undefined}
      disabled={props.isDisabled}
      onClick={() => void turn()}
    />
  );
}

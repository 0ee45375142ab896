import type { Signal } from "@preact/signals";

/** Give a signal a value, as an expression: what a handler of one line does. */
export function assign<T>(signal: Signal<T>, value: T): void {
  signal.value = value;
}

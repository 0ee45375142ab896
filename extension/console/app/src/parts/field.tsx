import { cloneElement, type JSX, type VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

export interface FieldProps {
  label: string;
  hint?: string;
  /** What is wrong with the value; the control gets the focus when it appears. */
  problem?: string;
  /** One `input`, `select` or `textarea`. */
  children: VNode<JSX.HTMLAttributes<HTMLElement>>;
}

/** Control of a form with its label, a hint and a refusal. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) place.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, [problem]);
  const described = [hint ? `${id}-hint` : "", problem ? `${id}-problem` : ""].filter(Boolean).join(" ");
  return (
    <div class="field" ref={place}>
      <label for={id}>{label}</label>
      {cloneElement(children, { id, "aria-describedby": described || undefined, "aria-invalid": Boolean(problem) })}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      {problem && (
        <p class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { explained } from "../connection/problem.js";
import { text } from "../language/catalogue.js";
import type { ReadingView } from "../shell/reading.js";
import { Button } from "./button.js";
import { EmptyText } from "./empty_text.js";
import { Skeleton } from "./skeleton.js";

/**
 * What was read, or what stands in its place: gray lines before the first answer, the problem where there is none. A
 * read that fails later leaves what is shown, below the problem.
 */
export function Content<T>(props: {
  reading: ReadingView<T>;
  rows?: number;
  children: (value: T) => ComponentChildren;
}) {
  const value = props.reading.value.value;
  const problem = props.reading.problem.value;
  const shown = problem ? explained(problem) : null;
  if (value === null && !shown) return <Skeleton rows={props.rows} />;
  return (
    <>
      {shown && (
        <EmptyText title={shown.message} hint={shown.hint} isProblem>
          <Button onPress={props.reading.refresh}>{text("shell.retry")}</Button>
        </EmptyText>
      )}
      {value !== null && props.children(value)}
    </>
  );
}

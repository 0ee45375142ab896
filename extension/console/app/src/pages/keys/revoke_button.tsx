import { text } from "../../language/catalogue.js";
import { clipped, formatCount } from "../../language/formats.js";
import { ConfirmButton } from "../../parts/confirm_button.js";
import { useServices } from "../../shell/services.js";
import { undoKeyAction } from "./changes_card.js";
import { titleOf, type KeyRow } from "./model.js";

/** Revokes a key after a question that says whom it concerns; the toast offers undo. */
export function RevokeButton({ row, onDone }: { row: KeyRow; onDone: () => void }) {
  const services = useServices();
  const { client, notices } = services;
  const name = clipped(titleOf(row));
  const revoke = () =>
    notices.attempt("keys", async () => {
      const { action } = await client.post("config/client-keys/revoke", { fingerprint: row.fingerprint });
      onDone();
      notices.show("revoked", {
        isToast: true,
        text: text("keys.revoked", { name }),
        action: { label: text("keys.take_back"), act: () => undoKeyAction(services, action.id) },
      });
    });
  return (
    <ConfirmButton
      question={text("keys.revoke_question", { name })}
      effect={text("keys.revoke_effect", { n: formatCount(row.figures?.requests ?? 0) })}
      act={revoke}
    >
      {text("keys.revoke")}
    </ConfirmButton>
  );
}

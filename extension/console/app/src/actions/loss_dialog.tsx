import { text } from "../language/catalogue.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { useServices } from "../shell/services.js";
import { lossToAccept, takeBack } from "./reversal.js";

/** Asks whether a reversal may drop parts of the configuration, while one would. */
export function LossDialog() {
  const services = useServices();
  const loss = lossToAccept.value;
  if (!loss) return null;
  const close = () => {
    lossToAccept.value = null;
  };
  const foot = (
    <>
      <Button onPress={close}>{text("dialog.cancel")}</Button>
      <Button tone="dead" onPress={() => takeBack(services, loss.reversal, true)}>
        {text("dialog.accept_loss")}
      </Button>
    </>
  );
  return (
    <Dialog title={text("activity.undo")} foot={foot} onClose={close}>
      <p>{loss.words}</p>
    </Dialog>
  );
}

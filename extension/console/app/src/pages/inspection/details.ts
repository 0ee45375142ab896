/** What the list of accounts opens: one file, which is loaded when the first of it opens. */

export { ChangeDialog } from "../../actions/change_dialog.js";
export { AccountDrawer } from "./account_drawer.js";
export { RunDrawer } from "./run_drawer.js";
export { SignInDialog } from "./sign_in_dialog.js";

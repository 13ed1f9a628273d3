// formfoot.js - the footer of a form with useDraft: the number of unsaved changes, and buttons to reset and save.
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { Button } from "./button.js";
import { Mark } from "./mark.js";

const t = wordsOf("shared");

/** @param {{draft: ReturnType<typeof import("../lib/draft.js").useDraft>, isBusy?: boolean, label?: string}} props */
export function FormFoot({ draft, isBusy = false, label }) {
	const n = Object.keys(draft.changes.value).length,
		why = n === 0 ? t("nothingChanged") : undefined;

	return html`<footer
		class="form-foot">
		<p class="saved" role="status">${n > 0 ? html`<${Mark} kind="changed">${t("unsaved", { n })}<//>` : why}
		</p>
		<div class="bs"><${Button} onClick=${draft.reset} why=${why} data-reset>${t("asTheyWere")}<//>
		<${Button} kind="go" type="submit" isBusy=${isBusy} why=${why} data-save>${label ?? t("save")}<//></div>
		</footer>`;
}

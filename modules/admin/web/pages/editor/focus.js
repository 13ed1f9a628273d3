// focus.js - focus mode: nothing but the title, the text and the saving status. It is fetched when it is used.
import { useEffect } from "preact/hooks";
import { html } from "../../lib/html.js";
import { say } from "../../ui/live.js";
import "../../editor/morewords.js";
import { t } from "../../editor/words.js";

/** Rules for while it is on, which pages that never use it need not load. */
const RULES = `
.side, .top.act > :not(.saved), .panel, .preview-pane, .original, .more-fields, .f-title :is(.address, .margin),
.text > [role="toolbar"], .note-marks { display: none !important }
.app, .edit { display: block }
.top.act { background: none; border: 0 }
.main { max-inline-size: 46rem; margin-inline: auto; border: 0 }
.galley { --axis: var(--gutter) !important; background: none; border-color: transparent; box-shadow: none }
.galley :is(.f-title, .body, .count) { --axis: var(--gutter) }
.galley .body:focus { box-shadow: none }
.galley .count { border: 0 }
`;

const toText = () => /** @type {HTMLElement | null} */ (document.querySelector(".galley .body"))?.focus();

/** @param {{onLeave: () => void}} props */
export function FocusMode({ onLeave }) {
	useEffect(() => {
		const sheet = new CSSStyleSheet();
		// What handles Escape itself does not let it come here.
		const escape = (event) => {
			if (event.key !== "Escape" || event.isComposing) return;
			if (document.querySelector("dialog[open], :popover-open") === null) onLeave();
		};

		sheet.replaceSync(RULES);
		document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
		addEventListener("keydown", escape);
		if (document.activeElement?.closest(".galley :is(.body, .title)") === null) toText();
		say(t("focusOn"));
		return () => {
			document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
			removeEventListener("keydown", escape);
			if (document.activeElement === document.body) toText();
			say(t("focusOff"));
		};
	}, []);
	return html`<button type="button" class="b small" onClick=${onLeave}
		style=${{ position: "fixed", zIndex: 5, insetBlockStart: "0.5rem", insetInlineEnd: "0.5rem" }}>
		${t("focusLeave")}</button>`;
}

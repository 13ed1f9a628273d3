// toolbar.js - the toolbar of a text. It is one tab stop; the arrow keys move within it.
import { redo, undo } from "prosemirror-history";
import { html } from "../../lib/html.js";
import { Icon } from "../../ui/icon.js";
import { Menu } from "../../ui/menu.js";
import { t } from "../words.js";
import * as commands from "./commands.js";
import { moreBlocks } from "./kinds.js";

const STYLES = ["normal", "h2", "h3", "h4", "h5", "h6", "blockquote"];
const MORE = ["underline", "superscript", "subscript"];

/** Moves the focus among the enabled controls. */
function move(event) {
	const keys = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
	const step = keys[event.key];
	const controls = [
		...event.currentTarget.querySelectorAll(
			":scope > * > button, :scope > button, :scope > label > select",
		),
	].filter((c) => !c.disabled);

	if (
		step === undefined ||
		event.target.closest("[popover]") ||
		(event.target.tagName === "SELECT" && event.key !== "ArrowRight" && event.key !== "ArrowLeft")
	)
		return;
	const rtl = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
	const at = controls.indexOf(event.target) + step * rtl;
	const next = controls[Math.max(0, Math.min(controls.length - 1, at))];

	event.preventDefault();
	for (const control of controls) control.tabIndex = control === next ? 0 : -1;
	next?.focus();
}

/** Removes the block; a footnote goes with its references. @param {import("./view.js").TextView | null} text */
async function remove(text) {
	const { removeFootnote } = await import("./notes.js").catch(() => ({ removeFootnote: () => false }));

	if (text !== null && !text.run(removeFootnote)) text.run(commands.removeBlock);
}

/**
 * @param {{label: string, controls: string, text: import("@preact/signals").Signal<import("./view.js").TextView | null>,
 *   state: import("@preact/signals").Signal<import("./view.js").TextState | null>, onLink: () => void, onFind: () => void, onInsert: (type: string) => void}} props
 */
export function Toolbar({ label, controls, text, state, onLink, onFind, onInsert }) {
	const now = state.value;
	const run = (command) => () => text.peek()?.run(command);
	// The focus stays in the text when a button is pressed by the mouse.
	const stay = (event) => event.preventDefault();
	const mark = (name, letter) => html`<button key=${name} type="button" class="b bare square" tabindex="-1"
		aria-pressed=${String(now?.marks.includes(name) ?? false)}
		aria-label=${t(name)} title=${t(name)} onMouseDown=${stay}
		onClick=${run(commands.toggle(name))}>${letter}</button>`;
	const list = (name, letter) => html`<button key=${name} type="button" class="b bare square" tabindex="-1"
		aria-pressed=${String(now?.list === name)}
		aria-label=${t(name)} title=${t(name)} onMouseDown=${stay}
		onClick=${run(commands.toggleList(name))}>${letter}</button>`;
	const styles = !now || STYLES.includes(now.style) || now.style === "" ? STYLES : [...STYLES, now.style];

	return html`<div class="toolbar" role="toolbar" aria-label=${label} aria-controls=${controls} onKeyDown=${move}>
		<label><span class="sr">${t("style")}</span><select class="in auto" value=${now?.style || "normal"}
			onChange=${(e) => text.peek()?.run(commands.setStyle(e.currentTarget.value))}>
			${styles.map(
				(style) => html`<option key=${style} value=${style}
				selected=${style === (now?.style || "normal")}>
				${STYLES.includes(style) || style === "h1" ? t(`style-${style}`) : style}</option>`,
			)}
		</select></label>
		<span class="keys">
			${mark("strong", html`<b aria-hidden="true">B</b>`)}
			${mark("em", html`<i class="letter" aria-hidden="true">I</i>`)}
			${mark("strike-through", html`<s aria-hidden="true">S</s>`)}
			${mark("code", html`<code aria-hidden="true">‹›</code>`)}
			<button type="button" class="b bare square" tabindex="-1"
				aria-pressed=${String(now?.isLink ?? false)} aria-label=${t("link")} title=${t("link")}
				onMouseDown=${stay} onClick=${onLink}><${Icon} name="link" /></button>
		</span>
		<span class="keys">
			${list("bullet", html`<${Icon} name="list" />`)}
			${list("number", html`<span class="num one" aria-hidden="true"></span>`)}
			<button type="button" class="b bare square" tabindex="-1" aria-label=${t("picture")}
				title=${t("picture")} onMouseDown=${stay}
				onClick=${() => onInsert("image")}><${Icon} name="image" /></button>
		</span>
		<${Menu} label=${t("insert")} kind="bare small" items=${[
			...["gallery", "code", "htmlBlock", "embed", "break"].map((type) => ({
				label: t(type),
				onClick: () => onInsert(type),
			})),
			{ label: t("table"), onClick: () => onInsert("table") },
			...moreBlocks().map(({ block, label: name }) => ({
				label: name,
				onClick: () => onInsert(block),
			})),
			...MORE.map((name) => ({ label: t(name), onClick: run(commands.toggle(name)) })),
			{ label: t("moveUp"), onClick: run(commands.moveBlock(-1)) },
			{ label: t("moveDown"), onClick: run(commands.moveBlock(1)) },
			{ label: t("removeBlock"), onClick: () => void remove(text.peek()), isOut: true },
		]}>${t("insert")}<//>
		${
			now?.isTable &&
			html`<${Menu} label=${t("table")} kind="bare small" items=${[
				{ label: t("addRow"), onClick: run(commands.addRow) },
				{ label: t("addColumn"), onClick: run(commands.addColumn) },
				{ label: t("toggleHead"), onClick: run(commands.toggleHead) },
				{ label: t("removeRow"), onClick: run(commands.removeRow), isOut: true },
				{ label: t("removeColumn"), onClick: run(commands.removeColumn), isOut: true },
			]}>${t("table")}<//>`
		}
		<span class="keys end">
			<button type="button" class="b bare square" tabindex="-1" aria-label=${t("find")}
				title=${t("find")} onMouseDown=${stay} onClick=${onFind}><${Icon} name="find" /></button>
			<button type="button" class="b bare square" tabindex="-1" aria-label=${t("undo")}
				title=${t("undo")} disabled=${!now?.canUndo} onMouseDown=${stay}
				onClick=${run(undo)}><${Icon} name="undo" /></button>
			<button type="button" class="b bare square" tabindex="-1" aria-label=${t("redo")}
				title=${t("redo")} disabled=${!now?.canRedo} onMouseDown=${stay}
				onClick=${run(redo)}><${Icon} name="redo" /></button>
		</span>
	</div>`;
}

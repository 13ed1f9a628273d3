// menu.js - a button that opens a short list of actions (native popover). Arrow keys, Home and End move; Escape and Tab
// close it, and the focus returns to the button.
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";

/**
 * @typedef {({label: string, onClick?: () => any, href?: string, isOut?: boolean, isHead?: boolean} | false | null | undefined)[]} Items
 *
 * @param {{label: string, children: any, kind?: string, id?: string, isAtStart?: boolean, items: Items | (() => Items), onOpen?: () => void}} props
 *   label: for screen readers; children: what the button shows; items: made and shown when the menu is opened; isHead:
 *   no action, but what those below do; id: of a menu that has a root of its own; isAtStart: it opens from the start of the
 *   button, not its end; onOpen: may read more of them
 */
export function Menu({ label, children, kind = "bare square", id: given, isAtStart = false, items, onOpen }) {
	const own = useId(),
		id = given ?? own,
		button = useRef(/** @type {HTMLButtonElement | null} */ (null)),
		list = useRef(/** @type {HTMLElement | null} */ (null));
	const isOpening = useSignal(false);
	const all = () => /** @type {any[]} */ ((typeof items === "function" ? items() : items).filter(Boolean));

	/** Below the button, and inside the window. */
	const put = () => {
		const at = button.current.getBoundingClientRect(),
			box = list.current;
		const isRtl = getComputedStyle(box).direction === "rtl";
		const left = isRtl !== isAtStart ? at.left : at.right - box.offsetWidth;

		box.style.setProperty("inset", "auto");
		box.style.setProperty("left", `${Math.max(4, Math.min(left, innerWidth - box.offsetWidth - 4))}px`);
		box.style.setProperty(
			"top",
			`${at.bottom + box.offsetHeight > innerHeight ? Math.max(4, at.top - box.offsetHeight) : at.bottom}px`,
		);
	};
	// Items that come later change its size.
	useLayoutEffect(() => {
		if (list.current?.matches(":popover-open")) put();
	});
	const onToggle = (event) => {
		const isOpen = event.newState === "open";

		button.current?.setAttribute("aria-expanded", String(isOpen));
		if (isOpen) {
			put();
			/** @type {HTMLElement} */ (list.current.querySelector('[role="menuitem"]'))?.focus();
		} else if (list.current?.contains(document.activeElement) || document.activeElement === document.body)
			button.current?.focus();
	};
	const onKeyDown = (event) => {
		const rows = /** @type {HTMLElement[]} */ ([...list.current.querySelectorAll('[role="menuitem"]')]);
		const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
		const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];

		if (to !== undefined) {
			event.preventDefault();
			rows[(to + rows.length) % rows.length]?.focus();
		} else if (event.key === "Tab") list.current.hidePopover();
	};
	const row = (item) => {
		const attributes = { role: "menuitem", tabIndex: -1, class: `b bare ${item.isOut ? "out" : ""}` };
		const run = () => {
			list.current.hidePopover();
			return item.onClick?.();
		};

		if (item.isHead) return html`<div key="head" role="presentation" class="help">${item.label}</div>`;
		return item.href
			? html`<a key=${item.label} href=${item.href} onClick=${run} ...${attributes}>${item.label}</a>`
			: html`<button key=${item.label} type="button" onClick=${run} ...${attributes}>${item.label}
				</button>`;
	};

	return html`<button type="button" class=${`b ${kind}`} ref=${button} popovertarget=${id} aria-haspopup="menu"
		aria-expanded="false" aria-label=${label}>${children}</button>
		<div class="pop" popover id=${id} ref=${list}
			onBeforeToggle=${(e) => {
				isOpening.value = e.newState === "open";
				if (isOpening.value) onOpen?.();
			}} onToggle=${onToggle}
			onKeyDown=${onKeyDown}>
			${
				isOpening.value &&
				html`<div role="menu" aria-label=${label} class="menu-list">${all().map(row)}</div>`
			}
		</div>`;
}

// part.js - a part of the panel that can be folded.
import { html } from "../../lib/html.js";

/**
 * @param {{title: string, value?: any, isOpen?: boolean, onToggle?: (isOpen: boolean) => void, children?: any}} props
 *   value: shown beside the title
 */
export function Part({ title, value, isOpen = true, onToggle, children }) {
	return html`<details open=${isOpen}
		onToggle=${(e) => onToggle?.(e.currentTarget.open)}><summary>${title}${value && html` <span class="value">${value}</span>`}</summary>
		<div class="in-panel">${children}</div></details>`;
}

// button.js - a button that waits for what it does.
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { tellProblem } from "./notice.js";

/**
 * `onClick` may be async: until it settles the button is busy, and further clicks do nothing. What it throws goes to
 * `onError`, else above the page. A button that cannot be used says in `why` what is missing; it keeps its focus.
 * @param {{kind?: string, type?: string, onClick?: (event: Event) => any, onError?: (error: any) => void, why?: string,
 *   isBusy?: boolean, children?: any, class?: string, [name: string]: any}} props kind: words of .b: "go", "bare",
 *   "out", "small", "square", "wide"
 */
export function Button({ kind = "", type = "button", onClick, onError, why, isBusy = false, children, class: more = "", ...rest }) {
	const busy = useSignal(false);
	const waits = busy.value || isBusy;

	const run = async (event) => {
		if (waits || why) {
			event.preventDefault();
			return;
		}
		const result = onClick?.(event);
		if (!(result instanceof Promise))
			return;
		busy.value = true;
		try {
			await result;
		} catch (error) {
			(onError ?? tellProblem)(error);
		} finally {
			busy.value = false;
		}
	};
	return html`<button type=${type} class=${`b ${kind} ${more}`.trim()} aria-disabled=${waits || why ? "true" : undefined}
		aria-busy=${waits ? "true" : undefined} title=${why} onClick=${run} ...${rest}>${children}</button>`;
}

// button.js - a button that is busy until its action has finished.
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { tellProblem } from "./notice.js";

/**
 * `onClick` may be async: until it settles, the button is busy and further clicks do nothing. Its errors go to
 * `onError`, else to a notice above the page. With `why`, the reason, the button is disabled but can have the focus.
 * @param {{kind?: string, type?: string, onClick?: (event: Event) => any, onError?: (error: any) => void, why?: string,
 *   isBusy?: boolean, children?: any, class?: string, [name: string]: any}} props kind: words of .b: "go", "bare",
 *   "out", "small", "square", "wide"
 */
export function Button({
	kind = "",
	type = "button",
	onClick,
	onError,
	why,
	isBusy = false,
	children,
	class: more = "",
	...rest
}) {
	const busy = useSignal(false);
	const waits = busy.value || isBusy;

	const run = async (event) => {
		if (waits || why) {
			event.preventDefault();
			return;
		}
		const result = onClick?.(event);
		if (!(result instanceof Promise)) return;
		busy.value = true;
		try {
			await result;
		} catch (error) {
			(onError ?? tellProblem)(error);
		} finally {
			busy.value = false;
		}
	};
	return html`<button type=${type} class=${`b ${kind} ${more}`.trim()}
		aria-disabled=${waits || why ? "true" : undefined}
		aria-busy=${waits ? "true" : undefined} title=${why} onClick=${run} ...${rest}>${children}</button>`;
}

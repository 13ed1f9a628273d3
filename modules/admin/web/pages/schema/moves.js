// moves.js - buttons that move a row up or down. The focus follows the row, and screen readers announce its new place.
import { useRef } from "preact/hooks";
import { html } from "../../lib/html.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Icon, say, tellProblem } from "../../ui/index.js";

const t = wordsOf("schema");

/** @template T @param {T[]} all @param {number} from @param {number} to */
export function moved(all, from, to) {
	const next = [...all];

	next.splice(to, 0, ...next.splice(from, 1));
	return next;
}

/**
 * @param {{name: string, at: number, count: number, onMove: (from: number, to: number) => Promise<any>, onFail: () =>
 * any}} props
 */
export function Moves({ name, at, count, onMove, onFail }) {
	const box = useRef(/** @type {HTMLElement | null} */ (null));
	const go = (to, which) => async () => {
		try {
			await onMove(at, to);
			say(t("place", { name, place: to + 1, count }));
			requestAnimationFrame(() =>
				/** @type {HTMLElement | null} */ (
					box.current?.querySelector(`[data-${which}]`)
				)?.focus(),
			);
		} catch (error) {
			tellProblem(error);
			await onFail();
		}
	};

	return html`<div class="bs moves" ref=${box}>
		<${Button} kind="bare square small" why=${at === 0 ? t("isFirst") : undefined}
			onClick=${go(at - 1, "up")} aria-label=${t("up", { name })} data-up><${Icon} name="up" /><//>
		<${Button} kind="bare square small" why=${at === count - 1 ? t("isLast") : undefined}
			onClick=${go(at + 1, "down")} aria-label=${t("down", { name })}
			data-down><${Icon} name="down" /><//></div>`;
}

// later.js - components whose code is fetched only when the text can already be typed in.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { Problem } from "../ui/problem.js";

const PATIENCE = 500; // ms

/** Resolves when the browser is idle, so that fetching does not delay painting. */
export const whenIdle = () =>
	new Promise((resolve) =>
		globalThis.requestIdleCallback
			? requestIdleCallback(resolve, { timeout: PATIENCE })
			: setTimeout(resolve, 0),
	);

/**
 * A component that loads another one, the first time it is shown.
 * Its property onFail is called if it cannot be loaded.
 * @param {() => Promise<any>} load the module @param {string} name of the component in it
 */
export function later(load, name) {
	let Loaded = null;

	return function Later(props) {
		const isThere = useSignal(Loaded !== null),
			error = useSignal(/** @type {any} */ (null));
		const begin = () =>
			load().then(
				(module) => {
					Loaded = module[name];
					isThere.value = true;
					error.value = null;
				},
				(problem) => {
					error.value = problem;
					props.onFail?.();
				},
			);

		useEffect(() => {
			if (Loaded === null) void begin();
		}, []);
		if (error.value !== null) return html`<${Problem} error=${error.value} onRetry=${begin} />`;
		return isThere.value && html`<${Loaded} ...${props} />`;
	};
}

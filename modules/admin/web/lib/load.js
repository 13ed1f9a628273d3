// load.js - loads data for a component: loading, failed or done. Aborts the request when the component goes.
//
//	const tokens = useLoad((signal) => api.get("/admin/api-tokens", { signal }), []);
//	tokens.state.value   "loading" | "failed" | "done"; old data stays while it is loaded again
//	tokens.data.value, tokens.error.value, tokens.reload()
import { useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";

/**
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} fn
 * @param {any[]} inputs a change of one of them loads the data again
 */
export function useLoad(fn, inputs) {
	const kept = useRef(/** @type {any} */ (null));

	kept.current ??= {
		state: signal("loading"),
		data: signal(/** @type {T | null} */ (null)),
		error: signal(/** @type {Error | null} */ (null)),
		abort: null,
		reload: null,
	};
	const one = kept.current;
	one.reload = async () => {
		const abort = new AbortController();

		one.abort?.abort();
		one.abort = abort;
		one.state.value = "loading";
		try {
			const data = await fn(abort.signal);
			if (one.abort !== abort) return;
			one.data.value = data;
			one.error.value = null;
			one.state.value = "done";
		} catch (error) {
			if (one.abort !== abort) return;
			one.error.value = error;
			one.state.value = "failed";
		}
	};
	// A layout effect sends the request at once; an ordinary effect would run only after the next paint.
	useLayoutEffect(() => {
		void one.reload();
		return () => {
			const { abort } = one;
			one.abort = null;
			abort?.abort();
		};
	}, inputs);
	return /** @type {{state: import("@preact/signals").Signal<"loading" | "failed" | "done">, data: import("@preact/signals").Signal<T | null>, error: import("@preact/signals").Signal<Error | null>, reload: () => Promise<void>}} */ (
		one
	);
}

// load.js - data that a component shows: loading, failed or there, aborted when it is not wanted any more.
//
//	const tokens = useLoad((signal) => api.get("/admin/api-tokens", { signal }), []);
//	tokens.state.value   "loading" | "failed" | "done"; data of before stays while it loads again
//	tokens.data.value, tokens.error.value, tokens.reload()
import { useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";

/**
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} fn
 * @param {any[]} inputs it is loaded again when one of them changes
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
			if (one.abort !== abort)
				return;
			one.data.value = data;
			one.error.value = null;
			one.state.value = "done";
		} catch (error) {
			if (one.abort !== abort)
				return;
			one.error.value = error;
			one.state.value = "failed";
		}
	};
	// Before the next frame: it asks at once, instead of after what is shown meanwhile is painted.
	useLayoutEffect(() => {
		void one.reload();
		return () => {
			const { abort } = one;
			one.abort = null;
			abort?.abort();
		};
	}, inputs);
	return /** @type {{state: import("@preact/signals").Signal<"loading" | "failed" | "done">, data: import("@preact/signals").Signal<T | null>, error: import("@preact/signals").Signal<Error | null>, reload: () => Promise<void>}} */ (one);
}

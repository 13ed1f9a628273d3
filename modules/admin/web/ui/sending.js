// sending.js - keeps a form from being sent again by a second click while it is being sent.
import { useRef } from "preact/hooks";

/** Returns the onSubmit handler of a form. @param {((event: Event) => any) | undefined} send */
export function useSending(send) {
	const isSending = useRef(false);

	return async (/** @type {Event} */ event) => {
		event.preventDefault();
		if (isSending.current) return;
		isSending.current = true;
		try {
			await send?.(event);
		} finally {
			isSending.current = false;
		}
	};
}

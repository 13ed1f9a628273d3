// sending.js - a form that is sent once: what is on its way is not sent again by a second click.
import { useRef } from "preact/hooks";

/** The onSubmit of such a form. @param {((event: Event) => any) | undefined} send */
export function useSending(send) {
	const isSending = useRef(false);

	return async (/** @type {Event} */ event) => {
		event.preventDefault();
		if (isSending.current)
			return;
		isSending.current = true;
		try {
			await send?.(event);
		} finally {
			isSending.current = false;
		}
	};
}

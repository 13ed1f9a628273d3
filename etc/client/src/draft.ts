// draft.ts - a page in the frame beside stet's editor shows what is typed there: the messages of stet-api(7), PREVIEWS.

/** An item as it stands in the editor, saved or not. */
export interface Draft {
	id: string;
	collection: string;
	locale: string;
	slug: string | null;
	data: Record<string, unknown>;
}

/**
 * Calls show with the item as it stands in the editor, now and after each change, if the page is in the frame beside it.
 * A click on an element with data-field (a field) or data-key (a block of a text) leads the editor there. Elsewhere
 * nothing happens.
 * @param url of stet, whose pages alone are listened to
 * @returns a function that ends it
 */
export function followDraft(url: string, show: (item: Draft) => void): () => void {
	const { origin } = new URL(url);
	const hear = ({ source, origin: from, data }: MessageEvent) => {
		if (source === parent && from === origin && data?.type === "stet-preview:draft") show(data.item);
	};
	const select = ({ target }: MouseEvent) => {
		const at = (name: string) => (target as Element).closest(`[${name}]`)?.getAttribute(name) ?? undefined;
		const field = at("data-field"),
			key = at("data-key");

		if (field ?? key) parent.postMessage({ type: "stet-preview:select", version: 1, field, key }, origin);
	};

	if (typeof window === "undefined" || parent === window) return () => {};
	addEventListener("message", hear);
	addEventListener("click", select);
	parent.postMessage({ type: "stet-preview:ready", version: 1 }, origin);
	return () => {
		removeEventListener("message", hear);
		removeEventListener("click", select);
	};
}

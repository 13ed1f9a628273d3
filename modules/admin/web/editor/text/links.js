// links.js - a pasted address becomes a link on the selection, or a link of its own; a typed one at Enter.
import { keymap } from "prosemirror-keymap";
import { Plugin } from "prosemirror-state";
import { newLink, setLink } from "./commands.js";
import { isSafeHref } from "./safe.js";
import { schema } from "./schema.js";
import { unwrapped } from "./unwrap.js";

/** The address that is all of the clipboard's text, or null. */
function addressIn(data) {
	const text = data?.getData("text/plain").trim() ?? "";

	return /^(https?:\/\/|mailto:)\S+$/i.test(text) && isSafeHref(text) ? text : null;
}

function handlePaste(view, event) {
	const { state } = view,
		{ $from, $to, empty, from } = state.selection,
		address = addressIn(event.clipboardData);
	const isCode = schema.marks.code.isInSet(state.storedMarks ?? $from.marks()) !== undefined;

	if (address === null || isCode || !$from.parent.isTextblock || !$from.sameParent($to)) return false;
	const href = unwrapped(address);

	if (!empty) return setLink(href)(state, view.dispatch);
	view.dispatch(
		state.tr
			.insert(from, schema.text(href, newLink(href).addToSet($from.marks())))
			.removeStoredMark(schema.marks.link)
			.scrollIntoView(),
	);
	return true;
}

/** Links the address before the cursor; the key goes on to its own command. */
function linkBefore(state, dispatch) {
	const { $cursor } = state.selection;

	if (!$cursor?.parent.isTextblock) return false;
	const text = $cursor.parent.textBetween(0, $cursor.parentOffset, null, "\ufffc"),
		found = /(?:^|[\s(])(https?:\/\/[^\s\ufffc<>"]*[^\s\ufffc<>"'.,;:!?)\]])$/.exec(text);
	const at = $cursor.pos - (found?.[1].length ?? 0);

	if (found !== null && isSafeHref(found[1]) && !state.doc.rangeHasMark(at, $cursor.pos, schema.marks.link))
		dispatch?.(state.tr.addMark(at, $cursor.pos, newLink(found[1])));
	return false;
}

export const links = () => [new Plugin({ props: { handlePaste } }), keymap({ Enter: linkBefore })];

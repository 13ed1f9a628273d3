// tasks.js - items of a list that can be checked: by a click on their box, or by a key.
import { keymap } from "prosemirror-keymap";
import { Plugin } from "prosemirror-state";
import { isTask, selectedBlocks } from "./commands.js";

/** Checks the selected tasks, or, if all of them are, unchecks them. */
export function toggleTask(state, dispatch) {
	const tasks = selectedBlocks(state).filter(({ node }) => isTask(node)),
		checked = !tasks.every(({ node }) => node.attrs.rest.checked);

	if (tasks.length === 0) return false;
	if (dispatch) {
		const { tr } = state;

		for (const { node, pos } of tasks) tr.setNodeAttribute(pos, "rest", { ...node.attrs.rest, checked });
		dispatch(tr);
	}
	return true;
}

/** A click before the words of a task is on its box. */
function handleClick(view, pos, event) {
	const dom = event.target,
		at = dom instanceof HTMLElement && dom.matches("[data-checked]") ? view.posAtDOM(dom, 0) - 1 : -1;
	const node = at < 0 ? null : view.state.doc.nodeAt(at);

	if (!view.editable || node === null || !isTask(node)) return false;
	const { paddingInlineStart, direction } = getComputedStyle(dom),
		box = dom.getBoundingClientRect();
	const inside = direction === "rtl" ? box.right - event.clientX : event.clientX - box.left;

	if (inside > Number.parseFloat(paddingInlineStart)) return false;
	view.dispatch(
		view.state.tr.setNodeAttribute(at, "rest", { ...node.attrs.rest, checked: !node.attrs.rest.checked }),
	);
	return true;
}

export const tasks = () => [new Plugin({ props: { handleClick } }), keymap({ "Mod-Enter": toggleTask })];

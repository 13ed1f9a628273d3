// moves.js - the commands of a block's handle: copying a block, and moving it to any place.
import { NodeSelection, Selection } from "prosemirror-state";
import { topBlock } from "./commands.js";
import { schema } from "./schema.js";

/** Puts a copy of the selected block behind it; its keys become its own (keys.js). */
export function duplicate(state, dispatch) {
	const { node, pos } = topBlock(state);

	if (!node || node.type === schema.nodes.footnote) return false;
	if (dispatch) {
		const at = pos + node.nodeSize,
			tr = state.tr.insert(at, node);

		dispatch(
			tr
				.setSelection(
					node.isAtom
						? NodeSelection.create(tr.doc, at)
						: Selection.near(tr.doc.resolve(at + 1)),
				)
				.scrollIntoView(),
		);
	}
	return true;
}

/** Moves a block of the top level before the one with this index, or behind the last. @param {number} from @param {number} to */
export function moveTo(from, to) {
	return (state, dispatch) => {
		const node = state.doc.maybeChild(from);

		if (!node || to === from || to === from + 1 || to > state.doc.childCount) return false;
		if (dispatch) {
			const at = (n) =>
					state.doc.content.content
						.slice(0, n)
						.reduce((sum, one) => sum + one.nodeSize, 0),
				pos = at(from),
				tr = state.tr.delete(pos, pos + node.nodeSize),
				target = tr.mapping.map(at(to));

			tr.insert(target, node);
			dispatch(
				tr.setSelection(
					node.isAtom
						? NodeSelection.create(tr.doc, target)
						: Selection.near(tr.doc.resolve(target + 1)),
				),
			);
		}
		return true;
	};
}

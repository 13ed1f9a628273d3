// rules.js - input that is converted while it is typed: "## ", "- ", "1. ", "> ", "**strong**".
import { InputRule, inputRules } from "prosemirror-inputrules";
import { insertBlock, newAtom } from "./commands.js";
import { schema } from "./schema.js";

const { block } = schema.nodes;

/** A rule at the start of a paragraph. */
function start(pattern, change) {
	return new InputRule(pattern, (state, match, from, to) => {
		const { $from } = state.selection;

		if ($from.parent.type !== block || !["normal", null].includes($from.parent.attrs.style)) return null;
		return state.tr.delete(from, to).setNodeMarkup($from.before(), null, {
			...$from.parent.attrs,
			...change(match, $from.parent.attrs),
		});
	});
}

/** A rule that gives text between two signs a mark. */
function between(pattern, name) {
	return new InputRule(
		pattern,
		(state, match, from, to) => {
			const $from = state.doc.resolve(from),
				inner = match[2],
				at = from + match[1].length;

			if (!$from.parent.isTextblock || state.doc.rangeHasMark(at, to, schema.marks.code)) return null;
			const marks = schema.marks[name].create().addToSet($from.marks());
			const tr = state.tr.replaceWith(at, to, schema.text(inner, marks));

			return tr.removeStoredMark(schema.marks[name]);
		},
		{ inCodeMark: false },
	);
}

/** A rule that converts a paragraph of signs only into a block. */
function line(pattern, json) {
	return new InputRule(pattern, (state, match, from, to) => {
		const { $from } = state.selection;
		let done = /** @type {import("prosemirror-state").Transaction | null} */ (null);

		if ($from.parent.type !== block || $from.depth !== 1 || $from.parent.content.size !== to - from)
			return null;
		const cleared = state.apply(state.tr.delete(from, to));
		insertBlock(newAtom(json))(cleared, (tr) => {
			done = tr;
		});
		if (done === null) return null;
		const tr = state.tr.delete(from, to);
		for (const step of done.steps) tr.step(step);
		return tr;
	});
}

export function rules() {
	return inputRules({
		rules: [
			start(/^(#{1,6})\s$/, (match) => ({ style: `h${match[1].length}`, list: null, level: null })),
			start(/^>\s$/, () => ({ style: "blockquote", list: null, level: null })),
			start(/^[-*]\s$/, (_, attrs) => ({ list: "bullet", level: attrs.level ?? 1 })),
			start(/^1[.)]\s$/, (_, attrs) => ({ list: "number", level: attrs.level ?? 1 })),
			between(/(^|[\s(])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/, "strong"),
			between(/(^|[\s(])_([^\s_](?:[^_]*[^\s_])?)_$/, "em"),
			between(/(^|[\s(])`([^`]+)`$/, "code"),
			between(/(^|[\s(])~~([^\s~](?:[^~]*[^\s~])?)~~$/, "strike-through"),
			line(/^---$/, { _type: "break", style: "lineBreak" }),
			line(/^```$/, { _type: "code", code: "" }),
		],
	});
}

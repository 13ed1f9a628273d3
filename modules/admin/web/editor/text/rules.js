// rules.js - Markdown that is converted while it is typed: "## ", "- ", "1. ", "[ ] ", "> ", "---", "```", **strong**,
// __strong__, *emphasis*, _emphasis_, `code`, ~~struck out~~, [words](address), addresses, and "[^" for a footnote.
import { InputRule, inputRules, undoInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import { NodeSelection, TextSelection } from "prosemirror-state";
import { hasTasks, insertBlock, newAtom, newLink } from "./commands.js";
import { insertFootnote } from "./notes.js";
import { isSafeHref } from "./safe.js";
import { schema } from "./schema.js";

const { block } = schema.nodes;

/** A rule at the start of a paragraph. `change` returns null if the signs mean nothing here. */
function start(pattern, change) {
	return new InputRule(pattern, (state, match, from, to) => {
		const { $from } = state.selection;

		if ($from.parent.type !== block || !["normal", null].includes($from.parent.attrs.style)) return null;
		const attrs = change(match, $from.parent.attrs, state.doc);

		if (attrs === null) return null;
		return state.tr
			.delete(from, to)
			.setNodeMarkup($from.before(), null, { ...$from.parent.attrs, ...attrs });
	});
}

const BEFORE = "(^|[\\s([{<\"'«“‘—–-])";

/** A rule for text between two signs, which becomes text with a mark. Marks and objects inside it stay. */
function between(sign, name, inner) {
	const quoted = sign.replace(/[*]/g, "\\*"),
		pattern = new RegExp(`${BEFORE}${quoted}(${inner})${quoted}$`);

	return new InputRule(
		pattern,
		(state, match, from, to) => {
			const $from = state.doc.resolve(from),
				at = from + match[1].length,
				length = match[2].length,
				type = schema.marks[name];

			if (!$from.parent.isTextblock || state.doc.rangeHasMark(at, to, schema.marks.code)) return null;
			// The last sign is being typed, so it is not in the text.
			return state.tr
				.delete(at + sign.length + length, to)
				.delete(at, at + sign.length)
				.addMark(at, at + length, type.create())
				.removeStoredMark(type);
		},
		{ inCodeMark: false },
	);
}

/** Text between signs: no sign within, no space beside them. */
const plain = (sign) => `[^\\s${sign}](?:[^${sign}]*[^\\s${sign}])?`;

/** A rule that converts a paragraph of signs only into a block. `after` is called when the block is there. */
function line(pattern, json, after = null) {
	return new InputRule(pattern, (state, match, from, to) => {
		const { $from } = state.selection;
		let done = /** @type {import("prosemirror-state").Transaction | null} */ (null);

		if ($from.parent.type !== block || $from.depth !== 1 || $from.parent.content.size !== to - from)
			return null;
		const at = $from.before(),
			cleared = state.apply(state.tr.delete(from, to));
		insertBlock(newAtom(json))(cleared, (tr) => {
			done = tr;
		});
		if (done === null) return null;
		const tr = state.tr.delete(from, to);
		for (const step of done.steps) tr.step(step);
		if (after !== null) {
			tr.setSelection(NodeSelection.create(tr.doc, at));
			after(at);
			return tr;
		}
		// Go on behind the block: a key would replace a selected one.
		return tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
	});
}

/** [words](address) */
const link = new InputRule(/\[([^\]\n\ufffc]+)\]\(([^()\s]+)\)$/, (state, match, from, to) => {
	const [, words, given] = match,
		href = /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(given) ? `https://${given}` : given;

	if (!isSafeHref(href) || !state.doc.resolve(from).parent.isTextblock) return null;
	return state.tr
		.delete(from + 1 + words.length, to)
		.delete(from, from + 1)
		.addMark(from, from + words.length, newLink(href))
		.removeStoredMark(schema.marks.link);
});

/** "[^" begins a footnote. */
const note = new InputRule(
	/\[\^$/,
	(state, match, from, to) => {
		let done = /** @type {import("prosemirror-state").Transaction | null} */ (null);

		const tr = state.tr.delete(from, to),
			cleared = state.apply(tr);
		insertFootnote(cleared, (after) => {
			done = after;
		});
		if (done === null) return null;
		for (const step of done.steps) tr.step(step);
		return tr.setSelection(TextSelection.create(tr.doc, done.selection.from)).scrollIntoView();
	},
	{ inCodeMark: false },
);

/** An address and a space. */
const address = new InputRule(
	/(^|[\s(])(https?:\/\/[^\s\ufffc<>"]*[^\s\ufffc<>"'.,;:!?)\]])([.,;:!?)\]]*\s)$/,
	(state, match, from, to) => {
		const at = from + match[1].length,
			end = at + match[2].length;

		if (!isSafeHref(match[2]) || state.doc.rangeHasMark(at, end, schema.marks.link)) return null;
		return state.tr.insertText(match[3].at(-1), to).addMark(at, end, newLink(match[2]));
	},
	{ inCodeMark: false },
);

/** @param {import("./view.js").TextView} text */
export function rules(text) {
	const open = (pos) => setTimeout(() => text.open(pos));

	return [
		inputRules({
			rules: [
				start(/^(#{1,6})\s$/, (match) => ({
					style: `h${match[1].length}`,
					list: null,
					level: null,
				})),
				start(/^>\s$/, () => ({ style: "blockquote", list: null, level: null })),
				start(/^[-*+]\s$/, (_, attrs) => ({ list: "bullet", level: attrs.level ?? 1 })),
				start(/^1[.)]\s$/, (_, attrs) => ({ list: "number", level: attrs.level ?? 1 })),
				start(/^\[([ xX]?)\]\s$/, (match, attrs, doc) =>
					hasTasks(doc)
						? {
								list: "bullet",
								level: attrs.level ?? 1,
								rest: { ...attrs.rest, checked: /x/i.test(match[1]) },
							}
						: null,
				),
				between("**", "strong", plain("*")),
				between("__", "strong", plain("_")),
				between("*", "em", plain("*")),
				between("_", "em", plain("_")),
				between("`", "code", "[^`]+"),
				between("~~", "strike-through", plain("~")),
				link,
				address,
				note,
				line(/^(?:---|—-|\*\*\*)$/, { _type: "break", style: "lineBreak" }),
				line(/^```$/, { _type: "code", code: "" }, open),
			],
		}),
		keymap({ Backspace: undoInputRule }),
	];
}

// view.js - the editor of one Portable Text field: an EditorView with its keys, rules, clipboard and blocks.
import { history, redoDepth, undoDepth } from "prosemirror-history";
import { EditorState, NodeSelection, Selection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { whenIdle } from "../later.js";
import { isEqual } from "../save/json.js";
import { AtomView } from "./atoms.js";
import { Bridge, keyOf, newKey } from "./blocks.js";
import { cellAt, hasMark, linkAt, topBlock } from "./commands.js";
import { clipboardProps, Copied, fetchReader } from "./copy.js";
import { isF } from "./dom.js";
import { InPlaceView, isInPlace } from "./inplace.js";
import { keymaps } from "./keymap.js";
import { uniqueKeys } from "./keys.js";
import { forms } from "./kinds.js";
import { decorators, schema } from "./schema.js";

const copied = new Copied(globalThis.localStorage ?? null);

/**
 * The state of the text that the toolbar shows.
 * @typedef {{style: string, list: string | null, marks: string[], isLink: boolean, isTable: boolean, canUndo: boolean, canRedo: boolean}} TextState
 */

/** @param {EditorState} state @returns {TextState} */
function describe(state) {
	const { parent } = state.selection.$from,
		node = parent.type === schema.nodes.block ? parent : topBlock(state).node;
	const isText = node?.type === schema.nodes.block;

	return {
		style: isText ? (node.attrs.style ?? "normal") : "",
		list: isText ? node.attrs.list : null,
		marks: decorators.filter((name) => hasMark(state, name)),
		isLink: linkAt(state) !== null,
		isTable: cellAt(state) !== null,
		canUndo: undoDepth(state) > 0,
		canRedo: redoDepth(state) > 0,
	};
}

const isEmpty = ({ childCount, firstChild }) =>
	childCount === 1 &&
	firstChild.type === schema.nodes.block &&
	firstChild.content.size === 0 &&
	firstChild.attrs.list === null &&
	["normal", null].includes(firstChild.attrs.style);

export class TextView {
	/**
	 * @param {HTMLElement} place
	 * @param {object} options
	 * @param {unknown} options.value
	 * @param {boolean} [options.isToRead] read-only
	 * @param {Record<string, string>} options.attributes of the editable element
	 * @param {string} [options.placeholder] shown in an empty text
	 * @param {() => void} options.onChange the text has changed; value() returns it
	 * @param {(state: TextState) => void} options.onState
	 * @param {(pos: number, json: any) => void} options.onOpen opens the form of a block
	 * @param {(pos: number) => void} options.onChoose chooses another picture for a block
	 * @param {(pos: number) => void} options.onBring brings the picture of a block into the library
	 * @param {(type: string) => void} options.onInsert inserts a block of a type
	 * @param {() => void} options.onLink opens the form of a link
	 * @param {() => void} options.onFind opens the bar that finds words
	 * @param {(files: File[], pos: number | null) => void} options.onFiles pictures were pasted or dropped
	 */
	constructor(place, options) {
		this.options = options;
		/** @type {((node: any, view: any, getPos: any) => any) | null} views of blocks that come later (more.js) */
		this.ownView = null;
		this.bridge = new Bridge(options.value);
		this.view = new EditorView(
			{ mount: place },
			{
				state: EditorState.create({ doc: this.bridge.doc, plugins: this.plugins() }),
				editable: () => !options.isToRead,
				attributes: (state) => ({
					role: "textbox",
					"aria-multiline": "true",
					...(options.isToRead ? { "aria-readonly": "true", tabindex: "0" } : {}),
					...options.attributes,
					...(options.placeholder && isEmpty(state.doc)
						? {
								"data-placeholder": options.placeholder,
								"aria-placeholder": options.placeholder,
							}
						: {}),
				}),
				nodeViews: {
					atom: (node, view, getPos) =>
						this.ownView?.(node, view, getPos) ??
						(isInPlace(node.attrs.json)
							? new InPlaceView(node, view, getPos, this)
							: new AtomView(node, view, getPos, (pos) => this.open(pos))),
				},
				dispatchTransaction: (tr) => this.dispatch(tr),
				handleKeyDown: (view, event) => this.key(event),
				handleDrop: (view, event) =>
					this.files(
						event.dataTransfer,
						view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ??
							null,
					),
				handleClick: (view, pos, event) =>
					event.target instanceof Element &&
					event.target.closest("a") !== null &&
					(event.preventDefault(), false),
				handleDoubleClickOn: (view, pos, node, at) => this.open(at),
				...this.clipboard(),
			},
		);
		options.onState(describe(this.view.state));
		// Without it, typing works all the same.
		this.fetchMore().catch(() => {});
	}

	plugins() {
		return [
			...keymaps({
				"Mod-k": () => (this.options.onLink(), true),
			}),
			history(),
			uniqueKeys(this.bridge),
		];
	}

	/** Adds what is not needed before the first key. */
	async fetchMore() {
		await whenIdle();
		const [{ morePlugins }] = await Promise.all([import("./more.js"), fetchReader()]);
		// A composition would be interrupted.
		while (this.view.composing) await new Promise((resolve) => setTimeout(resolve, 100));
		if (this.view.isDestroyed) return;
		const { state } = this.view;

		this.view.updateState(state.reconfigure({ plugins: [...morePlugins(this), ...state.plugins] }));
	}

	clipboard() {
		const props = clipboardProps(copied);

		return {
			...props,
			handlePaste: (view, event) =>
				this.files(event.clipboardData, null) || props.handlePaste(view, event),
		};
	}

	dispatch(tr) {
		const { state, transactions } = this.view.state.applyTransaction(tr);

		this.view.updateState(state);
		if (transactions.some((one) => one.docChanged) && !tr.getMeta("theirs")) this.options.onChange();
		this.options.onState(describe(state));
	}

	/** Ctrl F finds words (not Ctrl Shift F, which a keymap takes for it). Enter on a selected block opens its form. */
	key(event) {
		const { selection } = this.view.state;

		if (isF(event) && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
			this.options.onFind();
			return true;
		}

		return (
			event.key === "Enter" &&
			!event.ctrlKey &&
			!event.metaKey &&
			selection instanceof NodeSelection &&
			this.open(selection.from)
		);
	}

	open(pos) {
		const node = this.view.state.doc.nodeAt(pos);

		if (node?.type === schema.nodes.atom) {
			const dom = /** @type {HTMLElement} */ (this.view.nodeDOM(pos)),
				main = /** @type {HTMLElement | null} */ (dom.querySelector("[data-main], iframe"));

			main?.focus();
			if (main) return true;
		}
		if (
			this.options.isToRead ||
			node?.type !== schema.nodes.atom ||
			!Object.hasOwn(forms, node.attrs.json?._type)
		)
			return false;
		this.options.onOpen(pos, node.attrs.json);
		return true;
	}

	/**
	 * Handles pasted or dropped pictures. If there is HTML too (from a word processor), the HTML is pasted instead.
	 */
	files(data, pos) {
		const files = [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));

		if (files.length === 0 || data.types.includes("text/html")) return false;
		this.options.onFiles(files, pos);
		return true;
	}

	/** @param {import("prosemirror-state").Command} command */
	run(command) {
		const done = command(this.view.state, (tr) => this.view.dispatch(tr), this.view);

		this.view.focus();
		return done;
	}

	get state() {
		return this.view.state;
	}

	value() {
		return this.bridge.value(this.view.state.doc);
	}

	/** Replaces the JSON of the block at this position. */
	setBlock(pos, json) {
		this.view.dispatch(this.view.state.tr.setNodeAttribute(pos, "json", json));
	}

	/**
	 * Shows a value that was changed elsewhere. Unchanged blocks keep their nodes, and the cursor stays where it
	 * is.
	 */
	replace(value) {
		const { tr } = this.view.state,
			old = this.view.state.doc.content.content.slice();
		const known = new Map(old.map((node) => [this.bridge.block(node), node]));
		const next = (Array.isArray(value) ? value : []).map(
			(block) =>
				known.get(block) ??
				old.find(
					(node) =>
						keyOf(node) === block?._key && isEqual(this.bridge.block(node), block),
				) ??
				this.bridge.node(block),
		);
		const kept = new Set(next.map(keyOf));
		let pos = 0;

		if (next.length === 0) next.push(schema.nodes.block.create({ key: newKey() }));
		for (const node of next) {
			while (old.length > 0 && old[0] !== node && !kept.has(keyOf(old[0])))
				tr.delete(pos, pos + old.shift().nodeSize);
			const at = old.findIndex(
				(one) => one === node || (keyOf(one) !== null && keyOf(one) === keyOf(node)),
			);
			const before = old.slice(0, Math.max(at, 0)).reduce((sum, one) => sum + one.nodeSize, pos);

			if (at === 0 && old[0] !== node) tr.replaceWith(pos, pos + old[0].nodeSize, node);
			else if (at !== 0) {
				if (at > 0) tr.delete(before, before + old[at].nodeSize);
				tr.insert(pos, node);
			}
			if (at >= 0) old.splice(at, 1);
			pos += node.nodeSize;
		}
		if (pos < tr.doc.content.size) tr.delete(pos, tr.doc.content.size);
		if (tr.docChanged) this.view.dispatch(tr.setMeta("theirs", true).setMeta("addToHistory", false));
	}

	focus() {
		this.view.focus();
	}

	/** Puts the cursor into the block with this key, and shows it. Returns false if there is none. */
	reveal(key) {
		let found = null;

		this.view.state.doc.forEach((node, pos) => {
			if (found === null && keyOf(node) === key) found = pos;
		});
		if (found === null) return false;
		const { tr, doc } = this.view.state;
		this.view.dispatch(tr.setSelection(Selection.near(doc.resolve(found + 1))).scrollIntoView());
		this.view.focus();
		return true;
	}

	/** Makes the text read-only or editable. @param {boolean} isToRead */
	read(isToRead) {
		this.options.isToRead = isToRead;
		this.view.setProps({});
	}

	destroy() {
		this.view.destroy();
	}
}

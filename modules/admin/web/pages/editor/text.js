// text.js - a Portable Text field of the page: toolbar, the text, the forms of its links and blocks.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { tellProblem } from "../../ui/notice.js";
import { say } from "../../ui/live.js";
import { later } from "../../editor/later.js";
import { make } from "../../editor/text/dom.js";
import { insertBlock, linkAt, newAtom, newTable, setLink } from "../../editor/text/commands.js";
import { fresh, forms } from "../../editor/text/kinds.js";
import { Toolbar } from "../../editor/text/toolbar.js";
import { TextView } from "../../editor/text/view.js";
import { t } from "../../editor/words.js";

const dialogs = () => import("../../editor/text/forms.js");
const BlockForm = later(dialogs, "BlockForm"),
	LinkForm = later(dialogs, "LinkForm"),
	MediaChoice = later(dialogs, "MediaChoice"),
	FindBar = later(() => import("../../editor/text/find.js"), "FindBar");
const COUNT_AFTER = 700; // ms after the last key press until the words are counted again
const WORDS_A_MINUTE = 220;

/** The words of a text between two positions. */
function countWords(doc, from = 0, to = doc.content.size) {
	const text = from === to ? "" : doc.textBetween(from, to, " ", " ");

	return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** "340 words · 2 min to read · ? for keys". Nothing is said of an empty text. */
function Count({ words, selected, onKeys }) {
	return html`<p class="count">${
		words > 0 &&
		html`${selected > 0 ? t("wordsSelected", { n: words, selected }) : t("words", { n: words })} · ${t(
			"minutes",
			{
				n: Math.max(1, Math.round(words / WORDS_A_MINUTE)),
			},
		)} · `
	}<kbd>?</kbd> <button type="button" class="link" onClick=${onKeys}>${t("forKeys")}</button></p>`;
}

/** Inserts a new block, or replaces a changed one. */
function store(view, dialog, json) {
	if (dialog.pos === null) view.run(insertBlock(newAtom(json)));
	else view.setBlock(dialog.pos, json);
}

/**
 * @param {{item: Pick<import("./item.js").Item, "cell" | "touch" | "open" | "locale">, name: string, label: string,
 * isMain?: boolean, isToRead?: boolean, onKeys?: () => void}} props isToRead: nobody types in it
 */
export function TextField({ item, name, label, isMain = false, isToRead = false, onKeys }) {
	const place = useRef(/** @type {HTMLElement | null} */ (null)),
		text = useSignal(/** @type {TextView | null} */ (null)),
		state = useSignal(/** @type {any} */ (null));
	const dialog = useSignal(/** @type {any} */ (null)),
		words = useSignal({ words: 0, selected: 0 }),
		find = useSignal(0), // how often it was asked for since the bar is open
		early = useRef(/** @type {HTMLInputElement | null} */ (null));
	const id = `text-${name}`;

	useEffect(() => {
		let timer;
		const count = () => {
			clearTimeout(timer);
			timer = setTimeout(() => {
				const { doc, selection } = view.state,
					now = {
						words: countWords(doc),
						selected: countWords(doc, selection.from, selection.to),
					};

				if (JSON.stringify(now) !== JSON.stringify(words.peek())) words.value = now;
			}, COUNT_AFTER);
		};
		const view = new TextView(place.current, {
			value: item.cell(name).peek(),
			isToRead,
			attributes: {
				class: "body read",
				id,
				"aria-label": label,
				spellcheck: "true",
				lang: item.locale ?? "",
				dir: "auto",
			},
			placeholder: isMain ? t("bodyPlaceholder") : "",
			onChange: () => item.touch(name),
			onState: (now) => {
				if (isMain) count();
				if (JSON.stringify(now) !== JSON.stringify(state.peek())) state.value = now;
			},
			onOpen: (pos, json) => {
				dialog.value = { type: "block", pos, json };
			},
			onChoose: (pos) => {
				dialog.value = { type: "choose", pos };
			},
			onBring: (pos) => void bring(pos),
			onInsert: (type) => insert(type),
			onLink: () => openLink(),
			onFind: openFind,
			onFiles: (files, pos) => void addFiles(files, pos),
		});

		text.value = view;
		words.value = { words: countWords(view.state.doc), selected: 0 };
		item.open(name, view);
		return () => {
			clearTimeout(timer);
			item.open(name, null);
			view.destroy();
		};
	}, []);
	useEffect(() => text.peek()?.read(isToRead), [isToRead]);

	const openLink = () => {
		const { selection } = text.peek().state,
			there = linkAt(text.peek().state);

		dialog.value = {
			type: "link",
			href: there?.mark.attrs.def.href ?? "",
			text: selection.empty && there === null ? "" : null,
		};
	};
	/** What is typed before the bar is there must not go into the text. */
	const openFind = () => {
		if (find.value++ > 0) return;
		early.current ??= /** @type {HTMLInputElement} */ (
			make("input", { class: "sr", "aria-label": t("find") })
		);
		place.current.after(early.current);
		early.current.focus();
	};
	/** The bar cannot be loaded: what is typed goes into the text again. */
	const failFind = () => {
		const isIn = document.activeElement === early.current;

		early.current.remove();
		if (isIn) text.peek().focus();
	};
	const insert = (type) => {
		if (type === "image") dialog.value = { type: "choose", pos: null };
		else if (type === "table") text.peek().run(insertBlock(newTable(3, 3)));
		else if (Object.hasOwn(forms, type)) dialog.value = { type: "block", pos: null, json: fresh[type] };
		else {
			text.peek().run(
				insertBlock(newAtom(Object.hasOwn(fresh, type) ? fresh[type] : { _type: type })),
			);
			if (type === "code") text.peek().open(text.peek().state.selection.from);
		}
	};
	const addFiles = async (files, pos) => {
		const { assetOf, upload } = await dialogs();

		say(t("uploading", { n: files.length }));
		for (const file of files) {
			try {
				const found = await upload(file),
					view = text.peek();

				if (pos !== null)
					view.view.dispatch(
						view.state.tr.insert(
							Math.min(pos, view.state.doc.content.size),
							newAtom({ _type: "image", asset: assetOf(found) }),
						),
					);
				else
					view.run(
						insertBlock(
							newAtom({
								_type: "image",
								asset: assetOf(found),
								...(found.alt ? { alt: found.alt } : {}),
							}),
						),
					);
			} catch (error) {
				tellProblem(error);
			}
		}
	};
	/** Puts the chosen picture into the block of the dialog, or into a new one, where its words can be typed. */
	const chosen = async (found) => {
		const { assetOf } = await dialogs(),
			view = text.peek(),
			{ pos } = dialog.value;
		const old = pos === null ? { _type: "image" } : view.state.doc.nodeAt(pos).attrs.json,
			json = { ...old, asset: assetOf(found), ...(!old.alt && found.alt ? { alt: found.alt } : {}) };

		dialog.value = null;
		if (pos === null) view.run(insertBlock(newAtom(json)));
		else view.setBlock(pos, json);
		const at = pos ?? view.state.selection.from;
		// After the dialog has given the focus back.
		setTimeout(() => view.open(at), 100);
	};
	/** Has the server fetch the picture of a block. The text may change meanwhile. */
	const bring = async (pos) => {
		const view = text.peek(),
			{ json } = view.state.doc.nodeAt(pos).attrs;

		try {
			const { assetOf, fetchPicture } = await dialogs(),
				found = await fetchPicture(json);

			view.state.doc.forEach((node, at) => {
				if (node.attrs.json?._key === json._key)
					view.setBlock(at, { ...node.attrs.json, asset: assetOf(found) });
			});
			say(t("broughtIn"));
		} catch (error) {
			tellProblem(error);
		}
	};
	const close = () => {
		dialog.value = null;
		requestAnimationFrame(() => text.peek()?.focus());
	};
	const now = dialog.value;

	return html`<div class="text">${
		!isToRead &&
		html`<${Toolbar} label=${label} controls=${id} text=${text} state=${state} onLink=${openLink}
			onFind=${openFind} onInsert=${insert} />`
	}
		${
			find.value > 0 &&
			html`<${FindBar} text=${text.value} asked=${find.value} early=${early.current}
				isToRead=${isToRead} onFail=${failFind}
				onClose=${() => {
					find.value = 0;
				}} />`
		}
		<div ref=${place}></div></div>
		${isMain && html`<${Count} ...${words.value} onKeys=${onKeys} />`}
		${
			now?.type === "link" &&
			html`<${LinkForm} href=${now.href} text=${now.text} onClose=${close}
				onSave=${(href, said) => {
					text.peek().run(setLink(href, said));
					close();
				}} />`
		}
		${now?.type === "choose" && html`<${MediaChoice} kind="image/" onChoose=${chosen} onClose=${close} />`}
		${
			now?.type === "block" &&
			html`<${BlockForm} json=${now.json} isNew=${now.pos === null} onClose=${close}
				onSave=${(json) => {
					store(text.peek(), now, json);
					close();
				}} />`
		}`;
}

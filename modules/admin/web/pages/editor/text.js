// text.js - a Portable Text field of the page: toolbar, the text, the forms of its links and blocks.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { isHelpOpen } from "../../shell/help.js";
import { tellProblem } from "../../ui/notice.js";
import { say } from "../../ui/live.js";
import { later } from "../../editor/later.js";
import { insertBlock, linkAt, newAtom, newTable, setLink } from "../../editor/text/commands.js";
import { fresh, forms } from "../../editor/text/kinds.js";
import { Toolbar } from "../../editor/text/toolbar.js";
import { TextView } from "../../editor/text/view.js";
import { t } from "../../editor/words.js";

const dialogs = () => import("../../editor/text/forms.js");
const BlockForm = later(dialogs, "BlockForm"),
	LinkForm = later(dialogs, "LinkForm"),
	MediaChoice = later(dialogs, "MediaChoice");
const COUNT_AFTER = 700; // ms after the last key press until the words are counted again
const WORDS_A_MINUTE = 220;

function countWords(doc) {
	let n = 0;

	doc.descendants((node) => {
		if (node.isTextblock) n += node.textContent.split(/\s+/).filter(Boolean).length;
		return !node.isTextblock;
	});
	return n;
}

/** Inserts a new block, or replaces a changed one. */
function store(view, dialog, json) {
	if (dialog.pos === null) view.run(insertBlock(newAtom(json)));
	else view.setBlock(dialog.pos, json);
}

/**
 * @param {{item: Pick<import("./item.js").Item, "cell" | "touch" | "open" | "locale">, name: string, label: string,
 * isMain?: boolean, isToRead?: boolean}} props isToRead: nobody types in it
 */
export function TextField({ item, name, label, isMain = false, isToRead = false }) {
	const place = useRef(/** @type {HTMLElement | null} */ (null)),
		text = useSignal(/** @type {TextView | null} */ (null)),
		state = useSignal(/** @type {any} */ (null));
	const dialog = useSignal(/** @type {any} */ (null)),
		words = useSignal(/** @type {number | null} */ (null));
	const id = `text-${name}`;

	useEffect(() => {
		let timer;
		const count = () => {
			clearTimeout(timer);
			timer = setTimeout(() => {
				words.value = countWords(view.state.doc);
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
			onChange: () => {
				item.touch(name);
				count();
			},
			onState: (now) => {
				if (JSON.stringify(now) !== JSON.stringify(state.peek())) state.value = now;
			},
			onOpen: (pos, json) => {
				dialog.value = { type: "block", pos, json };
			},
			onLink: () => openLink(),
			onFiles: (files, pos) => void addFiles(files, pos),
		});

		text.value = view;
		words.value = countWords(view.state.doc);
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
	const insert = (type) => {
		if (type === "image") dialog.value = { type: "choose" };
		else if (type === "table") text.peek().run(insertBlock(newTable(3, 3)));
		else if (Object.hasOwn(forms, type)) dialog.value = { type: "block", pos: null, json: fresh[type] };
		else text.peek().run(insertBlock(newAtom(fresh[type])));
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
	const chosen = async (found) => {
		const { assetOf } = await dialogs();

		dialog.value = {
			type: "block",
			pos: null,
			json: { ...fresh.image, asset: assetOf(found), ...(found.alt ? { alt: found.alt } : {}) },
		};
	};
	const close = () => {
		dialog.value = null;
		requestAnimationFrame(() => text.peek()?.focus());
	};
	const now = dialog.value;

	return html`${
		!isToRead &&
		html`<${Toolbar} label=${label} controls=${id} text=${text} state=${state} onLink=${openLink}
			onInsert=${insert} />`
	}
		<div ref=${place}></div>
		${
			isMain &&
			html`<p
			class="count">
			${words.value !== null && t("words", { n: words.value })} · ${t("minutes", {
				n: Math.max(1, Math.round((words.value ?? 0) / WORDS_A_MINUTE)),
			})} · <button type="button"
				class="link" onClick=${() => (isHelpOpen.value = true)}><kbd>?</kbd> ${t("forKeys")}</button></p>`
		}
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

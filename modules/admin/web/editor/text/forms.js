// forms.js - the small forms of links and of blocks that are not text.
import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { Button, Dialog, Field, TextField } from "../../ui/index.js";
import { MediaChoice } from "../choose.js";
import "../morewords.js";
import { t } from "../words.js";
import { newKey } from "./blocks.js";
import { forms } from "./kinds.js";
import { isSafeHref, pictureOf } from "./safe.js";

export { MediaChoice } from "../choose.js";
export { upload } from "../../lib/media.js";

/** Returns the Portable Text asset for a media item. */
export const assetOf = (item) => ({
	_type: "reference",
	_ref: item.id,
	url: item.url,
	...(item.width ? { width: item.width, height: item.height } : {}),
});

/** Has the server fetch the picture of a block into the library. Resolves with its item. */
export async function fetchPicture(json) {
	const url = pictureOf(json),
		filename = decodeURIComponent(new URL(url).pathname.split("/").at(-1)) || "picture";

	return (await api.post("/media/upload", { filename, url, ...(json.alt ? { alt: json.alt } : {}) })).item;
}

/**
 * @param {{href: string, text: string | null, onSave: (href: string | null, text?: string) => void, onClose: () =>
 * void}} props text: null if there is one to link
 */
export function LinkForm({ href, text, onSave, onClose }) {
	const to = useSignal(href),
		words = useSignal(text ?? ""),
		problem = useSignal(null);
	const save = () => {
		const given = to.value.trim();
		const whole = /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(given) ? `https://${given}` : given;

		if (!isSafeHref(whole)) {
			problem.value = t("linkWrong");
			return;
		}
		onSave(whole, words.value.trim() || whole);
	};

	return html`<${Dialog} title=${t("link")} onClose=${onClose} onSubmit=${save} actions=${html`
		${href !== "" && html`<${Button} kind="out" onClick=${() => onSave(null)}>${t("unlink")}<//>`}
		<${Button} kind="go" type="submit">${t("done")}<//>`}>
		<div class="fields">
			<${TextField} label=${t("address")} help=${t("linkHelp")} problem=${problem.value}
				value=${to.value} onInput=${(v) => {
					to.value = v;
				}} class="mono" autofocus
				inputmode="url" />
			${
				text !== null &&
				html`<${TextField} label=${t("linkText")} value=${words.value}
					onInput=${(v) => {
						words.value = v;
					}} />`
			}
		</div>
	<//>`;
}

function Pictures({ value, onChange }) {
	const list = Array.isArray(value) ? value : [],
		isChoosing = useSignal(false);
	const set = (at, more) => onChange(list.map((one, i) => (i === at ? { ...one, ...more } : one)));
	const move = (at, step) => onChange(list.toSpliced(at, 1).toSpliced(at + step, 0, list[at]));

	return html`<div class="stack-3">
		${list.map(
			(one, i) => html`<div class="media-field" key=${one._key ?? i}>
			${pictureOf(one) && html`<img src=${pictureOf(one)} width="64" height="48" alt="" />`}
			<div class="stack">
			<input class="in" aria-label=${t("altOf", { n: i + 1 })} value=${one.alt ?? ""}
				onInput=${(e) => set(i, { alt: e.currentTarget.value })} />
			<div class="bs">
			<button type="button" class="b small" disabled=${i === 0}
				onClick=${() => move(i, -1)}>${t("moveUp")}</button>
				<button type="button" class="b small out"
					onClick=${() => onChange(list.toSpliced(i, 1))}>${t("takeOut")}</button></div>
					</div>
		</div>`,
		)}
		<div><${Button} kind="small" onClick=${() => {
			isChoosing.value = true;
		}}>${t("addPicture")}<//></div>
		${
			isChoosing.value &&
			html`<${MediaChoice} kind="image/" onClose=${() => {
				isChoosing.value = false;
			}}
			onChoose=${(item) => {
				isChoosing.value = false;
				onChange([
					...list,
					{
						_type: "image",
						_key: newKey(),
						asset: assetOf(item),
						...(item.alt ? { alt: item.alt } : {}),
					},
				]);
			}} />`
		}
	</div>`;
}

function Control({ member, block, props, change }) {
	const value = block[member.name];
	const set = (v) => change({ [member.name]: v });

	switch (member.type) {
		case "pictures":
			return html`<${Pictures} value=${value} onChange=${set} />`;
		case "code":
			return html`<textarea class="in mono" rows="8" spellcheck=${false} ...${props}
				value=${value ?? ""}
			onInput=${(e) => set(e.currentTarget.value)} />`;
		case "number":
			return html`<input class="in short num" type="number" min="1" max="8" ...${props}
				value=${value ?? ""}
			onInput=${(e) =>
				set(e.currentTarget.value === "" ? undefined : Number(e.currentTarget.value))} />`;
		default:
			return html`<input class=${`in ${member.type === "url" ? "mono" : ""}`}
			type=${member.type === "url" ? "url" : "text"} ...${props} value=${value ?? ""}
			onInput=${(e) => set(e.currentTarget.value)} />`;
	}
}

const isMissing = (value) =>
	value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** @param {{json: any, isNew: boolean, onSave: (json: any) => void, onClose: () => void}} props */
export function BlockForm({ json, isNew, onSave, onClose }) {
	const block = useSignal(json),
		problem = useSignal(null);
	const save = () => {
		const missing = forms[json._type].find((m) => m.isRequired && isMissing(block.value[m.name]));
		const address = block.value.url;

		if (missing !== undefined) problem.value = { name: missing.name, text: t("isRequired") };
		else if (json._type === "embed" && !/^https?:\/\//i.test(address))
			problem.value = { name: "url", text: t("embedWrong") };
		else onSave(Object.fromEntries(Object.entries(block.value).filter(([, v]) => v !== undefined)));
	};
	const change = (more) => {
		block.value = { ...block.value, ...more };
	};

	return html`<${Dialog} title=${t(json._type)} onClose=${onClose} onSubmit=${save} actions=${html`
		<${Button} kind="go" type="submit">${isNew ? t("putIn") : t("done")}<//>`}>
		<div class="fields">
		${forms[json._type].map(
			(member) => html`<${Field} key=${member.name}
			label=${t(`${json._type}-${member.name}`)}
			isGroup=${member.type.startsWith("picture")}
			problem=${problem.value?.name === member.name ? problem.value.text : null}>
			${(props) => html`<${Control} member=${member} block=${block.value} props=${props}
				change=${change} />`}<//>`,
		)}</div>
	<//>`;
}

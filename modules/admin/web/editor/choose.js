// choose.js - choosing a file of the library, or uploading one. The server searches.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { api, segment } from "../lib/api.js";
import { html } from "../lib/html.js";
import { tileOf, upload } from "../lib/media.js";
import { usePages, useQuiet } from "../lib/pages.js";
import { Button, Dialog, Problem, Waiting, say } from "../ui/index.js";
import "./morewords.js";
import { t } from "./words.js";

const PAGE = 24;

/**
 * @param {{kind?: string, fieldId?: string, onChoose: (item: any) => void, onClose: () => void}} props kind: a type or
 *   family of types ("image/"), or nothing
 */
export function MediaChoice({ kind, fieldId, onChoose, onClose }) {
	const search = useSignal(""), problem = useSignal(null), isUploading = useSignal(false);
	const pages = usePages((cursor, signal) => api.get("/media", { query: { limit: PAGE, mimeType: kind, q: search.peek(), cursor }, signal }), [search.value]);
	const type = useQuiet((text) => { search.value = text; });
	const take = async (file) => {
		isUploading.value = true;
		problem.value = null;
		try {
			onChoose(await upload(file, { fieldId }));
		} catch (error) {
			problem.value = error;
		} finally {
			isUploading.value = false;
		}
	};

	useEffect(() => { say(pages.items.value === null ? "" : t("found", { n: pages.items.value.length })); }, [pages.items.value]);
	return html`<${Dialog} title=${kind === "image/" ? t("choosePicture") : t("chooseFile")} onClose=${onClose} class="choice" actions=${html`<${Button} onClick=${onClose}>${t("cancel")}<//>`}>
		<div class="row">
			<input class="in" type="search" aria-label=${t("searchFiles")} placeholder=${t("searchFiles")} autofocus onInput=${(e) => type(e.currentTarget.value)} />
			<label class="b upload">${isUploading.value ? html`<span class="wait"></span>` : t("upload")}<input class="sr" type="file" accept=${kind === "image/" ? "image/*" : undefined}
				onChange=${(e) => e.currentTarget.files[0] && take(e.currentTarget.files[0])} /></label>
		</div>
		${problem.value && html`<${Problem} error=${problem.value} />`}
		${pages.error.value && html`<${Problem} error=${pages.error.value} onRetry=${() => pages.more(true)} />`}
		${pages.items.value === null && !pages.error.value && html`<${Waiting} />`}
		${pages.items.value?.length === 0 && html`<p class="help">${t("nothingFound")}</p>`}
		<ul class="choice-grid" role="list">${pages.items.value?.map((item) => html`<li key=${item.id}>
			<button type="button" class="choice-one" onClick=${() => onChoose(item)}>
				${item.mimeType?.startsWith("image/") ? html`<img src=${tileOf(item)} alt="" loading="lazy" />` : html`<span class="doc" aria-hidden="true">${(item.filename ?? "").split(".").at(-1)?.slice(0, 4)}</span>`}
				<span class="cap"><bdi class="name">${item.filename}</bdi></span>
			</button></li>`)}</ul>
		${pages.cursor.value && html`<div><${Button} kind="small" onClick=${() => pages.more()}>${t("more")}<//></div>`}
	<//>`;
}

/** What the title of an item of a collection is called; it is asked for once. @type {Map<string, Promise<string>>} */
const titleFields = new Map();

/** @param {string} collection */
export function titleField(collection) {
	if (!titleFields.has(collection))
		titleFields.set(collection, api.get(`/schema/collections/${segment(collection)}`, { query: { includeFields: "true" } }).then(({ item }) => {
			const lines = item.fields.filter((f) => f.type === "string" || f.type === "text").map((f) => f.slug);

			return [item.titleField, "title", "name", ...lines].find((slug) => lines.includes(slug)) ?? "slug";
		}));
	return titleFields.get(collection);
}

/** The title of an item of which few members were asked for. */
export const titleOf = (item) => Object.values(item.data ?? {}).find((v) => typeof v === "string" && v !== "") ?? item.slug ?? item.id;

/** Finds items of a collection: by the beginnings of words of the title where it is searched, else by the beginning of the title. */
export async function findItems(collection, words, signal) {
	const field = await titleField(collection), path = `/content/${segment(collection)}`;
	const list = async (query) => (await api.get(path, { query: { limit: 10, fields: `slug,${field}`, ...query }, signal, quiet: true })).items.map((item) => ({ id: item.id, title: titleOf(item) }));

	if (words === "")
		return list({});
	const [found, drafts] = await Promise.all([
		api.get("/search/suggest", { query: { q: words, limit: 10, collections: collection }, signal, quiet: true }).then((answer) => answer.items, () => []),
		list({ fieldFilters: JSON.stringify({ [field]: { gte: words, lt: `${words}\uffff` } }) }).catch(() => []),
	]);
	const all = [...found.map((item) => ({ id: item.id, title: item.title || item.slug || item.id })), ...drafts];
	return [...new Map(all.map((one) => [one.id, one])).values()].slice(0, 10);
}

// choose.js - a dialog that chooses a file of the media library, or uploads one. The server searches the library.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { api } from "../lib/api.js";
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
	const search = useSignal(""),
		problem = useSignal(null),
		isUploading = useSignal(false);
	const pages = usePages(
		(cursor, signal) =>
			api.get("/media", { query: { limit: PAGE, mimeType: kind, q: search.peek(), cursor }, signal }),
		[search.value],
	);
	const type = useQuiet((text) => {
		search.value = text;
	});
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

	useEffect(() => {
		say(pages.items.value === null ? "" : t("found", { n: pages.items.value.length }));
	}, [pages.items.value]);
	return html`<${Dialog} title=${kind === "image/" ? t("choosePicture") : t("chooseFile")} onClose=${onClose}
		class="choice" actions=${html`<${Button} onClick=${onClose}>${t("cancel")}<//>`}>
		<div class="row">
			<input class="in" type="search" aria-label=${t("searchFiles")} placeholder=${t("searchFiles")}
				autofocus onInput=${(e) => type(e.currentTarget.value)} />
			<label class="b upload">${isUploading.value ? html`<span class="wait"></span>` : t("upload")}
			<input class="sr" type="file" accept=${kind === "image/" ? "image/*" : undefined}
				onChange=${(e) => e.currentTarget.files[0] && take(e.currentTarget.files[0])} /></label>
		</div>
		${problem.value && html`<${Problem} error=${problem.value} />`}
		${
			pages.error.value &&
			html`<${Problem} error=${pages.error.value} onRetry=${() => pages.more(true)} />`
		}
		${pages.items.value === null && !pages.error.value && html`<${Waiting} />`}
		${pages.items.value?.length === 0 && html`<p class="help">${t("nothingFound")}</p>`}
		<ul class="choice-grid" role="list">${pages.items.value?.map(
			(item) => html`<li key=${item.id}>
			<button type="button" class="choice-one" onClick=${() => onChoose(item)}>
				${
					item.mimeType?.startsWith("image/")
						? html`<img src=${tileOf(item)} alt="" loading="lazy" />`
						: html`<span class="doc"
							aria-hidden="true">
							${(item.filename ?? "").split(".").at(-1)?.slice(0, 4)}</span>`
				}
				<span class="cap"><bdi class="name">${item.filename}</bdi></span>
			</button></li>`,
		)}</ul>
		${
			pages.cursor.value &&
			html`<div><${Button} kind="small" onClick=${() => pages.more()}>${t("more")}<//></div>`
		}
	<//>`;
}

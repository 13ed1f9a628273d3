// panel.js - one file: its texts, focal point, folder and uses. Changes are saved at once.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { endingOf, sizeOf } from "../../lib/media.js";
import { href } from "../../lib/router.js";
import { manifest, may } from "../../lib/site.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Loaded, Problem, Time, tell } from "../../ui/index.js";
import { isKnown, nameOfUse, removeOne, usesOf } from "./remove.js";

const t = wordsOf("media");
const share = (x) => Math.min(1, Math.max(0, x));

function Focal({ item, mayEdit, onSet }) {
	const x = useSignal(item.focalX ?? 0.5),
		y = useSignal(item.focalY ?? 0.5),
		at = useRef(/** @type {any} */ (null));
	const where = (event) => {
		const box = at.current.querySelector("img").getBoundingClientRect();

		x.value = share((event.clientX - box.left) / box.width);
		y.value = share((event.clientY - box.top) / box.height);
		void onSet({ focalX: Number(x.value.toFixed(3)), focalY: Number(y.value.toFixed(3)) });
	};
	const slide = (axis, label) => html`<label>
		${label} <input type="range" min="0" max="100" value=${Math.round(axis.value * 100)}
		onInput=${(e) => (axis.value = Number(e.currentTarget.value) / 100)}
		onChange=${() => onSet({ focalX: x.value, focalY: y.value })} /></label>`;
	const position = `${x.value * 100}% ${y.value * 100}%`;

	// In right-to-left pages too, the picture and the click position are not mirrored.
	return html`<div class="focal" dir="ltr" ref=${at}
		style=${{ "--x": `${x.value * 100}%`, "--y": `${y.value * 100}%` }}
		onClick=${mayEdit ? where : undefined}>
			<img src=${item.url} width=${item.width ?? undefined} height=${item.height ?? undefined}
				alt=${item.alt || t("preview")} />
				${mayEdit && html`<span class="cross" aria-hidden="true"></span>`}</div>
		${
			mayEdit &&
			html`<div class="crops"
			aria-hidden="true">
			${["wide", "sq", "tall"].map(
				(one) => html`<span class=${`crop ${one}`}
					key=${one}><img src=${item.url} alt="" style=${{ objectPosition: position }} />
					</span>`,
			)}</div>
		<fieldset class="xy"><legend>${t("focal")} <small>${t("focalHelp")}</small></legend>
		${slide(x, t("across"))}${slide(y, t("down"))}</fieldset>`
		}`;
}

const Shown = ({ item }) =>
	item.mimeType.startsWith("video/")
		? html`<video src=${item.url} controls preload="metadata"></video>`
		: item.mimeType.startsWith("audio/")
			? html`<audio src=${item.url} controls preload="metadata"></audio>`
			: html`<div class="item"><span class="doc" aria-hidden="true">${endingOf(item)}</span></div>`;

/** A button that scans all content once; from then on the server tracks uses. */
function Index({ onDone }) {
	const said = useSignal(""),
		problem = useSignal(/** @type {any} */ (null));
	const run = async () => {
		problem.value = null;
		try {
			await api.post("/admin/media-usage/activation", { writersDrained: true });
			for (;;) {
				const step = await api.post("/admin/media-usage/progress");
				if (step.progress)
					said.value = t("indexed", {
						n: step.progress.readyCollections,
						all: step.progress.totalCollections,
					});
				if (step.nextRequestInMs === null) break;
				await new Promise((resolve) => setTimeout(resolve, step.nextRequestInMs));
			}
			await onDone();
		} catch (error) {
			problem.value = error;
		}
	};
	return html`<p class="help">${t("unknownText")}</p><${Problem} error=${problem.value} />
		${
			may("schema:manage") &&
			html`<div
				class="row"><${Button} kind="small" onClick=${run} data-index>${t("index")}<//>
				<span class="help" role="status">${said}</span></div>`
		}`;
}

function Uses({ uses }) {
	const all = uses.data.value,
		isUnseen = uses.state.value === "done" && all === null;

	return html`<details
		open><summary>
		${t("usedIn")} <span class="value"
		data-uses>${
			isKnown(all)
				? t("places", { n: all.items.length }) + (all.nextCursor ? " +" : "")
				: all && all.items.length > 0
					? t("places", { n: all.items.length })
					: t("unknown")
		}</span></summary>
		<div class="in-panel">${
			!isUnseen &&
			html`<${Loaded} from=${uses}>${(data) => html`
			${
				data &&
				data.items.length > 0 &&
				html`<ul role="list"
					class="order use">${data.items.map(
						(one) => html`<li key=${one.contentId}>
				<a href=${href(`/collections/${segment(one.collection)}/${segment(one.contentId)}`)}>
				<bdi>${nameOfUse(one)}</bdi></a>
				${one.deletedAt && html`<span class="meta">${t("inTrash")}</span>`}</li>`,
					)}</ul>`
			}
			${data && !isKnown(data) && html`<${Index} onDone=${uses.reload} />`}`}<//>`
		}</div></details>`;
}

/**
 * @param {{item: any, folders: any[], onChange: (item: any) => void, onClose: () => void, onGone: () => void}} props
 */
export function Panel({ item, folders, onChange, onClose, onGone }) {
	const heading = useRef(/** @type {any} */ (null)),
		problem = useSignal(/** @type {any} */ (null)),
		isSaved = useSignal(false);
	const uses = useLoad((signal) => usesOf(item.id, signal), [item.id]);
	const mayEdit = may("media:edit_any") || (may("media:edit_own") && item.authorId === manifest.value.user.id);
	const mayDelete =
		may("media:delete_any") || (may("media:delete_own") && item.authorId === manifest.value.user.id);

	useEffect(() => {
		heading.current.focus({ preventScroll: true });
		heading.current.scrollIntoView({ block: "nearest" });
	}, []);
	const save = async (changes) => {
		isSaved.value = false;
		try {
			onChange((await api.put(`/media/${segment(item.id)}`, changes)).item);
			problem.value = null;
			isSaved.value = true;
		} catch (error) {
			problem.value = error;
		}
	};
	const wrong = (name) => problem.value?.issueAt?.(name);
	const line = (name, label, help) => html`<label for=${`media-${name}`}>${label}</label>
		<textarea class="in" id=${`media-${name}`} rows="2" dir="auto" readonly=${!mayEdit}
			aria-invalid=${wrong(name) ? "true" : undefined} aria-describedby=${`media-${name}-h`}
			onChange=${(e) => save({ [name]: e.currentTarget.value })}>${item[name] ?? ""}</textarea>
		<p id=${`media-${name}-h`} class=${wrong(name) ? "problem" : "help"}>${wrong(name) ?? help}</p>`;
	const copy = async () => {
		await navigator.clipboard.writeText(new URL(item.url, location.href).href);
		tell(t("copied"));
	};
	const remove = async () => {
		if (await removeOne(item)) onGone();
	};
	const onError = (error) => (problem.value = error);

	return html`<aside class="panel item-panel" aria-labelledby="media-h"
		onKeyDown=${(e) => e.key === "Escape" && onClose()}>
		<header class="pad"><h2 id="media-h" tabindex="-1" ref=${heading}><bdi>${item.filename}</bdi></h2>
		<button type="button" class="b bare square" aria-label=${t("close")} onClick=${onClose}
			data-close><span aria-hidden="true">×</span></button></header>
		<div class="in-panel">
			${
				item.mimeType.startsWith("image/")
					? html`<${Focal} item=${item} mayEdit=${mayEdit} onSet=${save} />`
					: html`<${Shown} item=${item} />`
			}
			<${Problem} error=${problem.value} shown=${["alt", "caption", "folderId"]} />
			${line("alt", t("alt"), t("altHelp"))}
			${line("caption", t("caption"))}
			<label for="media-folder">${t("folder")}</label>
			<select class="in" id="media-folder" disabled=${!mayEdit} value=${item.folderId ?? ""}
				onChange=${(e) => save({ folderId: e.currentTarget.value || null })}>
				<option value="" selected=${!item.folderId}>${t("unfiled")}</option>
				${folders.map(
					(one) => html`<option key=${one.id} value=${one.id}
					selected=${one.id === item.folderId}>${one.name}</option>`,
				)}</select>
			<p class="saved" role="status">${isSaved.value && html`<span class="stet">${t("saved")}</span>`}
			</p>
			<dl class="facts">
			<div><dt>${t("size")}</dt>
			<dd class="num">
			${item.width && item.height ? `${t("pixels", { w: item.width, h: item.height })} · ` : ""}
			${sizeOf(item.size)}</dd></div>
				<div><dt>${t("kind")}</dt><dd><bdi>${item.mimeType}</bdi></dd></div>
				<div><dt>${t("made")}</dt><dd><${Time} at=${item.createdAt} /></dd></div></dl>
		</div>
		<${Uses} uses=${uses} />
		<footer class="pad bs"><a class="b small" href=${item.url} target="_blank" rel="noopener">${t("open")}
		</a><${Button} kind="small" onClick=${copy} onError=${onError}>${t("address")}<//>
			${
				mayDelete &&
				html`<${Button} kind="small out" onClick=${remove} onError=${onError}
				data-delete>${t("delete")}<//>`
			}</footer>
	</aside>`;
}

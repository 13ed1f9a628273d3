// media - the media library: folders, a grid, uploads by button, drag and paste, and a panel for one file.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { endingOf, sizeOf, tileOf } from "../../lib/media.js";
import { useQuiet } from "../../lib/pages.js";
import { href, setQuery } from "../../lib/router.js";
import { may } from "../../lib/site.js";
import { addWords, wordsOf } from "../../lib/words.js";
import { ownTitle } from "../../shell/open.js";
import { Button, Dialog, Empty, Icon, Loaded, Menu, Problem, TextField, ask, tell } from "../../ui/index.js";
import en from "./en.json";
import { Panel } from "./panel.js";
import { loadFolders, removeMany, trying } from "./remove.js";
import { Uploads, useUploads } from "./uploads.js";

const t = addWords("media", en),
	shared = wordsOf("shared");
const PAGE = 48;
const KINDS = { images: "image/", video: "video/", audio: "audio/", documents: "application/" };

/** The dialog for the name of a new folder, or for renaming one. */
function FolderName({ folder, onClose, onDone }) {
	const name = useSignal(folder?.name ?? ""),
		problem = useSignal(/** @type {any} */ (null));
	const save = async () => {
		try {
			const { item } = await (folder
				? api.put(`/media/folders/${segment(folder.id)}`, { name: name.value })
				: api.post("/media/folders", { name: name.value }));
			onClose();
			await onDone(item);
		} catch (error) {
			problem.value = error;
		}
	};
	return html`<${Dialog} title=${t(folder ? "rename" : "makeFolder")} onClose=${onClose} onSubmit=${save}
		actions=${html`<${Button} kind="go" type="submit">${t(folder ? "save" : "newFolder")}<//>`}>
		<${Problem} error=${problem.value} shown=${["name"]} />
		<div class="fields">
		<${TextField} label=${t("name")} required maxlength="200" autofocus value=${name.value}
			onInput=${(v) => (name.value = v)} problem=${problem.value?.issueAt?.("name")} /></div>
	<//>`;
}

function Folders({ folders, query }) {
	const at = query.unused ? "unused" : (query.folder ?? "");
	const link = (key, label, isFolder = true) => html`<li
		key=${key}><a href=${href("/media", key === "unused" ? { unused: 1 } : { folder: key })}
		aria-current=${at === key ? "page" : undefined}>
		${isFolder && html`<${Icon} name="folder" />`}
		${at === key ? html`<span class="stet">${label}</span>` : label}</a></li>`;

	return html`<nav class="folders"
		aria-label=${t("folders")}>
		<ul role="list">${link("", t("all"))}${folders.map((one) => link(one.id, html`<bdi>${one.name}</bdi>`))}
		${folders.length > 0 && link("unfiled", t("unfiled"))}
		${may("content:read_drafts") && link("unused", t("unused"), false)}</ul></nav>`;
}

function Tile({ item, isOpen, isChosen, onChoose, query }) {
	const isBroken = useSignal(false),
		isPicture = item.mimeType.startsWith("image/") && !isBroken.value;

	return html`<li>
		<div class="item">
		<input type="checkbox" class="pick" aria-label=${shared("choose", { name: item.filename })}
			checked=${isChosen} onChange=${(e) => onChoose(e.currentTarget.checked)} />
		<a class="tile" id=${`tile-${item.id}`} href=${href("/media", { ...query, item: item.id })}
			aria-current=${isOpen ? "true" : undefined}>
			${
				isPicture
					? html`<img src=${tileOf(item)} width="240" height="180" alt=""
						loading="lazy" onError=${() => (isBroken.value = true)} />`
					: html`<span class="doc" aria-hidden="true">${endingOf(item)}</span>`
			}
			<span class="cap"><bdi class="name">${item.filename}</bdi>
			<span class="meta">
			${item.width && item.height ? `${t("pixels", { w: item.width, h: item.height })} · ` : ""}
			<bdi class="no-break">${sizeOf(item.size)}</bdi>
			${isPicture && !item.alt && html`<span class="want">${t("want")}</span>`}
			${isBroken.value && html`<span class="want">${t("broken")}</span>`}</span></span>
		</a></div></li>`;
}

function Bulk({ chosen, items, folders, onDone }) {
	const ids = [...chosen.value],
		none = () => (chosen.value = new Set());
	const move = (id) =>
		trying(async () => {
			const { moved } = await api.post("/media/bulk/move", {
				ids,
				folderId: id === "unfiled" ? null : id,
			});

			tell(
				t("moved", {
					n: moved,
					folder: folders.find((one) => one.id === id)?.name ?? t("unfiled"),
				}),
			);
			await onDone();
		});
	const remove = () =>
		trying(async () => (await removeMany(items.filter((one) => chosen.value.has(one.id)))) && onDone());

	return html`<div class="bulk" role="region" aria-label=${t("selection")}>
		<p><strong>${t("chosen", { n: ids.length })}
		</strong> <button type="button" class="b bare small" onClick=${none}>${t("chooseNone")}</button></p>
		<div class="bs">
		<label><span class="sr">${t("moveTo")}</span>
		<select class="in auto" data-move value="" onChange=${(e) => move(e.currentTarget.value)}>
			<option value="">${t("moveTo")}</option><option value="unfiled">${t("unfiled")}</option>
			${folders.map((one) => html`<option key=${one.id} value=${one.id}>${one.name}</option>`)}
			</select></label>
			<${Button} kind="small out" onClick=${remove} data-remove>${t("delete")}<//></div>
	</div>`;
}

/**
 * Calls `add` with files that are dropped on the page or pasted into it.
 * @param {(files: FileList | File[]) => void} add
 */
function useDropped(add) {
	const isOver = useSignal(false),
		last = useRef(add),
		depth = useRef(0);

	last.current = add;
	useEffect(() => {
		if (!may("media:upload")) return undefined;
		const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
		const on = {
			dragenter: (event) => {
				if (hasFiles(event)) {
					event.preventDefault();
					depth.current++;
					isOver.value = true;
				}
			},
			dragover: (event) => hasFiles(event) && event.preventDefault(),
			dragleave: (event) => {
				if (hasFiles(event) && --depth.current <= 0) isOver.value = false;
			},
			drop: (event) => {
				if (hasFiles(event)) {
					event.preventDefault();
					depth.current = 0;
					isOver.value = false;
					last.current(event.dataTransfer.files);
				}
			},
			paste: (event) => {
				const { files } = event.clipboardData ?? {};
				if (files?.length) {
					event.preventDefault();
					last.current([...files]);
				}
			},
		};

		for (const [name, run] of Object.entries(on)) document.addEventListener(name, /** @type {any} */ (run));
		return () =>
			Object.entries(on).forEach(([name, run]) =>
				document.removeEventListener(name, /** @type {any} */ (run)),
			);
	}, []);
	return isOver;
}

function Tools({ query }) {
	const type = useQuiet((text) => setQuery({ q: text.trim() || undefined, cursor: undefined }, true));

	return html`<form class="tools" role="search" onSubmit=${(e) => e.preventDefault()}>
		<label class="find"><span class="sr">${t("search")}</span><${Icon} name="find" />
		<input class="in" type="search" placeholder=${t("search")} value=${query.q ?? ""}
			onInput=${(e) => type(e.currentTarget.value)} /></label>
		<label><span class="sr">${t("kind")}</span>
		<select class="in auto" value=${query.kind ?? ""}
			onChange=${(e) => setQuery({ kind: e.currentTarget.value || undefined, cursor: undefined })}>
			<option value="">${t("anyKind")}</option>
			${Object.keys(KINDS).map(
				(one) => html`<option key=${one} value=${one}
				selected=${one === query.kind}>${t(one)}</option>`,
			)}</select></label>
	</form>`;
}

function Nothing({ query }) {
	if (query.q || query.kind) return html`<${Empty} title=${t("noneFound")} />`;
	return html`<${Empty}
		title=${t(query.unused ? "noneUnused" : query.folder ? "noneHere" : "none")}>
		${may("media:upload") && !query.unused && html`<p class="quiet">${t("about")}</p>`}<//>`;
}

export default function Media({ query }) {
	const filter = {
		folderId: query.folder,
		q: query.q,
		mimeType: KINDS[query.kind],
		unused: query.unused && 1,
		cursor: query.cursor,
	};
	const page = useLoad(
		(signal) => api.get("/media", { query: { limit: PAGE, includeUsage: 1, ...filter }, signal }),
		[JSON.stringify(filter)],
	);
	const folders = useLoad((signal) => loadFolders(signal), []),
		all = folders.data.value ?? [];
	const chosen = useSignal(new Set()),
		naming = useSignal(/** @type {any} */ (null));
	const uploads = useUploads(query.folder === "unfiled" ? undefined : query.folder, page.reload),
		isOver = useDropped(uploads.add);
	const folder = all.find((one) => one.id === query.folder),
		inList = page.data.value?.items.find((one) => one.id === query.item);
	const apart = useLoad(
		(signal) =>
			query.item && !inList && page.data.value
				? api.get(`/media/${segment(query.item)}`, { signal })
				: Promise.resolve(null),
		[query.item, page.data.value !== null],
	);
	const open = inList ?? (apart.data.value?.item.id === query.item ? apart.data.value?.item : undefined);

	useEffect(() => {
		ownTitle.value = folder?.name ?? "";
	}, [folder?.name]);
	useEffect(() => {
		chosen.value = new Set();
	}, [JSON.stringify(filter)]);
	const close = async () => {
		await setQuery({ item: undefined });
		(document.getElementById(`tile-${query.item}`) ?? document.getElementById("main")).focus();
	};
	const done = async () => {
		chosen.value = new Set();
		await page.reload();
		document.getElementById("main").focus({ preventScroll: true });
	};
	const changed = (item) => {
		if (page.data.value?.items.some((one) => one.id === item.id))
			page.data.value = {
				...page.data.value,
				items: page.data.value.items.map((one) =>
					one.id === item.id ? { ...item, usage: one.usage } : one,
				),
			};
		else apart.data.value = { item };
	};
	const removeFolder = () =>
		trying(async () => {
			if (
				!(await ask({
					title: t("sureFolder", { name: folder.name }),
					text: t("sureFolderText"),
					yes: t("deleteFolder"),
					isFinal: true,
				}))
			)
				return;
			await api.delete(`/media/folders/${segment(folder.id)}`);
			await setQuery({ folder: undefined, cursor: undefined, item: undefined }, true);
			tell(t("folderDeleted", { name: folder.name }));
			await folders.reload();
		});
	const choose = (id, isOn) => {
		const next = new Set(chosen.value);
		isOn ? next.add(id) : next.delete(id);
		chosen.value = next;
	};

	return html`<div class="head"><h1>${folder ? html`<bdi>${folder.name}</bdi>` : t("title")}</h1>
			<div class="bs">
			${
				folder &&
				may("media:edit_any") &&
				html`<${Menu} label=${t("more", { name: folder.name })}
					items=${[
						{ label: t("rename"), onClick: () => (naming.value = folder) },
						{ label: t("deleteFolder"), isOut: true, onClick: removeFolder },
					]}>
						<${Icon} name="more" /><//>`
			}
			${
				may("media:edit_any") &&
				html`<${Button} onClick=${() => (naming.value = "new")}
					data-folder>${t("makeFolder")}<//>`
			}
			${
				may("media:upload") &&
				html`<label
					class="b go upload">${t("upload")}
					<input class="sr" type="file" multiple
						onChange=${(e) => {
							uploads.add(e.currentTarget.files);
							e.currentTarget.value = "";
						}} />
						</label>`
			}</div></div>
		<${Problem} error=${folders.error.value} onRetry=${folders.reload} />
		<div class="lib">
			<${Folders} folders=${all} query=${query} />
			<section class=${`sheet shelf ${isOver.value ? "over" : ""}`} aria-label=${t("shelf")}>
				<${Tools} query=${query} />
				${isOver.value && html`<p class="drop">${t("drop")}</p>`}
				<${Uploads} uploads=${uploads} />
				${
					chosen.value.size > 0 &&
					html`<${Bulk} chosen=${chosen} items=${page.data.value?.items ?? []}
						folders=${all} onDone=${done} />`
				}
				<${Loaded} from=${page}
					empty=${(data) =>
						data.items.length === 0 &&
						!data.nextCursor &&
						html`<${Nothing} query=${query} />`}>${(data) => html`
					<ul class="grid"
						role="list">
						${data.items.map(
							(item) => html`<${Tile} key=${item.id} item=${item}
							query=${query} isOpen=${item.id === query.item}
							isChosen=${chosen.value.has(item.id)}
							onChoose=${(isOn) => choose(item.id, isOn)} />`,
						)}</ul>
					${
						(data.nextCursor || query.cursor) &&
						html`<nav class="pager"
							aria-label=${t("pages")}><span></span><div class="bs">
						${
							query.cursor &&
							html`<button type="button" class="b small"
								onClick=${() => setQuery({ cursor: undefined })}>
								${t("first")}</button>`
						}
						${
							data.nextCursor &&
							html`<button type="button" class="b small"
								onClick=${() => setQuery({ cursor: data.nextCursor })}>
								${t("next")}</button>`
						}</div></nav>`
					}`}<//>
			</section>
			${
				open &&
				html`<${Panel} key=${open.id} item=${open} folders=${all} onChange=${changed}
				onClose=${close}
				onGone=${async () => {
					await setQuery({ item: undefined }, true);
					await done();
				}} />`
			}
			${query.item && apart.error.value && html`<${Problem} error=${apart.error.value} />`}
		</div>
		${
			naming.value &&
			html`<${FolderName} folder=${naming.value === "new" ? null : naming.value}
				onClose=${() => (naming.value = null)}
				onDone=${async (made) => {
					await folders.reload();
					await setQuery({
						folder: made.id,
						item: undefined,
						cursor: undefined,
						unused: undefined,
					});
				}} />`
		}`;
}

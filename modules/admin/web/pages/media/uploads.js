// uploads.js - uploads files to the library, two at a time. Each has its progress; a refused one shows the reason.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { uploadFile } from "../../lib/media.js";
import { wordsOf } from "../../lib/words.js";
import { explain, say, tell } from "../../ui/index.js";

const t = wordsOf("media");
const AT_ONCE = 2;
let count = 0;

/** Moves a new file into the folder. A file that the library already had stays where it was. */
async function put(one, folder) {
	const { item, deduplicated } = await uploadFile(one.file, {
		signal: one.abort.signal,
		onProgress: one.onProgress,
	});

	if (deduplicated || !folder) return { item, deduplicated };
	return api.put(`/media/${segment(item.id)}`, { folderId: folder });
}

/**
 * {rows, add, again, drop}; rows is a signal of {id, file, share, state: "waits" | "runs" | "bad", error}.
 * @param {string | undefined} folder
 * @param {() => any} onDone called after uploads have finished
 */
export function useUploads(folder, onDone) {
	const rows = useSignal(/** @type {any[]} */ ([])),
		arrived = useRef(0),
		last = useRef({ folder, onDone });

	last.current = { folder, onDone };
	useEffect(() => () => rows.peek().forEach((one) => one.abort.abort()), []);
	const set = (id, changes) =>
		(rows.value = rows.peek().map((one) => (one.id === id ? { ...one, ...changes } : one)));
	const drop = (id) => {
		rows.peek()
			.find((one) => one.id === id)
			?.abort.abort();
		rows.value = rows.peek().filter((one) => one.id !== id);
		next();
	};
	const run = async (one) => {
		try {
			const { item, deduplicated } = await put(
				{ ...one, onProgress: (share) => set(one.id, { share }) },
				one.folder,
			);
			if (deduplicated) tell(t("had", { name: item.filename }));
			else arrived.current++;
			rows.value = rows.peek().filter((row) => row.id !== one.id);
		} catch (error) {
			if (error.name !== "AbortError") {
				set(one.id, { state: "bad", error });
				say(`${one.file.name}: ${explain(error)}`, { isUrgent: true });
			}
		}
		next();
		if (rows.peek().every((row) => row.state === "bad")) {
			if (arrived.current > 0) tell(t("uploaded", { n: arrived.current }));
			arrived.current = 0;
			await last.current.onDone();
		}
	};
	const next = () => {
		let free = AT_ONCE - rows.peek().filter((one) => one.state === "runs").length;

		for (const one of rows.peek())
			if (one.state === "waits" && free-- > 0) {
				set(one.id, { state: "runs" });
				void run(one);
			}
	};
	const add = (files) => {
		rows.value = [
			...rows.peek(),
			...[...files].map((file) => ({
				id: ++count,
				file,
				folder: last.current.folder,
				share: 0,
				state: "waits",
				abort: new AbortController(),
			})),
		];
		next();
	};
	const again = (id) => {
		set(id, { state: "waits", share: 0, abort: new AbortController() });
		next();
	};
	return { rows, add, again, drop };
}

export function Uploads({ uploads }) {
	const rows = uploads.rows.value;

	return (
		rows.length > 0 &&
		html`<section class="uploads"
		aria-label=${t("uploads")}>${rows.map(
			(one) => html`<div class="up" key=${one.id}>
		<p><strong><bdi>${one.file.name}</bdi>
		</strong> ${
			one.state === "bad"
				? html`<span class="problem">${explain(one.error)}</span>`
				: one.state === "waits" && html`<span>${t("waits")}</span>`
		}</p>
		${
			one.state !== "bad" &&
			html`<progress class="bar" max="100" value=${Math.round(one.share * 100)}
				aria-label=${one.file.name}></progress>`
		}
		<div class="bs">
			${
				one.state === "bad" &&
				html`<button type="button" class="b small"
					aria-label=${t("tryAgainOf", { name: one.file.name })}
					onClick=${() => uploads.again(one.id)}>${t("tryAgain")}</button>`
			}
			<button type="button" class="b small"
				aria-label=${one.state === "bad" ? undefined : t("stopOf", { name: one.file.name })}
				onClick=${() => uploads.drop(one.id)}>${t(one.state === "bad" ? "hide" : "stop")}
				</button>
		</div>
	</div>`,
		)}</section>`
	);
}

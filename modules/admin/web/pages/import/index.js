// import - one import: its progress, and the result of each item.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { ROOT, api, segment } from "../../lib/api.js";
import { useImporters } from "../../lib/forms.js";
import { useLoad } from "../../lib/load.js";
import { go } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { collection, loadManifest, manifest } from "../../lib/site.js";
import { Button, Icon, Loaded, Menu, Table, Time, ask, tell, tellEnd, tellProblem } from "../../ui/index.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import imports from "../imports/en.json";
import { ImportForm } from "../imports/form.js";
import { ImportMark, formatWord, isGoing, isRows, number, pathOf } from "../imports/state.js";
import en from "./en.json";
import { Items } from "./items.js";

const t = addWords("import", en),
	ti = addWords("imports", imports);
const EVERY = 1000; // ms between polls of a running import

/** What the file has, as a sum that adds up: "72 entries: 62 items, 9 files, 1 menu link". */
export function sumOf(found, account = []) {
	const links = account.find((row) => row.what === "menuItems")?.read ?? 0,
		files = found.attachments ?? 0;
	const parts = { items: Math.max(found.items - files - links, 0), files, links };

	return {
		total: parts.items + files + links,
		parts: Object.entries(parts).filter(([name, n]) => n > 0 || name === "items"),
	};
}

function Sum({ one }) {
	const { total, parts } = sumOf(one.found, one.result.account);
	const text = parts.map(([name, n]) => t(`sum_${name}`, { n })).join(", ");

	return html`<div><dt>${t("found")}</dt>
		<dd data-sum>${parts.length > 1 ? `${t("sum_all", { n: total })}: ${text}` : text}</dd></div>`;
}

function About({ one }) {
	const { done, total } = one.progress,
		notes = one.result.notes ?? [];

	return html`<section class="sheet block"
		aria-labelledby="how-h">
		<div class="head"><h2 id="how-h">${t("progress")}</h2><${ImportMark} one=${one} /></div>
		${one.error && html`<p class="note wrong"><bdi>${one.error}</bdi></p>`}
		<dl class="facts">
			<div><dt>${t("stage")}</dt>
			<dd>${t(one.stage)}
			${
				isGoing(one) &&
				total > 0 &&
				html`<br /><progress max=${total} value=${done} aria-label=${t("progress")}>
					</progress> ${t("of", { n: number(done), total: number(total) })}`
			}</dd></div>
			<div><dt>${ti("started")}</dt>
			<dd><${Time} at=${one.createdAt} />${one.config.dryRun && ` · ${ti("tried")}`}</dd></div>
			${
				one.found &&
				html`<${Sum} one=${one} /><div><dt>${t("terms")}</dt><dd>${number(one.found.terms)}</dd></div>`
			}
			${Object.entries(one.result.items ?? {}).map(
				([outcome, n]) =>
					html`<div key=${outcome}><dt>${t(outcome)}</dt><dd>${number(n)}</dd></div>`,
			)}
			${
				one.result.comments > 0 &&
				html`<div><dt>${t("comments")}</dt><dd>${number(one.result.comments)}</dd></div>`
			}
		</dl>
		${
			notes.length > 0 &&
			html`<h3>${t("notes")}</h3>
				<ul class="named">
				${notes.map(
					(note, i) => html`<li key=${i}><bdi>${note.about}</bdi>: <bdi>${note.note}</bdi>
						</li>`,
				)}</ul>`
		}</section>`;
}

/** The collection that each kind of content goes to, in the server's words. */
function Types({ types }) {
	const rows = Object.entries(types).map(([type, one]) => ({ type, ...one }));
	const columns = [
		{
			name: "type",
			label: t("kind"),
			isHead: true,
			class: "c-plain",
			cell: (one) => html`<bdi>${one.type}
			</bdi>`,
		},
		{
			name: "to",
			label: t("types"),
			cell: (one) => html`<bdi>${one.collection ?? t("nowhere")}</bdi>
			${one.state && html` · <bdi>${one.state}</bdi>`}`,
		},
		{ name: "n", label: t("count"), class: "meta", cell: (one) => number(one.count) },
	];

	return (
		rows.length > 0 &&
		html`<section class="sheet list" aria-labelledby="types-h"
		data-types><div class="tools"><h2 id="types-h">${t("types")}</h2></div>
		<${Table} caption=${t("types")} rows=${rows} id=${(one) => one.type} columns=${columns} /></section>`
	);
}

/** What was read of each kind, and what of it is here. */
function Account({ one }) {
	const rows = one.result.account ?? [];
	const columns = [
		{
			name: "what",
			label: t("accountWhat"),
			isHead: true,
			class: "c-plain",
			cell: (row) => html`${t(`account_${row.what}`)}${row.name && html` <bdi>${row.name}</bdi>`}`,
		},
		...["read", "stored", "left", "lost"].map((name) => ({
			name,
			label: t(`account_${name}`),
			class: "meta",
			cell: (row) =>
				name === "lost" && row.lost > 0 ? html`<b>${number(row.lost)}</b>` : number(row[name]),
		})),
	];

	return (
		rows.length > 0 &&
		html`<section class="sheet list" aria-labelledby="account-h"
		data-account><div class="tools"><h2 id="account-h">${t("account")}</h2></div>
		<${Table} caption=${t("account")} rows=${rows} id=${(row) => `${row.what} ${row.name}`} columns=${columns} />
		</section>`
	);
}

/** The chosen mapping of columns. */
function Columns({ one }) {
	const rows = Object.entries(one.config.options?.fields ?? {}).map(([name, to]) => ({ name, to }));
	const columns = [
		{
			name: "column",
			label: t("column"),
			isHead: true,
			class: "c-plain",
			cell: (row) => html`<bdi>
			${row.name || ti("nameless")}</bdi>`,
		},
		{
			name: "to",
			label: t("becomes"),
			cell: (row) =>
				row.to
					? html`<code>${row.to}
			</code>`
					: ti("leftOut"),
		},
	];

	return (
		rows.length > 0 &&
		html`<section class="sheet list" aria-labelledby="columns-h"
		data-columns><div class="tools"><h2 id="columns-h">${ti("columns")}</h2></div>
		<${Table} caption=${ti("columns")} rows=${rows} id=${(row) => row.name} columns=${columns} />
		</section>`
	);
}

export default function Import({ params, query }) {
	const path = `/import/jobs/${segment(params.id)}`,
		isChanging = useSignal(false);
	const job = useLoad((signal) => api.get(path, { signal }), [path]),
		one = job.data.value,
		importers = useImporters();

	useEffect(() => {
		ownTitle.value = one ? `${t("title")}: ${formatWord(importers.data.value, one)}` : "";
		crumbs.value = [{ label: ti("title"), path: "/imports" }];
	}, [one?.id, importers.data.value]);
	const attempt = async (work) => {
		try {
			await work();
		} catch (error) {
			tellProblem(error);
		}
	};
	// The import may have created collections.
	useEffect(() => {
		if (
			one?.found?.types &&
			!one.config.dryRun &&
			Object.values(one.found.types).some(
				(type) => type.collection && !collection(type.collection),
			) &&
			one.state === "done"
		)
			void attempt(loadManifest);
	}, [one?.state]);
	useEffect(() => {
		if (one && !isGoing(one)) tellEnd(t(`ended_${one.state}`));
	}, [one?.state]);
	useEffect(() => {
		if (!one || !isGoing(one)) return;
		const timer = setTimeout(job.reload, EVERY);
		return () => clearTimeout(timer);
	}, [one]);
	const order = (what) =>
		attempt(async () => {
			await api.post(`${path}/${what}`, {});
			await job.reload();
		});
	const cancel = async () => {
		if (await ask({ title: t("cancelSure"), text: t("cancelText"), yes: t("cancel"), isFinal: true }))
			await order("cancel");
	};
	const remove = async () => {
		if (await ask({ title: t("deleteSure"), text: t("deleteText"), yes: t("delete"), isFinal: true }))
			await attempt(async () => {
				await api.delete(path);
				await go("/imports", { replace: true });
				tell(t("deleted"));
			});
	};
	// After a dry run, the same file can be imported, or tried with other settings, as long as the server keeps it.
	const isTried =
		one?.config.dryRun && one.state === "done" && one.analysisId && one.ownerId === manifest.value.user.id;
	const open = async (made) => {
		isChanging.value = false;
		await go(pathOf(made));
	};
	const run = () =>
		attempt(async () => {
			await open(
				await api.post("/import/jobs", {
					analysisId: one.analysisId,
					config: { ...one.config, dryRun: false },
				}),
			);
			tell(ti("made"), { isBegun: true });
		});
	const isEnded = one && !isGoing(one) && one.state !== "paused";

	return html`<div class="head"><h1>${t("title")}</h1>${
		one &&
		html`
			${isGoing(one) && html`<${Button} onClick=${() => order("pause")} data-pause>${t("pause")}<//>`}
			${
				(one.state === "paused" || one.state === "failed") &&
				html`<${Button} kind="go" onClick=${() => order("resume")} data-resume>${t("resume")}
					<//>`
			}
			${
				isTried &&
				isRows(one.config.format) &&
				html`<${Button} onClick=${() => (isChanging.value = true)}
					data-change>${t("otherwise")}<//>`
			}
			${
				isTried &&
				html`<${Button} kind="go" onClick=${run}
				why=${one.found?.fits === false ? String(t("unfit")) : undefined} data-run>${t("run")}
				<//>`
			}
			${!isEnded && html`<${Button} onClick=${cancel} data-cancel>${t("cancel")}<//>`}
			<a class="b" href=${`${ROOT}${path}/report?format=csv`} download>${t("report")}</a>
			<${Menu} label=${t("more")}
				items=${[
					!one.config.dryRun && {
						label: t("redirects"),
						onClick: () => location.assign(`${ROOT}${path}/redirects?format=csv`),
					},
					isEnded && { label: t("delete"), isOut: true, onClick: remove },
				]}><${Icon} name="more" /><//>`
	}</div>
		<${Loaded} from=${job}>
		${(data) => html`<div
			class="blocks wide-blocks"><${About} one=${data} />
			${isTried && html`<p class="note" data-tried>${t("triedText")}</p>`}
			<${Types} types=${data.found?.types ?? {}} /><${Columns} one=${data} /><${Account} one=${data} />
			<${Items} path=${path} isTried=${data.config.dryRun === true} outcome=${query.outcome}
				after=${query.after} version=${isGoing(data) ? "" : data.state} /></div>`}<//>
		${
			isChanging.value &&
			html`<${Loaded}
				from=${importers}>
				${(found) => html`<${ImportForm} importers=${found} tried=${one}
					onClose=${() => (isChanging.value = false)} onMade=${open} />`}<//>`
		}`;
}

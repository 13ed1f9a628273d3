// around.js - what stands above and below the text: notes, the original of a translation, and the field of the slug.
import { request, segment } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { shortTime } from "../../lib/time.js";
import { languageSaid } from "../../lib/words.js";
import { Button } from "../../ui/index.js";
import { readJson } from "../../editor/save/json.js";
import { t } from "../../editor/words.js";
import { Blocks } from "./blocks.js";
import { slugOf } from "./item.js";

/* ---- the slug ---- */

export function SlugField({ item }) {
	const cell = item.cell(":slug"),
		problems = item.problems.value.filter((p) => p.name === ":slug");
	const fromTitle = () =>
		item.set(":slug", slugOf(String(item.cell(item.layout.title.slug).peek() ?? "")) || null);
	const isLive = item.meta.value.status === "published";
	const described = [isLive && "slug-h", problems.length > 0 && "slug-p"].filter(Boolean).join(" ") || undefined;

	return html`<div class="f"><label for="field-:slug">${t("slug")}</label><div class="stack">
		<div class="row">
		<input class="in mono" id="field-:slug" spellcheck=${false} value=${cell.value ?? ""}
			aria-describedby=${described} aria-invalid=${problems.length > 0 ? "true" : undefined}
			onInput=${(e) => item.set(":slug", e.currentTarget.value || null)} />
			${
				item.layout.title &&
				html`<button type="button" class="b" onClick=${fromTitle}>${t("fromTitle")}
					</button>`
			}</div>
		${isLive && html`<p class="help" id="slug-h">${t("slugHelp")}</p>`}
		${
			problems.length > 0 &&
			html`<div
				id="slug-p">
				${problems.map((p, i) => html`<p class="problem" key=${i}>${p.message}</p>`)}</div>`
		}
	</div></div>`;
}

/* ---- notes ---- */

function Problems({ item, labelOf }) {
	const list = item.problems.value,
		names = [...new Set(list.map((p) => p.name))];
	const to = (name) => (e) => {
		const field = document.getElementById(`field-${name}`) ?? document.getElementById(`text-${name}`);

		e.preventDefault();
		field?.scrollIntoView({ block: "center" });
		field?.focus();
	};

	return (
		list.length > 0 &&
		html`<div class="note wrong" role="group"
		aria-label=${t("before")}>
		<p id="wrong" tabindex="-1"><strong>${t("needsYou", { n: names.length })}</strong>
		${names.map(
			(name, i) => html`${i > 0 ? ", " : " "}
				<a key=${name} href=${`#field-${name}`} onClick=${to(name)}>${labelOf(name)}
				</a>`,
		)}. ${t(item.isNew ? "draftsNeed" : "draftsAreSaved")}</p></div>`
	);
}

function Left({ item, labelOf }) {
	return item.offered.value.map(
		(record) => html`<div class="note" role="group" key=${record.writer}
		aria-label=${t("leftTitle")}>
		<p><strong>${t("leftTitle")}
		</strong> ${t("leftText", {
			time: shortTime(new Date(record.at).toISOString()),
			fields: record.mine.map(([name]) => labelOf(name)).join(", "),
		})}</p>
		<div class="bs"><${Button} kind="small" onClick=${() => item.takeLeft(record)}>${t("leftTake")}<//>
		<${Button} kind="small out" onClick=${() => item.dropLeft(record)}>${t("leftDrop")}<//></div></div>`,
	);
}

/** @param {{item: import("./item.js").Item, labelOf: (name: string) => string}} props */
export function Notes({ item, labelOf }) {
	return (
		(item.problems.value.length > 0 || item.offered.value.length > 0) &&
		html`<div class="notes"><${Left} item=${item} labelOf=${labelOf} />
			<${Problems} item=${item} labelOf=${labelOf} /></div>`
	);
}

/* ---- translations ---- */

/** Shows a translation beside the text. Resolves with it. */
export async function showBeside(item, id) {
	const { data } = await request("GET", `/content/${segment(item.collection.slug)}/${segment(id)}`, undefined, {
		parse: readJson,
	});

	item.original.value = data.item;
	return data.item;
}

/** Starts a translation with the values of the translated item, which is also shown beside it. */
export async function beginTranslation(item, id) {
	const original = await showBeside(item, id);

	item.translationOf = original.id;
	for (const field of item.collection.fields)
		if (original.data[field.slug] !== undefined && field.type !== "slug" && !field.unique)
			item.beginWith(field.slug, original.data[field.slug]);
}

export function Original({ item }) {
	const original = item.original.value;

	return html`<details class="sheet pad original" tabindex="-1"
		open=${matchMedia("(min-width: 80rem)").matches}><summary>${t("original", { language: languageSaid(original.locale) })}</summary>
		<div class="read" lang=${original.locale} dir="auto">
		${item.layout.title && html`<h2>${original.data[item.layout.title.slug]}</h2>`}
		${item.layout.body && html`<${Blocks} value=${original.data[item.layout.body.slug]} />`}
		${item.layout.others
			.filter((f) => ["string", "text"].includes(f.type) && original.data[f.slug])
			.map(
				(f) => html`<p
				key=${f.slug}><small class="tagline">${f.label}</small> ${original.data[f.slug]}</p>`,
			)}
	</div></details>`;
}

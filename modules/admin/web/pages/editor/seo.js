// seo.js - the part of the panel with what search engines show.
import { html } from "../../lib/html.js";
import { t } from "../../editor/words.js";
import { Part } from "./part.js";

const DESCRIPTION = 155;

/** @param {{item: import("./item.js").Item}} props */
export function Seo({ item }) {
	const cell = item.cell(":seo"),
		seo = cell.value ?? {};
	const set = (more) => item.set(":seo", { ...seo, ...more });
	const title = item.layout.title ? item.cell(item.layout.title.slug).value : "";
	const problems = item.problems.value.filter((p) => p.name === ":seo");
	const text = (e) => (e.currentTarget.value === "" ? null : e.currentTarget.value);

	return html`<${Part} title=${t("seo")} isOpen=${false}>
		<div class="snippet"><p class="read-title">${seo.title || title || t("untitled")}</p>
		<p class="help"><bdi>${location.host} › ${item.collection.slug}</bdi></p>
		${seo.description && html`<p>${seo.description}</p>`}</div>
		<label for="seo-title">${t("seoTitle")}</label>
		<input class="in" id="seo-title" dir="auto" value=${seo.title ?? ""} placeholder=${title ?? ""}
			onInput=${(e) => set({ title: text(e) })} />
		<label for="seo-description">${t("seoDescription")}</label>
		<textarea class="in" id="seo-description" dir="auto" rows="2" aria-describedby="seo-h"
			value=${seo.description ?? ""} onInput=${(e) => set({ description: text(e) })} />
		<p class="help"
			id="seo-h">${t("aboutCharacters", { n: [...(seo.description ?? "")].length, of: DESCRIPTION })}
			</p>
		<label for="seo-canonical">${t("seoCanonical")}</label>
		<input class="in" id="seo-canonical" type="url" value=${seo.canonical ?? ""}
			onInput=${(e) => set({ canonical: text(e) })} />
		<label class="tick">
		<input type="checkbox" checked=${seo.noIndex === true}
			onChange=${(e) => set({ noIndex: e.currentTarget.checked })} />${t("seoNoIndex")}</label>
		${problems.map((p, i) => html`<p class="problem" key=${i}>${p.message}</p>`)}
	<//>`;
}

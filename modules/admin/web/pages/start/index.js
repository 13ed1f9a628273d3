// start - what a person begins with.
import { html } from "../../lib/html.js";
import { addWords } from "../../lib/words.js";
import { manifest } from "../../lib/site.js";
import en from "./en.json";

const t = addWords("start", en);

export default function Start() {
	const { collections } = manifest.value;

	return html`<div class="sheet pad"><h2>${t("collections")}</h2><ul>${collections.map((c) => html`<li key=${c.slug}>${c.label}</li>`)}</ul></div>`;
}

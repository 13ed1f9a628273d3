// people.js - who else has the item open, as initials in the bar; and colleagues, found by their names.
import { api } from "../../../lib/api.js";
import { html } from "../../../lib/html.js";
import { manifest } from "../../../lib/site.js";
import { Search } from "../../../ui/search.js";
import { t } from "./words.js";

const SHOWN = 4; // people whose initials are shown

export const initialsOf = (name) =>
	name
		.split(/\s+/)
		.filter(Boolean)
		.slice(0, 2)
		.map((word) => [...word][0])
		.join("")
		.toUpperCase();

/** The others; and oneself, if one has the item open twice. @param {any[]} people */
export const othersOf = (people) =>
	people
		.filter((one) => one.id !== manifest.value?.user.id || one.tabs > 1)
		.map((one) => ({ ...one, name: one.id === manifest.value?.user.id ? t("you") : one.name }));

export function People({ people }) {
	const others = othersOf(people);

	if (others.length === 0) return null;
	return html`<ul class="people" role="list" aria-label=${t("here")}>
		${others.slice(0, SHOWN).map((one) => {
			const label = one.tabs > 1 ? t("inTabs", { name: one.name, n: one.tabs }) : one.name;

			return html`<li key=${one.id} title=${label}><span aria-hidden="true">${initialsOf(one.name)}</span>
				<span class="sr">${label}</span></li>`;
		})}
		${others.length > SHOWN && html`<li>+${others.length - SHOWN}</li>`}</ul>`;
}

/**
 * A field that finds colleagues who may read the item.
 * @param {{item: any, id: string, label: string, filter?: (one: any) => boolean, onChoose: (one: any) => void}} props
 */
export function Colleagues({ item, id, label, filter = () => true, onChoose }) {
	const find = async (search, signal) =>
		(await api.get(`${item.path}/people`, { query: { search: search || undefined }, signal })).items
			.filter((one) => one.id !== manifest.value?.user.id && filter(one))
			.map((one) => ({ ...one, title: one.name }));

	return html`<${Search} id=${id} label=${label} find=${find} onChoose=${onChoose} />`;
}

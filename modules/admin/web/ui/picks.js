// picks.js - boxes for collections, in natural order; a long list has a filter and scrolls.
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { MANY, inOrder, matching } from "../lib/many.js";
import { wordsOf } from "../lib/words.js";
import { Tick } from "./field.js";

const t = wordsOf("shell");

/**
 * @param {{collections: {slug: string, label: string}[], chosen: string[], onChange: (slugs: string[]) => void, props:
 * any}} all chosen: slugs; props: of the Field around it
 */
export function CollectionPicks({ collections, chosen, onChange, props }) {
	const typed = useSignal("");
	const all = inOrder([...collections]),
		isLong = all.length >= MANY;

	return html`<div class="stack" ...${props}>
		${
			isLong &&
			html`<input class="in" type="search" aria-label=${t("filter")} placeholder=${t("filter")}
				autocomplete="off" spellcheck="false" value=${typed}
				onInput=${(e) => (typed.value = e.currentTarget.value)} data-filter-picks />`
		}
		<div class=${`ticks two ${isLong ? "long-picks" : ""}`}>${matching(all, typed.value).map(
			({ slug, label }) => html`<${Tick} key=${slug} name="collection" value=${slug}
				isOn=${chosen.includes(slug)}
				onChange=${(isOn) => onChange(isOn ? [...chosen, slug] : chosen.filter((one) => one !== slug))}>
				<bdi>${label}</bdi><//>`,
		)}</div></div>`;
}

// schema - the collections of the site: lists, orders and creates them.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { addFirstFields } from "../../lib/begin.js";
import { addWords } from "../../lib/words.js";
import { loadManifest, may } from "../../lib/site.js";
import { Button, Dialog, Empty, Field, Loaded, Problem, Table, TextField, Tick, tell } from "../../ui/index.js";
import { Moves, moved } from "./moves.js";
import { nameOf } from "./name.js";
import en from "./en.json";

const t = addWords("schema", en);
export const FEATURES = ["drafts", "revisions", "preview", "scheduling", "search", "seo"];

/**
 * Checkboxes for the features of a collection.
 * @param {{value: string[], onChange: (next: string[]) => void, problem?: string}} props
 */
export const Features = ({ value, onChange, problem }) => html`<${Field} label=${t("supports")} isGroup
	problem=${problem}>${(props) =>
		html`<div class="ticks two" ...${props}>${FEATURES.map(
			(one) => html`
	<${Tick} key=${one} name="feature" value=${one} isOn=${value.includes(one)}
		onChange=${(isOn) => onChange(isOn ? [...value, one] : value.filter((f) => f !== one))}>
		${t(`feature_${one}`)}<//>`,
		)}</div>`}<//>`;

function Make({ onClose }) {
	const label = useSignal(""),
		singular = useSignal(""),
		slug = useSignal(""),
		isOwnSlug = useSignal(false),
		supports = useSignal(["drafts", "revisions", "search"]),
		hasFields = useSignal(true),
		problem = useSignal(/** @type {any} */ (null));
	const at = (name) => problem.value?.issueAt?.(name);
	const make = async () => {
		problem.value = null;
		try {
			const { item } = await api.post("/schema/collections", {
				slug: slug.value,
				label: label.value,
				...(singular.value ? { labelSingular: singular.value } : {}),
				supports: supports.value,
				requiredOn: "publish",
			});

			if (hasFields.value) await addFirstFields(item);
			await loadManifest();
			await go(`/schema/${segment(item.slug)}`);
			tell(t("made", { name: item.label }));
		} catch (error) {
			problem.value = error;
		}
	};
	const type = (text) => {
		label.value = text;
		if (!isOwnSlug.value) slug.value = nameOf(text);
	};

	return html`<${Dialog} title=${t("make")} onClose=${onClose} onSubmit=${make}
		actions=${html`<${Button} kind="go" type="submit">${t("make")}<//>`}>
		<${Problem} error=${problem.value} shown=${["label", "labelSingular", "slug", "supports"]} />
		<div class="fields">
			<${TextField} label=${t("label")} name="label" required maxlength="500" help=${t("labelHelp")}
				value=${label.value} onInput=${type} problem=${at("label")} />
			<${TextField} label=${t("labelSingular")} name="labelSingular" maxlength="500"
				help=${t("labelSingularHelp")} value=${singular.value}
				onInput=${(v) => (singular.value = v)} problem=${at("labelSingular")} />
			<${TextField} label=${t("slug")} name="slug" class="mono" required maxlength="63"
				autocomplete="off" spellcheck="false" help=${t("slugHelp")} value=${slug.value}
				onInput=${(v) => {
					isOwnSlug.value = true;
					slug.value = v;
				}} problem=${at("slug")} />
			<${Features} value=${supports.value} onChange=${(next) => (supports.value = next)}
				problem=${at("supports")} />
			<${Tick} name="firstFields" isOn=${hasFields.value} onChange=${(isOn) => (hasFields.value = isOn)}>
				${t("firstFields")}<//>
		</div>
	<//>`;
}

export default function Schema() {
	const collections = useLoad((signal) => api.get("/schema/collections", { signal }), []);
	const isMaking = useSignal(false),
		isOwn = may("schema:manage");

	const move = (all) => async (from, to) => {
		const next = moved(all, from, to);

		collections.data.value = { items: next };
		await api.post("/schema/collections/reorder", { slugs: next.map((one) => one.slug) });
		await loadManifest();
	};
	const columnsOf = (all) =>
		[
			{
				name: "label",
				label: t("collection"),
				isHead: true,
				class: "c-plain",
				cell: (one) => html`<a
			href=${href(`/schema/${segment(one.slug)}`)}><bdi>${one.label}</bdi></a>
			<span class="sub"><code>${one.slug}</code></span>`,
			},
			{
				name: "supports",
				label: t("supports"),
				class: "c-tags",
				cell: (one) =>
					html`${one.supports.map(
						(name) => html`<span
			class="tag" key=${name}>${t(`feature_${name}`)}</span> `,
					)}`,
			},
			{
				name: "menu",
				label: t("inMenu"),
				class: "c-who meta",
				cell: (one) => t(one.hidden ? "no" : "yes"),
			},
			isOwn && {
				name: "move",
				label: t("order"),
				isHidden: true,
				class: "c-do",
				cell: (one) => html`<${Moves}
			name=${one.label} at=${all.indexOf(one)} count=${all.length} onMove=${move(all)}
			onFail=${collections.reload} />`,
			},
		].filter(Boolean);

	return html`<div
		class="head"><h1>${t("title")}</h1>
		${
			isOwn &&
			html`<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}
			<//>`
		}</div>
		<div class="sheet list">
		<${Loaded} from=${collections}
			empty=${(data) =>
				data.items.length === 0 &&
				html`<${Empty} title=${t("none")}><p class="quiet">${t("about")}</p><//>`}>
			${(data) => html`<${Table} caption=${t("title")} rows=${data.items} id=${(one) => one.slug}
				columns=${columnsOf(data.items)} />`}<//></div>
		${isMaking.value && html`<${Make} onClose=${() => (isMaking.value = false)} />`}`;
}

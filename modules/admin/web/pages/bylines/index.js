// bylines - the public profiles of authors: the list, and a new one.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { manifest } from "../../lib/site.js";
import { addWords, languageName } from "../../lib/words.js";
import { FormDialog } from "../../ui/form.js";
import { Button, Empty, Loaded, SelectField, Table, TextField, Time, tell } from "../../ui/index.js";
import { Filter, Find, Pager } from "../../ui/lists.js";
import en from "./en.json";

const t = addWords("bylines", en);

function Make({ onClose }) {
	const name = useSignal(""),
		locale = useSignal(manifest.value.defaultLocale),
		{ locales } = manifest.value;
	const save = async () => {
		const made = await api.post("/bylines", { displayName: name.value, locale: locale.value });

		tell(t("made", { name: made.displayName }));
		await go(`/bylines/${segment(made.id)}`);
	};

	return html`<${FormDialog} title=${t("make")} lead=${t("about")} yes=${t("make")} save=${save}
		onClose=${onClose} fields=${["displayName", "locale"]}>${(at) => html`
		<${TextField} label=${t("name")} required autofocus maxlength="200" dir="auto" value=${name.value}
			onInput=${(v) => (name.value = v)} problem=${at("displayName") ?? at("slug")} />
		${
			locales.length > 1 &&
			html`<${SelectField} label=${t("language")} value=${locale.value}
				onChange=${(v) => (locale.value = v)} problem=${at("locale")}
				options=${locales.map((value) => ({ value, label: languageName(value) }))} />`
		}`}<//>`;
}

export default function Bylines({ query }) {
	const ask = {
		search: query.search,
		isGuest: { guests: true, users: false }[query.kind],
		locale: query.locale,
		cursor: query.cursor,
	};
	const list = useLoad((signal) => api.get("/bylines", { query: ask, signal }), [JSON.stringify(ask)]),
		isMaking = useSignal(false),
		{ locales } = manifest.value;
	const columns = [
		{
			name: "name",
			label: t("name"),
			isHead: true,
			class: "c-title",
			cell: (one) => html`<a
			href=${href(`/bylines/${segment(one.id)}`)}><bdi>${one.displayName}</bdi></a>
			<span class="sub"><code>${one.slug}</code></span>`,
		},
		{ name: "kind", label: t("kind"), class: "meta", cell: (one) => t(one.isGuest ? "guest" : "ofUser") },
		locales.length > 1 && {
			name: "locale",
			label: t("language"),
			class: "c-by meta",
			cell: (one) => html`<span
			lang=${one.locale} dir="auto">${languageName(one.locale)}</span>`,
		},
		{
			name: "up",
			label: t("updated"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.updatedAt} />`,
		},
	].filter(Boolean);

	return html`<div
		class="head"><h1>${t("title")}</h1>
		<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}<//></div>
		<div class="sheet list">
			<form class="tools" role="search"
				onSubmit=${(e) => e.preventDefault()}>
				<${Find} label=${t("search")} value=${query.search} />
				<${Filter} name="kind" label=${t("kind")} value=${query.kind} all=${t("allKinds")}
					options=${["users", "guests"].map((value) => ({ value, label: t(value) }))} />
				${
					locales.length > 1 &&
					html`<${Filter} name="locale" label=${t("language")} value=${query.locale}
						all=${t("allLanguages")}
						options=${locales.map((value) => ({
							value,
							label: languageName(value),
						}))} />`
				}</form>
			<${Loaded} from=${list}
				empty=${(data) =>
					data.items.length === 0 &&
					html`<${Empty}
						title=${t(ask.search || query.kind || ask.locale ? "nobody" : "none")}>
						<p class="quiet">${t("about")}</p><//>`}>${(data) => html`
				<${Table} caption=${t("list")} rows=${data.items} id=${(one) => one.id}
					columns=${columns} />
					<${Pager} cursor=${query.cursor} next=${data.nextCursor} />`}<//>
		</div>
		${isMaking.value && html`<${Make} onClose=${() => (isMaking.value = false)} />`}`;
}

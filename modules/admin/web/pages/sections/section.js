// section.js - one section: its names and its text.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go } from "../../lib/router.js";
import { mayWriteOver } from "../../lib/unsaved.js";
import { addWords, wordsOf } from "../../lib/words.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { PageForm, useTouched } from "../../ui/form.js";
import { Button, Field, Loaded, TextField, ask, tell, tellProblem } from "../../ui/index.js";
import { Rich, RichField } from "../editor/rich.js";
import en from "./en.json";

const t = addWords("sections", en);

/** @param {{section: any}} props */
function Section({ section }) {
	const draft = useTouched(),
		title = useSignal(section.title),
		slug = useSignal(section.slug),
		description = useSignal(section.description ?? ""),
		keywords = useSignal(section.keywords.join(", "));
	const rich = useRef(/** @type {Rich | null} */ (null)),
		now = useSignal(section);

	rich.current ??= new Rich(section.content, draft.touch);
	useEffect(() => {
		ownTitle.value = now.value.title;
		crumbs.value = [{ label: wordsOf("pages")("sections"), path: "/sections" }];
	}, [now.value.title]);
	const path = () => `/sections/${segment(now.peek().slug)}`;
	const save = async () => {
		if (!(await mayWriteOver(() => api.get(path()), now.peek().updatedAt))) return false;
		const before = now.peek().slug;

		now.value = await api.put(path(), {
			title: title.value,
			slug: slug.value,
			description: description.value || null,
			content: rich.current.value(),
			keywords: keywords.value
				.split(",")
				.map((one) => one.trim())
				.filter(Boolean),
		});
		if (now.value.slug !== before)
			history.replaceState(
				history.state,
				"",
				`${location.pathname.replace(/[^/]+$/, "")}${segment(now.value.slug)}`,
			);
		return true;
	};
	const remove = async () => {
		if (
			!(await ask({
				title: t("sure", { name: now.value.title }),
				text: t("sureText"),
				yes: t("delete"),
				isFinal: true,
			}))
		)
			return;
		await api.delete(path());
		draft.saved.value = draft.now.value;
		tell(t("deleted", { name: now.value.title }));
		await go("/sections");
	};
	const line = (label, cell, name, at, more = {}) => html`<${TextField} label=${label} value=${cell.value}
		onInput=${(v) => (cell.value = v)} problem=${at(name)} ...${more} />`;

	return html`<div class="head"><h1><bdi>${now.value.title}</bdi></h1>
			${
				section.source === "theme"
					? html`<span class="quiet">${t("ofTheme")}</span>`
					: html`<div class="bs">
					<${Button} kind="out" onClick=${remove} onError=${tellProblem}
						data-remove>${t("delete")}<//></div>`
			}</div>
		<${PageForm} label=${t("form", { name: section.title })} draft=${draft} save=${save} yes=${t("save")}
			fields=${["title", "slug", "description", "keywords", "content"]}>${(at) => html`
			${line(t("name"), title, "title", at, { required: true, maxlength: 200, dir: "auto" })}
			${line(t("short"), slug, "slug", at, {
				required: true,
				maxlength: 200,
				class: "mono",
				spellcheck: false,
				help: t(slug.value === now.value.slug ? "shortHelp" : "shortWarn"),
			})}
			<${Field} label=${t("description")} help=${t("descriptionHelp")}
				problem=${at("description")}>
				${(props) => html`<textarea class="in" rows="2" maxlength="5000" dir="auto" ...${props}
					value=${description.value}
					onInput=${(e) => (description.value = e.currentTarget.value)} />`}<//>
			${line(t("keywords"), keywords, "keywords", at, { help: t("keywordsHelp"), dir: "auto" })}
			<${RichField} rich=${rich.current} name="content" label=${t("content")}
				problem=${at("content")} />`}<//>`;
}

export default function SectionPage({ params }) {
	const one = useLoad((signal) => api.get(`/sections/${segment(params.section)}`, { signal }), [params.section]);

	return html`<${Loaded} from=${one} heading=${t("title")}>${(section) => html`<${Section} key=${section.id} section=${section} />`}
		<//>`;
}

// collection.js - one collection: its settings, its fields, deleting it.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useDraft } from "../../lib/draft.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { forgetDefinition } from "../../lib/schema.js";
import { addWords } from "../../lib/words.js";
import { has, loadManifest, manifest, may } from "../../lib/site.js";
import {
	Field,
	FormFoot,
	Icon,
	Loaded,
	Menu,
	Problem,
	SelectField,
	Switch,
	TextField,
	ask,
	tell,
	tellProblem,
} from "../../ui/index.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { Fields } from "./fields.js";
import { Features } from "./index.js";
import { countOf } from "./plan.js";
import { Lines } from "./rules.js";
import { Search } from "./search.js";
import en from "./en.json";

const t = addWords("schema", en);
const MODERATION = ["all", "first_time", "none"];

function Settings({ item, onSaved }) {
	// Members that the response lacks are not set.
	const draft = useDraft({
		...item,
		"admin.revisionsKept": item.admin?.revisionsKept,
		"admin.listColumns": item.admin?.listColumns ?? [],
	});
	const problem = useSignal(/** @type {any} */ (null)),
		isBusy = useSignal(false),
		isOwn = may("schema:manage");
	const at = (name) => problem.value?.issueAt?.(name);
	const text = (name, more = {}) => html`<${TextField} label=${t(name)} name=${name}
		value=${draft.value(name) ?? ""} onInput=${(v) => draft.set(name, v)} problem=${at(name)}
		...${more} />`;
	const flag = (name, help) => html`<${Field} label=${t(name)} help=${help}
		problem=${at(name)}>
		${(props) => html`<span
			class="row">
			<input type="checkbox" role="switch" class="switch" name=${name}
				checked=${draft.value(name) === true}
				onChange=${(e) => draft.set(name, e.currentTarget.checked)} ...${props} /></span>`}
				<//>`;
	const number = (name, path, more = {}) => html`<${TextField} label=${t(name.split(".").at(-1))} name=${name}
		type="number" class="short num" value=${String(draft.value(name) ?? "")}
		onInput=${(v) => draft.set(name, v === "" ? null : Number(v))} problem=${at(path)} ...${more} />`;
	const ofType = (types) => [
		{ value: "", label: "–" },
		...item.fields.filter((f) => types.includes(f.type)).map((f) => ({ value: f.slug, label: f.label })),
	];

	/**
	 * The body of the request: members of admin in their object; an empty text removes a member that can be
	 * removed.
	 */
	const bodyOf = (changes) => {
		const out = {};

		for (const [name, value] of Object.entries(changes))
			if (name.startsWith("admin."))
				(out.admin ??= {})[name.slice(6)] =
					Array.isArray(value) && value.length === 0 ? null : value;
			else
				out[name] =
					value === "" && ["urlPattern", "titleField", "dateField"].includes(name)
						? null
						: value;
		return out;
	};
	const save = async () => {
		problem.value = null;
		isBusy.value = true;
		try {
			await api.put(`/schema/collections/${segment(item.slug)}`, bodyOf(draft.changes.peek()));
			await onSaved();
			draft.reset();
			tell(t("saved", { name: item.label }));
		} catch (error) {
			problem.value = error;
		} finally {
			isBusy.value = false;
		}
	};
	const listed = draft.value("admin.listColumns");

	return html`<form class="sheet form" noValidate aria-labelledby="settings-h"
		onSubmit=${(e) => {
			e.preventDefault();
			void save();
		}}>
		<h2 id="settings-h">${t("settings")}</h2>
		<${Problem} error=${problem.value}
			shown=${[
				"label",
				"labelSingular",
				"description",
				"urlPattern",
				"supports",
				"titleField",
				"dateField",
				"admin.revisionsKept",
				"admin.listColumns",
				"indexes",
			]} />
		<fieldset class="plain" disabled=${!isOwn}><div class="fields">
			${text("label", { help: t("labelHelp"), maxlength: 500 })}
			${text("labelSingular", { help: t("labelSingularHelp"), maxlength: 500 })}
			${text("description", { maxlength: 5000 })}
			<${Features} value=${draft.value("supports")} onChange=${(next) => draft.set("supports", next)}
				problem=${at("supports")} />
			${text("urlPattern", { class: "mono", help: t("urlPatternHelp"), maxlength: 500 })}
			<${SelectField} label=${t("titleField")} name="titleField"
				value=${draft.value("titleField") ?? ""} onChange=${(v) => draft.set("titleField", v)}
				options=${ofType(["string"])} problem=${at("titleField")} />
			<${SelectField} label=${t("dateField")} name="dateField" value=${draft.value("dateField") ?? ""}
				onChange=${(v) => draft.set("dateField", v)} options=${ofType(["datetime"])}
				problem=${at("dateField")} />
			<${Field} label=${t("listColumns")} isGroup help=${t("listColumnsHelp")}
				problem=${at("admin.listColumns")}>
				${(props) => html`<div class="ticks two"
					...${props}>
					${item.fields
						.filter((f) => !["portableText", "json", "repeater"].includes(f.type))
						.map(
							(f) => html`
				<label class="tick"
					key=${f.slug}>
					<input type="checkbox" checked=${listed.includes(f.slug)}
						disabled=${listed.length >= 4 && !listed.includes(f.slug)}
						onChange=${(e) =>
							draft.set(
								"admin.listColumns",
								e.currentTarget.checked
									? [...listed, f.slug]
									: listed.filter((s) => s !== f.slug),
							)} /> <span>
								${f.label}</span></label>`,
						)}</div>`}<//>
			<${Lines} label=${t("orders")} name="indexes" help=${t("ordersHelp")}
				value=${draft.value("indexes")} onChange=${(v) => draft.set("indexes", v ?? null)}
				problem=${at("indexes")} />
			${number("admin.revisionsKept", "admin.revisionsKept", {
				help: t("revisionsKeptHelp"),
				min: 1,
				max: 1000,
			})}
			<${SelectField} label=${t("requiredOn")} name="requiredOn" help=${t("requiredOnHelp")}
				value=${draft.value("requiredOn")} onChange=${(v) => draft.set("requiredOn", v)}
				options=${["publish", "save"].map((value) => ({ value, label: t(`requiredOn_${value}`) }))}
				problem=${at("requiredOn")} />
			${flag("publicRead", t("publicReadHelp"))}${flag("hidden")}
			${flag("routable", t("routableHelp"))}
			${
				has("comments") &&
				html`${flag("commentsEnabled")}
				${
					draft.value("commentsEnabled") &&
					html`<${SelectField} label=${t("commentsModeration")}
						value=${draft.value("commentsModeration")}
						onChange=${(v) => draft.set("commentsModeration", v)}
						options=${MODERATION.map((value) => ({
							value,
							label: t(`moderation_${value}`),
						}))} />
					${number("commentsClosedAfterDays", "commentsClosedAfterDays", {
						help: t("commentsClosedHelp"),
						min: 0,
					})}
						${flag("commentsAutoApproveUsers")}`
				}`
			}
		</div></fieldset>
		${isOwn && html`<${FormFoot} draft=${draft} isBusy=${isBusy.value} />`}
	</form>`;
}

export default function Collection({ params, query }) {
	const path = `/schema/collections/${segment(params.collection)}`;
	const loaded = useLoad((signal) => api.get(path, { query: { includeFields: "true" }, signal }), [path]),
		item = loaded.data.value?.item;

	useEffect(() => {
		ownTitle.value = item?.label ?? params.collection;
		crumbs.value = [{ label: t("title"), path: "/schema" }];
	}, [item]);
	const reload = async () => {
		forgetDefinition(params.collection);
		await Promise.all([loaded.reload(), loadManifest()]);
	};
	const remove = async () => {
		const n = await countOf(item.slug);

		if (
			!(await ask({
				title: t("deleteSure", { name: item.label }),
				text: t(n === null ? "deleteText" : "deleteCounted", { n }),
				yes: t("delete"),
				isFinal: true,
			}))
		)
			return;
		try {
			await api.delete(path, { query: { force: "true" } });
			forgetDefinition(item.slug);
			await loadManifest();
			await go("/schema", { replace: true });
			tell(t("deleted", { name: item.label }));
		} catch (error) {
			tellProblem(error);
		}
	};
	const isListed = manifest.value.collections.some((c) => c.slug === params.collection);

	return html`<div class="head"><h1><bdi>${item?.label ?? params.collection}</bdi></h1>
			${
				isListed &&
				html`<a class="b"
				href=${href(`/collections/${segment(params.collection)}`)}>${t("toItems")}</a>`
			}
			${
				item &&
				may("schema:manage") &&
				html`<${Menu} label=${t("more", { name: item.label })}
					items=${[{ label: t("delete"), isOut: true, onClick: remove }]}>
					<${Icon} name="more" /><//>`
			}</div>
		<${Loaded} from=${loaded}>
		${(data) => html`<div
			class="blocks wide-blocks"><${Fields} item=${data.item} open=${query.field} reload=${reload} />
			${has("search") && may("search:manage") && html`<${Search} item=${data.item} />`}
			<${Settings} key=${data.item.slug} item=${data.item} onSaved=${reload} /></div>`}<//>`;
}

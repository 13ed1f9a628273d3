// block.js - one type of blocks: its fields, where it is used, its settings, deleting it.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useDraft } from "../../lib/draft.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { collection, loadManifest, may } from "../../lib/site.js";
import { FormFoot, Icon, Loaded, Menu, Problem, TextField, ask, tell, tellProblem } from "../../ui/index.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { FieldDialog } from "../schema/field.js";
import { FieldList, closeField } from "../schema/fieldlist.js";
import { moved } from "../schema/moves.js";
import ofSchema from "../schema/en.json";
import en from "./en.json";

const t = addWords("blocks", en);
const s = addWords("schema", ofSchema);
const MANY = 1000; // uses that are counted before a type is deleted
const SHOWN = 100;
const NOT_IN_BLOCKS = ["portableText", "slug"];
const MEMBERS = ["slug", "label", "type", "required", "defaultValue", "validation", "widget", "options"];

const isEmpty = (value) =>
	value === undefined ||
	value === null ||
	(typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0);

/** The members of a field that its definition has. @param {any} field */
const stored = (field) =>
	Object.fromEntries(MEMBERS.filter((name) => !isEmpty(field[name])).map((name) => [name, field[name]]));

/** @param {{item: any, open?: string, put: (body: any) => Promise<any>}} props open: the field whose dialog is open */
function Fields({ item, open, put }) {
	const all = item.fields;

	const move = (from, to) => put({ fields: moved(all, from, to) });
	const store = (before, now) =>
		put({ fields: before ? all.map((f) => (f === before ? stored(now) : f)) : [...all, stored(now)] });
	const remove = async (field) => {
		if (
			!(await ask({
				title: t("fieldSure", { name: field.label }),
				text: t("fieldText"),
				yes: s("delete"),
				isFinal: true,
			}))
		)
			return;
		try {
			await put({ fields: all.filter((f) => f !== field) });
			tell(t("fieldDeleted", { name: field.label }));
			document.getElementById("main").focus();
		} catch (error) {
			tellProblem(error);
		}
	};

	return html`<${FieldList} all=${all} open=${open} path=${`/blocks/${segment(item.slug)}`}
		flagsOf=${(f) => (f.required ? [s("required")] : [])} move=${move} onFail=${() => {}} remove=${remove}
		none=${html`<p class="quiet">${t("addFields")}</p>`}
		dialog=${(
			types,
			one,
		) => html`<${FieldDialog} key=${open} field=${one} store=${store} flags=${["required"]}
			isFree types=${types.filter(({ name }) => !NOT_IN_BLOCKS.includes(name))}
			within=${`fields[${one ? all.indexOf(one) : all.length}].`} onClose=${closeField}
			onDone=${async (words) => {
				await closeField();
				tell(words);
			}} />`} />`;
}

/** The items that have such blocks. */
function Uses({ slug }) {
	const uses = useLoad(
		(signal) => api.get(`/schema/blocks/${segment(slug)}/uses`, { query: { limit: SHOWN }, signal }),
		[slug],
	);
	const row = (one) => {
		const name = one.title || one.slug || one.id;

		return html`<li key=${one.id}>
			${
				one.deletedAt
					? html`<bdi>${name}</bdi> <span class="tag">${t("inTrash")}</span>`
					: html`<a href=${href(`/collections/${segment(one.collection)}/${segment(one.id)}`)}>
						<bdi>${name}</bdi></a>`
			}
			<span class="meta"> ${collection(one.collection)?.label ?? one.collection}</span></li>`;
	};

	return html`<section class="sheet pad stack" aria-labelledby="uses-h"><h2 id="uses-h">${t("uses")}</h2>
		<${Loaded} from=${uses}
			empty=${({ items }) => items.length === 0 && html`<p class="quiet">${t("usesNone")}</p>`}>
			${({ items }) => html`<ul class="named" data-uses>${items.map(row)}</ul>
				${items.length === SHOWN && html`<p class="quiet">${t("usesMore", { n: SHOWN })}</p>`}`}<//></section>`;
}

function Settings({ item, put }) {
	const draft = useDraft(item),
		problem = useSignal(/** @type {any} */ (null)),
		isBusy = useSignal(false),
		isOwn = may("schema:manage");
	const text = (name, label, more) => html`<${TextField} label=${label} name=${name}
		value=${String(draft.value(name) ?? "")} onInput=${(v) => draft.set(name, v)}
		problem=${problem.value?.issueAt?.(name)} ...${more} />`;
	/** @param {Record<string, any>} changes */
	const bodyOf = ({ sortOrder, description, ...rest }) => ({
		...rest,
		...(description === undefined ? {} : { description: description || null }),
		...(sortOrder === undefined ? {} : { sortOrder: sortOrder === "" ? null : Number(sortOrder) }),
	});
	const save = async () => {
		problem.value = null;
		isBusy.value = true;
		try {
			await put(bodyOf(draft.changes.peek()));
			draft.reset();
			tell(s("saved", { name: item.label }));
		} catch (error) {
			problem.value = error;
		} finally {
			isBusy.value = false;
		}
	};

	return html`<form class="sheet form" noValidate aria-labelledby="settings-h"
		onSubmit=${(e) => {
			e.preventDefault();
			void save();
		}}>
		<h2 id="settings-h">${s("settings")}</h2>
		<${Problem} error=${problem.value} shown=${["label", "description", "sortOrder"]} />
		<fieldset class="plain" disabled=${!isOwn}><div class="fields">
			${text("label", t("label"), { help: t("labelHelp"), maxlength: 500 })}
			${text("description", s("description"), { help: t("descriptionHelp"), maxlength: 2000 })}
			${text("sortOrder", s("order"), { help: t("orderHelp"), type: "number", class: "short num" })}
		</div></fieldset>
		${isOwn && html`<${FormFoot} draft=${draft} isBusy=${isBusy.value} />`}
	</form>`;
}

export default function Block({ params, query }) {
	const path = `/schema/blocks/${segment(params.block)}`;
	const loaded = useLoad((signal) => api.get(path, { signal }), [path]),
		item = loaded.data.value?.item;

	useEffect(() => {
		ownTitle.value = item?.label ?? params.block;
		crumbs.value = [{ label: t("title"), path: "/blocks" }];
	}, [item]);
	const put = async (body) => {
		loaded.data.value = await api.put(path, body);
		await loadManifest();
	};
	const remove = async () => {
		try {
			const { items } = await api.get(`${path}/uses`, { query: { limit: MANY } }),
				n = items.length;

			if (
				!(await ask({
					title: t("deleteSure", { name: item.label }),
					text: t(n === 0 ? "deleteText" : n === MANY ? "deleteUsedMany" : "deleteUsed", {
						n,
					}),
					yes: s("delete"),
					isFinal: true,
				}))
			)
				return;
			// Without force the server refuses if an item has come to use it meanwhile.
			await api.delete(path, n > 0 ? { query: { force: "true" } } : undefined);
			await loadManifest();
			await go("/blocks", { replace: true });
			tell(t("deleted", { name: item.label }));
		} catch (error) {
			tellProblem(error);
		}
	};

	return html`<div class="head"><h1><bdi>${item?.label ?? params.block}</bdi></h1>
			${
				item &&
				may("schema:manage") &&
				html`<${Menu} label=${s("more", { name: item.label })}
					items=${[{ label: s("delete"), isOut: true, onClick: remove }]}>
					<${Icon} name="more" /><//>`
			}</div>
		<${Loaded} from=${loaded}>
		${(data) => html`<div class="blocks wide-blocks">
			<${Fields} item=${data.item} open=${query.field} put=${put} />
			<${Uses} slug=${data.item.slug} />
			<${Settings} key=${data.item.slug} item=${data.item} put=${put} /></div>`}<//>`;
}

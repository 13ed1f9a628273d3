// terms.js - the terms of a taxonomy in one of the site's languages, as a tree or a list, in their order.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { useQuiet } from "../../lib/pages.js";
import { go } from "../../lib/router.js";
import { byName } from "../../lib/site.js";
import { termsOf } from "../../lib/terms.js";
import { grow, walk } from "../../lib/tree.js";
import { wordsOf } from "../../lib/words.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { Button, Empty, Icon, Loaded, Mark, Menu, tellProblem } from "../../ui/index.js";
import { Locales } from "../../ui/locales.js";
import { Tree, focusRow, neighbour } from "../../ui/tree.js";
import { TaxonomyForm, removeTaxonomy, t } from "./form.js";
import { storeMove } from "./move.js";
import { TermForm, removeTerm } from "./term.js";

const MANY = 20; // terms from which on a search field is shown

/** Loads the terms as a tree; the id of a node is the translation group of its term. */
async function load(name, locale, signal) {
	const taxonomy = byName((await api.get("/taxonomies", { signal })).taxonomies).find((one) => one.name === name);

	if (!taxonomy)
		// fail with the server's message
		await api.get(`/taxonomies/${segment(name)}`, { signal });
	const { rows, isWhole } = await termsOf(name, locale, signal);

	return {
		taxonomy,
		isWhole,
		roots: grow(
			rows.map((row) => ({ ...row, rowId: row.id })),
			(one) => one.translationGroup,
			(one) => (taxonomy.hierarchical ? one.parentId : null),
		),
	};
}

function Terms({ name, locale }) {
	const all = useLoad((signal) => load(name, locale, signal), []),
		find = useSignal(""),
		type = useQuiet((text) => (find.value = text));
	const form = useSignal(/** @type {any} */ (null)),
		isEditing = useSignal(false),
		data = all.data.value,
		taxonomy = data?.taxonomy;
	const label = taxonomy?.all.find((one) => one.locale === locale)?.label ?? taxonomy?.label ?? "";

	useEffect(() => {
		ownTitle.value = label;
		crumbs.value = [{ label: wordsOf("pages")("taxonomies"), path: "/taxonomies" }];
	}, [label]);
	const trying = async (work) => {
		try {
			await work();
		} catch (error) {
			tellProblem(error);
		}
	};
	const onMove = async (id, place, next) => {
		all.data.value = { ...data, roots: next };
		try {
			await storeMove(taxonomy, data.roots, id, place);
		} catch (error) {
			await all.reload(); // somebody else may have moved something
			throw error;
		}
	};
	const remove = (term) =>
		trying(async () => {
			const beside = neighbour(data.roots, term.id);

			if (await removeTerm(taxonomy, term)) {
				await all.reload();
				focusRow(beside);
			}
		});
	const isHere = (term) => term.locale === locale;
	const actions = (term) => [
		{
			label: isHere(term) ? t("editOf", { name: term.label }) : t("translate"),
			onClick: () => (form.value = { term }),
		},
		taxonomy.hierarchical && { label: t("addBelow"), onClick: () => (form.value = { below: term.id }) },
		isHere(term) && { label: t("delete"), isOut: true, onClick: () => remove(term) },
	];
	const count = data ? walk(data.roots).length : 0;

	return html`<div class="head"><h1>${label ? html`<bdi>${label}</bdi>` : t("title")}</h1>
			${
				taxonomy &&
				html`<div
				class="bs"><${Menu} label=${t("more", { name: label })}
				items=${[
					{ label: t("edit"), onClick: () => (isEditing.value = true) },
					{
						label: t("deleteTaxonomy"),
						isOut: true,
						onClick: () =>
							trying(async () => {
								if (await removeTaxonomy(taxonomy))
									await go("/taxonomies");
							}),
					},
				]}>
						<${Icon} name="more" /><//>
			<${Button} kind="go" onClick=${() => (form.value = { below: null })} data-add>${t("add")}<//>
			</div>`
			}</div>
		<${Locales} at=${locale} path=${(to) => `/taxonomies/${segment(name)}/${segment(to)}`} />
		<div class="sheet">
			${
				count >= MANY &&
				html`<form class="tools" role="search"
					onSubmit=${(e) => e.preventDefault()}>
					<label class="find"><span class="sr">${t("find")}</span><${Icon} name="find" />
					<input class="in" type="search" placeholder=${t("find")}
						onInput=${(e) => type(e.currentTarget.value)} /></label></form>`
			}
			<${Loaded} from=${all}
				empty=${(d) => d.roots.length === 0 && html`<${Empty} title=${t("noneTerms")} />`}>
				${(d) => html`
				<${Tree} label=${t("terms", { name: label })} roots=${d.roots}
					isFlat=${!taxonomy.hierarchical} match=${find.value}
					nameOf=${(term) => term.label} onOpen=${(term) => (form.value = { term })}
					onMove=${d.isWhole ? onMove : undefined} actions=${actions}
					sub=${(term) =>
						isHere(term)
							? html`<code>${term.slug}</code>`
							: html`<${Mark} kind="draft">${t("notHere")}<//>`}
						after=${(term) => t("count", { n: term.count ?? 0 })} />`}<//></div>
		${
			form.value &&
			html`<${TermForm} taxonomy=${taxonomy} locale=${locale} roots=${data.roots} ...${form.value}
				onClose=${() => (form.value = null)} onSaved=${all.reload} />`
		}
		${
			isEditing.value &&
			html`<${TaxonomyForm} of=${taxonomy} locale=${locale}
				onClose=${() => (isEditing.value = false)} onSaved=${all.reload} />`
		}`;
}

export default ({ params }) => html`<${Terms} key=${`${params.name} ${params.locale}`} name=${params.name}
	locale=${params.locale} />`;

// addresses - the slugs that an item had, which lead to it. Loaded with the panel, if the item was ever public.
import { api, segment } from "../../../lib/api.js";
import { html } from "../../../lib/html.js";
import { useLoad } from "../../../lib/load.js";
import { href } from "../../../lib/router.js";
import { formatter } from "../../../lib/words.js";
import { ask, say, tellProblem } from "../../../ui/index.js";
import { mayPublish } from "../actions.js";
import { Part } from "../part.js";
import { t } from "./words.js";

const day = (iso) => formatter("DateTimeFormat", { dateStyle: "medium" }).format(new Date(iso));

/** @param {{item: any}} props */
export function Addresses({ item }) {
	const { slug, status } = item.meta.value;
	const list = useLoad((signal) => api.get(`${item.path}/redirects`, { signal }), [slug, status]);
	const { items = [], replaces } = list.data.value ?? {};
	const forget = async (one) => {
		const isSure = await ask({
			title: t("forgetTitle", { slug: one.slug }),
			text: t("forgetText"),
			yes: t("forgetYes"),
			isFinal: true,
		});

		if (!isSure) return;
		try {
			await api.delete(`${item.path}/redirects/${segment(one.slug)}`, {
				query: { locale: one.locale },
			});
			say(t("forgotten"));
			list.reload();
		} catch (error) {
			tellProblem(error);
		}
	};

	if (items.length === 0 && !replaces) return null;
	return html`<${Part} title=${t("title")} value=${items.length || undefined} isOpen=${Boolean(replaces)}>
		${
			replaces &&
			html`<p class="help">${t("replaces")} <a
				href=${href(`/collections/${item.collection.slug}/${replaces.id}`)}><bdi>${replaces.slug}</bdi></a></p>`
		}
		${
			items.length > 0 &&
			html`<p class="help">${t("help")}</p><ul class="order" role="list">${items.map(
				(one) => html`<li key=${`${one.slug} ${one.locale}`}>
				<span><bdi class="mono">${one.slug}</bdi> <small class="help">${t("until", { time: day(one.leftAt) })}</small></span>
				${
					mayPublish(item) &&
					html`<button type="button" class="b bare square" aria-label=${t("forget", { slug: one.slug })}
						onClick=${() => forget(one)}><span aria-hidden="true">×</span></button>`
				}</li>`,
			)}</ul>`
		}<//>`;
}

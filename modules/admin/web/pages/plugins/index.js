// plugins - the modules of the site: which exist, which are on, and why one does not run.
import { useSignal } from "@preact/signals";
import { holds } from "../../lib/fold.js";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { may } from "../../lib/site.js";
import { Icon, Loaded } from "../../ui/index.js";
import { Consent } from "./consent.js";
import { aboutOf, capability, pathOf } from "./say.js";
import { StateMark } from "./state.js";
import { canTurn, inUse, turn } from "./turn.js";
import en from "./en.json";

const t = addWords("plugins", en);

function Row({ one, onTurn }) {
	return html`<li class="plug" data-id=${one.id}>
		<div><h3><a href=${href(pathOf(one))}><bdi>${one.name}</bdi></a> <span class="meta">${one.version}
		</span></h3><p>${aboutOf(one)}</p>
			${one.reason && html`<p class="problem">${one.reason}</p>`}
			${
				one.capabilities.length > 0 &&
				html`<p class="may">
					${one.capabilities.map(
						(name) => html`<span class="tag"
						key=${name}><bdi>${capability(name)}</bdi></span>`,
					)}</p>`
			}</div>
		<${StateMark} one=${one} />
		${
			may("plugins:manage") && canTurn(one)
				? html`<label
				class="tick"><span class="sr">${t("use", { name: one.name })}</span>
				<input type="checkbox" role="switch" class="switch" checked=${inUse(one)}
					onChange=${(e) => onTurn(one, e.currentTarget)} /></label>`
				: html`<span class="meta">${one.required && t("required")}</span>`
		}
	</li>`;
}

export default function Plugins({ query }) {
	const plugins = useLoad((signal) => api.get("/admin/plugins", { signal }), []);
	const asked = useSignal(/** @type {any} */ (null)),
		words = useSignal(query.q ?? "");

	const onTurn = async (one, box) => {
		// The box shows the current state, not the requested one.
		box.checked = inUse(one);
		if (one.source === "plugin" && !inUse(one)) asked.value = one;
		else await turn(one, !inUse(one), plugins.reload);
	};
	const agree = async () => {
		const one = asked.value;

		asked.value = null;
		await turn(one, true, plugins.reload);
	};
	const fits = (one) => holds(`${one.name} ${aboutOf(one)}`, words.value);
	const section = (source, all) => {
		const rows = all.filter((one) => one.source === source && fits(one));

		return html`<section class="sheet"
			aria-labelledby=${`h-${source}`}>
			<div class="plug-head"><h2 id=${`h-${source}`}>${t(source)}</h2></div>
			${
				rows.length > 0
					? html`<ul role="list">
					${rows.map((one) => html`<${Row} key=${one.id} one=${one} onTurn=${onTurn} />`)}
					</ul>`
					: html`<p
						class="quiet pad">
						${t(words.value.trim() ? "noneFound" : `none_${source}`)}</p>`
			}
						</section>`;
	};

	return html`<div class="head"><h1>${t("title")}</h1>
			<label class="find"><span class="sr">${t("search")}</span><${Icon} name="find" />
			<input class="in" type="search" placeholder=${t("search")} value=${words.value}
				onInput=${(e) => (words.value = e.currentTarget.value)} /></label></div>
		<${Loaded} from=${plugins}>
		${(data) => html`<div
			class="prefs-main">${section("plugin", data.items)}${section("bundled", data.items)}</div>`}<//>
		${
			asked.value &&
			html`<${Consent} one=${asked.value} onClose=${() => (asked.value = null)}
				onAgree=${agree} />`
		}`;
}

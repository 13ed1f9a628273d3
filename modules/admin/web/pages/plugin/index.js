// plugin - one module: its description and features, whether assistants may use its tools, and its settings.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { addWords } from "../../lib/words.js";
import { has, may } from "../../lib/site.js";
import { Button, Loaded, Switch, Time, tell, tellProblem } from "../../ui/index.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { Consent } from "../plugins/consent.js";
import { aboutOf, brings, capability } from "../plugins/say.js";
import { StateMark } from "../plugins/state.js";
import { canTurn, inUse, turn } from "../plugins/turn.js";
import plugins from "../plugins/en.json";
import { Settings } from "./settings.js";
import en from "./en.json";

const t = addWords("plugin", en),
	tp = addWords("plugins", plugins);

/** Assistants see a plugin's tools only if an administrator allows it. */
function Tools({ one, reload }) {
	const put = async (enabled) => {
		try {
			await api.put(`/admin/plugins/${segment(one.id)}/mcp`, { enabled });
			tell(t(enabled ? "toolsOn" : "toolsOff", { name: one.name }));
		} catch (error) {
			tellProblem(error);
		}
		await reload();
	};

	return html`<section class="sheet block"
		aria-labelledby="tools-h"><div class="head"><h2 id="tools-h">${t("tools")}</h2></div>
		${
			one.source === "plugin" &&
			has("mcp") &&
			may("plugins:manage") &&
			html`<p><${Switch} isOn=${one.mcpToolsEnabled} disabled=${one.status !== "active"}
				onChange=${put} label=${t("letTools")} data-tools /></p>`
		}
		<ul role="list"
			class="things">
			${one.mcpTools.map(
				(tool) => html`<li
				key=${tool.name}>
				<div><strong><code>${tool.name}</code>
				${tool.destructive && html` <span class="tag">${t("destructive")}</span>`}</strong>
				<small>${tool.description}</small></div></li>`,
			)}</ul></section>`;
}

function About({ one }) {
	const dates = ["installedAt", "activatedAt", "deactivatedAt"].filter(
		(name) => one[name] && !(name === "deactivatedAt" && one.status === "active"),
	);

	return html`<section class="sheet block"
		aria-labelledby="about-h">
		<div class="head"><h2 id="about-h">${t("about")}</h2><${StateMark} one=${one} /></div>
		<p class="lead">${aboutOf(one)}</p>
		${
			one.reason &&
			html`<p class="note wrong">
				${one.suspended ? t("suspended", { reason: one.reason }) : one.reason}</p>`
		}
		<dl class="facts"><div><dt>${t("version")}</dt><dd>${one.version}</dd></div>
		<div><dt>${t("source")}</dt><dd>${t(`from_${one.source}`)}</dd></div>
			${
				one.capabilities.length > 0 &&
				html`<div><dt>${tp("may")}</dt>
					<dd>${one.capabilities.map(
						(name) => html`<span class="tag"
						key=${name}><bdi>${capability(name)}</bdi></span> `,
					)}</dd></div>`
			}
			${dates.map(
				(name) => html`<div
				key=${name}><dt>${t(name)}</dt><dd><${Time} at=${one[name]} /></dd></div>`,
			)}</dl>
		${brings(one)
			.filter(({ what }) => what !== "tools")
			.map(
				({ what, names }) => html`<details
				key=${what}>
				<summary>${tp(what)}<span class="value">${tp("number", { n: names.length })}</span>
				</summary><p
				class="may">${names.map((name) => html`<code class="tag" key=${name}>${name}</code>`)}
				</p></details>`,
			)}
	</section>`;
}

export default function Plugin({ params }) {
	const plugin = useLoad((signal) => api.get(`/admin/plugins/${segment(params.id)}`, { signal }), [params.id]);
	const isAsked = useSignal(false),
		one = plugin.data.value?.item;

	useEffect(() => {
		ownTitle.value = params.id;
		crumbs.value = [{ label: tp("title"), path: "/plugins" }];
	}, [params.id]);
	const press = () => {
		if (one.source === "plugin" && !inUse(one)) isAsked.value = true;
		else return turn(one, !inUse(one), plugin.reload);
	};
	const agree = async () => {
		isAsked.value = false;
		await turn(one, true, plugin.reload);
	};

	return html`<div
		class="head"><h1><bdi>${params.id}</bdi></h1>
		${
			one &&
			may("plugins:manage") &&
			canTurn(one) &&
			html`<${Button} kind=${inUse(one) ? "out" : "go"} onClick=${press}
				data-turn>${tp(inUse(one) ? "turnOff" : "turnOn")}<//>`
		}</div>
		<${Loaded} from=${plugin}>${({ item }) => html`<div class="blocks">
			<${About} one=${item} />
			${
				item.hasSettings &&
				may("plugins:manage") &&
				item.status !== "refused" &&
				html`<${Settings} key=${item.id} id=${item.id} />`
			}
			${item.mcpTools.length > 0 && html`<${Tools} one=${item} reload=${plugin.reload} />`}
		</div>`}<//>
		${
			isAsked.value &&
			html`<${Consent} one=${one} onClose=${() => (isAsked.value = false)} onAgree=${agree} />`
		}`;
}

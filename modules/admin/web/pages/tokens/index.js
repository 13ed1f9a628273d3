// tokens - creates, lists and revokes tokens: personal ones that act for the person, and site tokens without a user.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { addWords, hasWord } from "../../lib/words.js";
import {
	Button,
	Dialog,
	Empty,
	Field,
	Loaded,
	Once,
	Problem,
	Table,
	TextField,
	Tick,
	Time,
	ask,
	tell,
	tellProblem,
} from "../../ui/index.js";
import en from "./en.json";

const t = addWords("tokens", en);
const SCOPES = [
	"content:read",
	"content:write",
	"content:draft",
	"media:read",
	"media:write",
	"schema:read",
	"schema:write",
	"taxonomies:manage",
	"menus:manage",
	"settings:read",
	"settings:manage",
	"mcp:tools",
	"admin",
];
const OWN = { path: "/admin/api-tokens", title: "title", make: "make", about: "about", none: "none", hasScopes: true };
const DELIVERY = {
	path: "/admin/delivery-tokens",
	title: "delivery",
	make: "makeDelivery",
	about: "aboutDelivery",
	none: "noDelivery",
	hasScopes: false,
};

/** @param {{kind: typeof OWN, onClose: () => void, onMade: (answer: any) => any}} props */
function Make({ kind, onClose, onMade }) {
	const name = useSignal(""),
		scopes = useSignal(/** @type {string[]} */ ([])),
		until = useSignal(""),
		problem = useSignal(/** @type {any} */ (null)),
		asked = useSignal(false);
	const lacksScope = kind.hasScopes && scopes.value.length === 0;

	const make = async () => {
		asked.value = true;
		if (lacksScope) return;
		problem.value = null;
		try {
			onMade(
				await api.post(kind.path, {
					name: name.value,
					expiresAt: until.value ? `${until.value}T23:59:59Z` : null,
					...(kind.hasScopes ? { scopes: scopes.value } : {}),
				}),
			);
		} catch (error) {
			problem.value = error;
		}
	};

	return html`<${Dialog} title=${t(kind.make)} onClose=${onClose} onSubmit=${make}
		actions=${html`<${Button} kind="go" type="submit">${t(kind.make)}<//>`}>
		<p class="lead">${t(kind.about)}</p>
		<${Problem} error=${problem.value} shown=${["name", "scopes", "expiresAt"]} />
		<div class="fields">
			<${TextField} label=${t("name")} required maxlength="100" value=${name.value}
				onInput=${(v) => (name.value = v)} problem=${problem.value?.issueAt?.("name")} />
			${
				kind.hasScopes &&
				html`<${Field} label=${t("scopes")} isGroup
					problem=${
						asked.value && lacksScope
							? t("noScope")
							: problem.value?.issueAt?.("scopes")
					}>
						${(props) => html`<div class="ticks two"
							...${props}>${SCOPES.map(
								(one) => html`
				<${Tick} key=${one} name="scope" value=${one} isOn=${scopes.value.includes(one)}
					onChange=${(isOn) =>
						(scopes.value = isOn
							? [...scopes.value, one]
							: scopes.value.filter((s) => s !== one))}>${t(one)}<//>`,
							)}</div>`}<//>`
			}
			<${TextField} label=${t("expires")} type="date" class="half" help=${t("expiresHelp")}
				value=${until.value} onInput=${(v) => (until.value = v)}
				problem=${problem.value?.issueAt?.("expiresAt")} />
		</div>
	<//>`;
}

/** The tokens of a kind. @param {{kind: typeof OWN, heading: (text: any, button: any) => any}} props */
function Tokens({ kind, heading }) {
	const tokens = useLoad((signal) => api.get(kind.path, { signal }), []);
	const isMaking = useSignal(false),
		made = useSignal(/** @type {any} */ (null));

	const onMade = async (answer) => {
		isMaking.value = false;
		made.value = answer;
		await tokens.reload();
	};
	const revoke = async (one) => {
		if (
			!(await ask({
				title: t("sure", { name: one.name }),
				text: t("sureText"),
				yes: t("revoke"),
				isFinal: true,
			}))
		)
			return;
		try {
			await api.delete(`${kind.path}/${segment(one.id)}`);
			if (made.value?.info.id === one.id) made.value = null;
			tell(t("revoked", { name: one.name }));
			await tokens.reload();
			document.getElementById("main").focus();
		} catch (error) {
			tellProblem(error);
		}
	};
	const columns = [
		{
			name: "name",
			label: t("name"),
			isHead: true,
			class: "c-title",
			cell: (one) => html`<bdi>${one.name}
			</bdi>${one.suspended && html` <span class="tag">${t("suspended")}</span>`}
			<span class="sub"><code>${one.prefix}…</code>
			${
				one.expiresAt &&
				html`<span class="only-narrow"> · ${t("until")} <${Time} at=${one.expiresAt} />
					</span>`
			}</span>`,
		},
		kind.hasScopes && {
			name: "scopes",
			label: t("scopes"),
			cell: (one) =>
				one.scopes.map(
					(s) => html`<span
			class="tag" key=${s}>${hasWord("tokens", s) ? t(s) : s}</span> `,
				),
		},
		{
			name: "used",
			label: t("used"),
			class: "c-by meta",
			cell: (one) => html`<${Time} at=${one.lastUsedAt}
			empty=${t("never")} />`,
		},
		{
			name: "until",
			label: t("until"),
			class: "c-up meta",
			cell: (one) => html`<${Time} at=${one.expiresAt}
			empty=${t("forever")} />`,
		},
		{
			name: "more",
			label: t("revoke"),
			isHidden: true,
			class: "c-do",
			cell: (one) => html`<${Button}
			kind="small out" onClick=${() => revoke(one)}
			aria-label=${t("revokeOf", { name: one.name })}>${t("revoke")}<//>`,
		},
	].filter(Boolean);

	return html`${heading(
		t(kind.title),
		html`<${Button} kind=${kind.hasScopes ? "go" : ""} onClick=${() => (isMaking.value = true)}
			data-make=${kind.title}>${t(kind.make)}<//>`,
	)}
		${
			made.value &&
			html`<${Once} title=${t("made", { name: made.value.info.name })} text=${t("copyNow")}
				secret=${made.value.token} onClose=${() => (made.value = null)} data-token />`
		}
		${tokens.data.value?.items.length > 0 && html`<p class="lead lead-in">${t(kind.about)}</p>`}
		<div class="sheet list">
		<${Loaded} from=${tokens}
			empty=${(data) =>
				data.items.length === 0 &&
				html`<${Empty} title=${t(kind.none)}><p class="quiet">${t(kind.about)}</p><//>`}>
			${(data) => html`<${Table} caption=${t(kind.title)} rows=${data.items} id=${(one) => one.id}
				columns=${columns} />`}<//></div>
		${
			isMaking.value &&
			html`<${Make} kind=${kind} onClose=${() => (isMaking.value = false)} onMade=${onMade} />`
		}`;
}

const first = (text, button) => html`<div class="head"><h1>${text}</h1>${button}</div>`;
const further = (text, button) => html`<div class="head"><h2 id="delivery-h">${text}</h2>${button}</div>`;

export default () => html`<${Tokens} kind=${OWN} heading=${first} />
	<section class="below" aria-labelledby="delivery-h"><${Tokens} kind=${DELIVERY} heading=${further} />
	</section>`;

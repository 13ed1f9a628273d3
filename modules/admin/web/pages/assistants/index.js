// assistants - programs that act for people: those that the person has authorized; for administrators, all known ones.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { ROOT, api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { addWords, hasWord } from "../../lib/words.js";
import { has, may } from "../../lib/site.js";
import { Button, Empty, Field, Loaded, Table, TextField, Time, ask, say, tell, tellProblem } from "../../ui/index.js";
import { FormDialog } from "../../ui/form.js";
import { Pager } from "../../ui/lists.js";
import tokens from "../tokens/en.json";
import en from "./en.json";

const t = addWords("assistants", en),
	ts = addWords("tokens", tokens);
const TOOLS_OF = "mcp:tools:";

/** A scope in words. @param {string} scope */
const scopeWord = (scope) =>
	hasWord("tokens", scope)
		? ts(scope)
		: scope.startsWith(TOOLS_OF)
			? t("toolsOf", { plugin: scope.slice(TOOLS_OF.length) })
			: scope;

/** The host of a client, if its id is a URL. @param {string} id */
function hostOf(id) {
	try {
		return new URL(id).host;
	} catch {
		return "";
	}
}

/** The address that a person enters in an assistant to connect it. */
function Address() {
	const isCopied = useSignal(false),
		address = `${location.origin}${ROOT}/mcp`;
	const copy = async () => {
		await navigator.clipboard.writeText(address);
		isCopied.value = true;
		say(t("copied"));
	};

	return html`<div
		class="note"><p>${t("connect")} <code class="secret" dir="ltr">${address}</code></p>
		<${Button} kind="small" onClick=${copy}>${t(isCopied.value ? "copied" : "copy")}<//></div>`;
}

const LIMITS = ["callsPerMinute", "writesPerHour", "batchItems", "deletionsPerDay"];

/** The dialog for how much a program may do. */
function Limits({ grant, onClose, onSaved }) {
	const values = useSignal(Object.fromEntries(LIMITS.map((key) => [key, String(grant.limits[key])])));
	const save = async () => {
		await api.put(
			`/auth/grants/${segment(grant.id)}`,
			Object.fromEntries(LIMITS.map((key) => [key, Number(values.value[key])])),
		);
		tell(t("limitsSaved", { name: grant.name }));
		await onSaved();
	};

	return html`<${FormDialog} title=${t("limitsOf", { name: grant.name })} lead=${t("limitsAbout")}
		yes=${t("limitsSave")} save=${save} onClose=${onClose} fields=${LIMITS}>${(at) =>
			LIMITS.map(
				(
					key,
				) => html`<${TextField} key=${key} label=${t(key)} type="number" min="0" max="1000000"
					required name=${key} class="half" value=${values.value[key]}
					onInput=${(v) => (values.value = { ...values.value, [key]: v })} problem=${at(key)} />`,
			)}<//>`;
}

/** What every assistant is told about how this site writes. */
function Guide() {
	const guide = useLoad((signal) => api.get("/guide", { signal }), []);
	const text = useSignal(/** @type {string | null} */ (null)),
		isBusy = useSignal(false);
	const save = async (event) => {
		event.preventDefault();
		isBusy.value = true;
		try {
			await api.put("/guide", { text: text.value ?? guide.data.value.text });
			tell(t("guideSaved"));
		} catch (error) {
			tellProblem(error);
		}
		isBusy.value = false;
	};

	return html`<section aria-labelledby="guide-h" data-guide><h2 id="guide-h">${t("guide")}</h2>
		<${Loaded} from=${guide}>${(data) => html`<form class="sheet form" onSubmit=${save}>
			<${Field} label=${t("guideText")} help=${t("guideHelp")}>${(
				props,
			) => html`<textarea class="in" rows="8"
				maxlength="20000" dir="auto" name="guide" value=${text.value ?? data.text}
				onInput=${(e) => (text.value = e.currentTarget.value)} ...${props}></textarea>`}<//>
			<footer class="form-foot"><div class="bs"><${Button} kind="go" type="submit" isBusy=${isBusy.value}
				data-save-guide>${t("guideSave")}<//></div></footer></form>`}<//></section>`;
}

function Grants() {
	const limited = useSignal(/** @type {any} */ (null));
	const grants = useLoad((signal) => api.get("/auth/grants", { signal }), []);
	const withdraw = async (one) => {
		if (
			!(await ask({
				title: t("sure", { name: one.name }),
				text: t("sureText"),
				yes: t("withdraw"),
				isFinal: true,
			}))
		)
			return;
		try {
			await api.delete(`/auth/grants/${segment(one.id)}`);
			tell(t("withdrawn", { name: one.name }));
			await grants.reload();
			document.getElementById("main").focus();
		} catch (error) {
			tellProblem(error);
		}
	};
	const columns = [
		{
			name: "name",
			label: t("program"),
			isHead: true,
			class: "c-plain",
			cell: (one) => html`<bdi>
			${one.name}</bdi>
			<span class="sub"><bdi>${hostOf(one.clientId) || t("unproved")}</bdi>
			<span class="only-narrow"> · ${t("used")} <${Time} at=${one.lastUsedAt} /></span></span>`,
		},
		{
			name: "scopes",
			label: t("may"),
			cell: (one) => html`<ul
			class="named plain-list">${one.scopes.map((s) => html`<li key=${s}>${scopeWord(s)}</li>`)}</ul>
			${one.resource && html`<span class="sub">${t("toolsOnly")}</span>`}
			<span class="sub" data-limited>${LIMITS.filter((key) => one.limits[key] > 0)
				.map((key) => `${t(key)}: ${one.limits[key]}`)
				.join(" · ")}</span>`,
		},
		{
			name: "since",
			label: t("since"),
			class: "c-by meta",
			cell: (one) => html`<${Time}
			at=${one.createdAt} />`,
		},
		{
			name: "used",
			label: t("used"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.lastUsedAt} />`,
		},
		{
			name: "do",
			label: t("withdraw"),
			isHidden: true,
			class: "c-do",
			cell: (one) => html`<${Button} kind="small" onClick=${() => (limited.value = one)}
			aria-label=${t("limitsOf", { name: one.name })} data-limits>${t("limits")}<//>
			<${Button} kind="small out" onClick=${() => withdraw(one)}
			aria-label=${t("withdrawOf", { name: one.name })} data-withdraw>${t("withdraw")}<//>`,
		},
	];

	return html`<section aria-labelledby="mine-h"
		data-grants>${
			limited.value &&
			html`<${Limits} grant=${limited.value} onClose=${() => (limited.value = null)}
				onSaved=${async () => {
					limited.value = null;
					await grants.reload();
				}} />`
		}<h2 id="mine-h">${t("mine")}</h2>
		<div class="sheet list">
		<${Loaded} from=${grants}
			empty=${(data) =>
				data.items.length === 0 &&
				html`<${Empty} title=${t("none")}><p class="quiet">${t("about")}</p><//>`}>
		${(data) => html`<${Table} caption=${t("mine")} rows=${data.items} id=${(one) => one.id}
			columns=${columns} />`}<//></div></section>`;
}

/** All programs that the site knows, of all people. */
function Clients({ cursor }) {
	const clients = useLoad((signal) => api.get("/admin/oauth-clients", { query: { cursor }, signal }), [cursor]);
	const remove = async (one) => {
		if (
			!(await ask({
				title: t("removeSure", { name: one.name }),
				text: t("removeText"),
				yes: t("remove"),
				isFinal: true,
			}))
		)
			return;
		try {
			await api.delete(`/admin/oauth-clients/${segment(one.id)}`);
			tell(t("removed", { name: one.name }));
			await clients.reload();
			document.getElementById("main").focus();
		} catch (error) {
			tellProblem(error);
		}
	};
	const columns = [
		{
			name: "name",
			label: t("program"),
			isHead: true,
			class: "c-plain",
			cell: (one) => html`<bdi>
			${one.name}</bdi>
			<span class="sub">
			${one.id !== one.name && html`<bdi>${one.id}</bdi><span class="only-narrow"> · </span>`}
			<span class="only-narrow">${t("kind")} ${t(`kind_${one.kind}`)}</span></span>`,
		},
		{ name: "kind", label: t("kind"), class: "meta wide-only", cell: (one) => t(`kind_${one.kind}`) },
		{
			name: "limit",
			label: t("most"),
			class: "c-by",
			cell: (one) => (one.scopes === null ? t("asUsers") : one.scopes.map(scopeWord).join(", ")),
		},
		{
			name: "used",
			label: t("agreed"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.lastUsedAt} empty=${t("never")} />`,
		},
		{
			name: "do",
			label: t("remove"),
			isHidden: true,
			class: "c-do",
			cell: (one) => html`<${Button}
			kind="small out" onClick=${() => remove(one)} aria-label=${t("removeOf", { name: one.name })}
			data-remove>${t("remove")}<//>`,
		},
	];

	return html`<section class="below" aria-labelledby="all-h"
		data-clients><h2 id="all-h">${t("all")}</h2><p class="lead">${t("allAbout")}</p>
		<div class="sheet list">
		<${Loaded} from=${clients}
			empty=${(data) => data.items.length === 0 && html`<${Empty} title=${t("noClients")} />`}>
		${(data) => html`<${Table} caption=${t("all")} rows=${data.items} id=${(one) => one.id}
			columns=${columns} /><${Pager} cursor=${cursor} next=${data.nextCursor} />`}<//></div>
			</section>`;
}

export default function Assistants({ query }) {
	return html`<div class="head"><h1>${t("title")}</h1></div>
		${has("mcp") && html`<div class="notices"><${Address} /></div>`}
		<div class="stack-3"><${Grants} />${has("mcp") && may("guide:write") && html`<${Guide} />`}${may("users:manage") && html`<${Clients} cursor=${query.cursor} />`}
		</div>`;
}

// users - the accounts with their roles, and invitations.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { setQuery } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { manifest, may } from "../../lib/site.js";
import {
	Button,
	Copy,
	Dialog,
	Empty,
	Icon,
	Loaded,
	Mark,
	Menu,
	Problem,
	SelectField,
	Table,
	TextField,
	Time,
	tell,
	tellProblem,
} from "../../ui/index.js";
import en from "./en.json";

const t = addWords("users", en);
const ROLES = [10, 20, 30, 40, 50];
/** Roles that this person may give: not above their own. */
const given = () => ROLES.filter((role) => role <= manifest.value.user.role);

/** A mail address that wraps before its @ rather than within a word. */
function Mail({ address }) {
	const at = address.lastIndexOf("@");

	return html`<bdi>${address.slice(0, at)}<wbr />${address.slice(at)}</bdi>`;
}

function Invite({ onClose, onDone }) {
	const email = useSignal(""),
		role = useSignal("30"),
		problem = useSignal(/** @type {any} */ (null)),
		link = useSignal(""),
		shown = useRef(/** @type {HTMLElement | null} */ (null));

	// The field or button that had the focus is gone.
	useEffect(() => shown.current?.focus(), [link.value]);
	const send = async () => {
		problem.value = null;
		try {
			const answer = await api.post("/auth/invite", { email: email.value, role: Number(role.value) });
			await onDone();
			if (answer.inviteUrl) link.value = answer.inviteUrl;
			else {
				tell(t("invited", { email: email.value }));
				onClose();
			}
		} catch (error) {
			problem.value = error;
		}
	};
	return html`<${Dialog} title=${t("invite")} onClose=${onClose} onSubmit=${send}
		hasCancel=${!link.value} actions=${
			link.value
				? html`<${Button} key="done" kind="go" onClick=${onClose} data-done>${t("done")}<//>`
				: html`<${Button} key="send" kind="go" type="submit">${t("send")}<//>`
		}>
		<${Problem} error=${problem.value} shown=${["email", "role"]} />
		${
			link.value
				? html`<p class="lead" tabindex="-1" ref=${shown}>${t("handOver")}</p>
				<p><code class="secret" data-link>${link.value}</code></p><p><${Copy} text=${link.value} /></p>`
				: html`<div class="fields">
				<${TextField} label=${t("email")} type="email" required value=${email.value}
					onInput=${(v) => (email.value = v)}
					problem=${problem.value?.issueAt?.("email")} />
				<${SelectField} label=${t("role")} value=${role.value}
					onChange=${(v) => (role.value = v)} help=${t(`about${role.value}`)}
					problem=${problem.value?.issueAt?.("role")}
					options=${given().map((r) => ({ value: String(r), label: t(`role${r}`) }))} />
			</div>`
		}
	<//>`;
}

function Invitations({ invites }) {
	const withdraw = async (one) => {
		try {
			await api.delete(`/auth/invite/${segment(one.id)}`);
			tell(t("withdrawn", { email: one.email }));
			await invites.reload();
			document.getElementById("main").focus();
		} catch (error) {
			tellProblem(error);
		}
	};
	const columns = [
		{
			name: "email",
			label: t("email"),
			isHead: true,
			class: "c-plain",
			cell: (one) => html`<${Mail}
			address=${one.email} />
			<span class="sub only-narrow">${t("expires")} <${Time} at=${one.expiresAt} /></span>`,
		},
		{ name: "role", label: t("role"), class: "meta", cell: (one) => t(`role${one.role}`) },
		{
			name: "until",
			label: t("expires"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.expiresAt} />`,
		},
		{
			name: "do",
			label: t("withdraw"),
			isHidden: true,
			class: "c-do",
			cell: (one) => html`<${Button}
			kind="small out" onClick=${() => withdraw(one)}
			aria-label=${t("withdrawOf", { email: one.email })}>${t("withdraw")}<//>`,
		},
	];
	const all = invites.data.value?.items ?? [];

	return (
		all.length > 0 &&
		html`<section class="below"
		aria-labelledby="invites-h"><h2 id="invites-h">${t("invites")}</h2>
		<div class="sheet list">
		<${Table} caption=${t("invites")} rows=${all} id=${(one) => one.id} columns=${columns} /></div>
		</section>`
	);
}

export default function Users({ query }) {
	const ask = { search: query.search, role: query.role, cursor: query.cursor };
	const users = useLoad((signal) => api.get("/admin/users", { query: ask, signal }), [JSON.stringify(ask)]);
	const invites = useLoad(
		(signal) =>
			may("users:manage") ? api.get("/auth/invite", { signal }) : Promise.resolve({ items: [] }),
		[],
	);
	const isInviting = useSignal(false),
		timer = useRef(/** @type {any} */ (null)),
		me = manifest.value.user.id;
	const nameOf = (one) => one.name || one.email;

	const attempt = async (work, words) => {
		try {
			await work();
			tell(words);
		} catch (error) {
			tellProblem(error);
		}
		await users.reload();
	};
	const setRole = (one, role) =>
		attempt(
			() => api.put(`/admin/users/${segment(one.id)}`, { role }),
			t("roleChanged", { name: nameOf(one), role: t(`role${role}`) }),
		);
	const setState = (one, action) =>
		attempt(
			() => api.post(`/admin/users/${segment(one.id)}/${action}`),
			t(`done_${action}`, { name: nameOf(one) }),
		);
	const search = (event) => {
		const text = event.currentTarget.value.trim();

		clearTimeout(timer.current);
		timer.current = setTimeout(
			() => void setQuery({ search: text || undefined, cursor: undefined }, true),
			300,
		);
	};
	const roleCell = (one) =>
		one.id === me || !may("users:manage") || one.role > manifest.value.user.role
			? html`<span class="fixed">${t(`role${one.role}`)}</span>
			${one.id === me && html`<span class="sub">${t("notYourself")}</span>`}`
			: html`<select class="in auto" aria-label=${t("roleOf", { name: nameOf(one) })}
			value=${String(one.role)} onChange=${(e) => setRole(one, Number(e.currentTarget.value))}>
			${given().map(
				(role) => html`<option key=${role} value=${String(role)}
				selected=${role === one.role} title=${t(`about${role}`)}>${t(`role${role}`)}</option>`,
			)}
				</select>`;
	const columns = [
		{
			name: "name",
			label: t("name"),
			isHead: true,
			class: "c-plain",
			cell: (one) => html`<bdi>
			${nameOf(one)}</bdi>${one.id === me && ` (${t("you")})`}
			<span class="sub"><${Mail} address=${one.email} /></span>`,
		},
		{ name: "role", label: t("role"), class: "c-role", cell: roleCell },
		{
			name: "state",
			label: t("state"),
			class: "c-state",
			cell: (one) =>
				one.disabled
					? html`<${Mark}
			kind="bad">${t("disabled")}<//>`
					: html`<${Mark} kind="live">${t("works")}<//>`,
		},
		{
			name: "last",
			label: t("lastLogin"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.lastLogin} empty=${t("never")} />`,
		},
		may("users:manage") && {
			name: "more",
			label: t("moreColumn"),
			isHidden: true,
			class: "c-more",
			cell: (one) =>
				one.id !== me &&
				html`<${Menu}
			label=${t("more", { name: nameOf(one) })}
			items=${[
				one.disabled
					? { label: t("enable"), onClick: () => setState(one, "enable") }
					: { label: t("disable"), isOut: true, onClick: () => setState(one, "disable") },
			]}>
				<${Icon} name="more" /><//>`,
		},
	].filter(Boolean);

	return html`<div
		class="head"><h1>${t("title")}</h1>
		${
			may("users:manage") &&
			html`<${Button} kind="go" onClick=${() => (isInviting.value = true)}
				data-invite>${t("invite")}<//>`
		}</div>
		<div class="sheet list">
			<form class="tools" role="search" onSubmit=${(e) => e.preventDefault()}>
				<label class="find"><span class="sr">${t("search")}</span><${Icon} name="find" />
				<input class="in" type="search" placeholder=${t("search")} value=${query.search ?? ""}
					onInput=${search} /></label>
				<label><span class="sr">${t("role")}</span>
				<select class="in auto" value=${query.role ?? ""}
					onChange=${(e) =>
						setQuery({
							role: e.currentTarget.value || undefined,
							cursor: undefined,
						})}>
					<option value="">${t("allRoles")}</option>
					${ROLES.map(
						(role) => html`<option key=${role} value=${String(role)}
						selected=${String(role) === query.role}>${t(`role${role}`)}</option>`,
					)}
						</select></label>
			</form>
			<${Loaded} from=${users}
				empty=${(data) => data.items.length === 0 && html`<${Empty} title=${t("none")} />`}>
				${(data) => html`
				<${Table} caption=${t("list")} rows=${data.items} id=${(one) => one.id}
					columns=${columns} />
				${
					(data.nextCursor || query.cursor) &&
					html`<nav class="pager" aria-label=${t("list")}><span></span><div class="bs">
					${
						query.cursor &&
						html`<button type="button" class="b small"
							onClick=${() => setQuery({ cursor: undefined })}>${t("first")}
							</button>`
					}
					${
						data.nextCursor &&
						html`<button type="button" class="b small"
							onClick=${() => setQuery({ cursor: data.nextCursor })}>
							${t("next")}</button>`
					}</div></nav>`
				}`}<//>
		</div>
		<${Invitations} invites=${invites} />
		${
			isInviting.value &&
			html`<${Invite} onClose=${() => (isInviting.value = false)} onDone=${invites.reload} />`
		}`;
}

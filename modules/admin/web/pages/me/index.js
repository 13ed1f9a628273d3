// me - the signed-in person's account: profile, passkeys, recovery codes, sessions, language, form of dates, theme.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { ApiError, api, segment } from "../../lib/api.js";
import { keep, theme } from "../../lib/kept.js";
import { singleKeys } from "../../lib/keys.js";
import { useLoad } from "../../lib/load.js";
import { createPasskey } from "../../lib/passkey.js";
import { href } from "../../lib/router.js";
import { localeOf } from "../../lib/region.js";
import { LANGUAGES, addWords, formatter, language, region, setLanguage, word } from "../../lib/words.js";
import { loadManifest, manifest } from "../../lib/site.js";
import { shortTime } from "../../lib/time.js";
import {
	Button,
	Dialog,
	Field,
	Loaded,
	Segments,
	SelectField,
	Switch,
	TextField,
	ask,
	tell,
	tellProblem,
} from "../../ui/index.js";
import { inWords } from "../signin/ways.js";
import en from "./en.json";

const t = addWords("me", en);

/** Runs `work`, then shows `words`; on failure shows the error. */
async function attempt(work, words) {
	try {
		await work();
		if (words) tell(words);
	} catch (error) {
		tellProblem(inWords(error));
	}
}

export async function signOut() {
	await api.post("/auth/logout", {}, { quiet: true }).catch(() => {});
	location.assign(href("/signin"));
}

/** @param {{title: string, label?: string, help?: string, value: string, onClose: () => void, onName: (name: string) => any, [more: string]: any}} props */
function NameDialog({
	title,
	label = t("passkeyName"),
	help = t("passkeyHelp"),
	value,
	onClose,
	onName,
	maxlength = "100",
	...more
}) {
	const name = useSignal(value);

	return html`<${Dialog} title=${title} onClose=${onClose} onSubmit=${() => onName(name.value.trim())}
		actions=${html`<${Button} kind="go" type="submit">${title}<//>`}>
		<div class="fields">
		<${TextField} label=${label} help=${help} maxlength=${maxlength} value=${name.value}
			onInput=${(v) => (name.value = v)} ...${more} /></div>
	<//>`;
}

function Passkeys() {
	const passkeys = useLoad((signal) => api.get("/auth/passkey", { signal }), []);
	const asked = useSignal(/** @type {any} */ (null));
	const nameOf = (one) => one.name || t("unnamed");

	const onName = async (name) => {
		const one = asked.value;

		asked.value = null;
		await attempt(
			async () => {
				if (one.id) await api.patch(`/auth/passkey/${segment(one.id)}`, { name });
				else {
					const { options } = await api.post("/auth/passkey/register/options", {});
					await api.post("/auth/passkey/register/verify", {
						credential: await createPasskey(options),
						name: name || null,
					});
				}
			},
			t(one.id ? "renamed" : "made"),
		);
		await passkeys.reload();
	};
	const remove = async (one) => {
		if (
			!(await ask({
				title: t("sure", { name: nameOf(one) }),
				text: t("sureText"),
				yes: t("delete"),
				isFinal: true,
			}))
		)
			return;
		await attempt(() => api.delete(`/auth/passkey/${segment(one.id)}`), t("deleted"));
		await passkeys.reload();
	};
	return html`<section class="sheet block"
		aria-labelledby="passkeys-h">
		<div class="head"><h2 id="passkeys-h">${t("passkeys")}</h2>
		<${Button} kind="small" onClick=${() => (asked.value = {})} data-add>${t("add")}<//></div>
		<${Loaded} from=${passkeys}
			empty=${(data) => data.items.length === 0 && html`<p class="quiet">${t("passkeysNone")}</p>`}>
			${(data) => html`<ul role="list"
				class="things">${data.items.map(
					(one) => html`<li key=${one.id}>
			<div><strong><bdi>${nameOf(one)}</bdi></strong>
			<small>${t("added", { time: shortTime(one.createdAt) })} · ${
				one.lastUsedAt ? t("used", { time: shortTime(one.lastUsedAt) }) : t("neverUsed")
			}</small></div>
			<div class="bs">
			<${Button} kind="small" onClick=${() => (asked.value = one)}
				aria-label=${t("renameOf", { name: nameOf(one) })}>${t("rename")}<//>
				<${Button} kind="small out" onClick=${() => remove(one)}
					aria-label=${t("deleteOf", { name: nameOf(one) })}>${t("delete")}<//></div>
					</li>`,
				)}</ul>`}<//>
		${
			asked.value &&
			html`<${NameDialog} title=${t(asked.value.id ? "rename" : "add")}
				value=${asked.value.name ?? ""} onClose=${() => (asked.value = null)}
				onName=${onName} />`
		}
	</section>`;
}

function Codes() {
	const left = useLoad((signal) => api.get("/auth/recovery-codes", { signal }), []);
	const codes = useSignal(/** @type {string[] | null} */ (null)),
		box = useRef(/** @type {HTMLElement | null} */ (null));

	useEffect(() => codes.value && box.current?.focus(), [codes.value]);
	const make = async () => {
		if (await ask({ title: t("codesSure"), text: t("codesSureText"), yes: t("codesMake") }))
			await attempt(async () => {
				codes.value = (await api.post("/auth/recovery-codes", {})).codes;
				await left.reload();
			});
	};
	return html`<section class="sheet block"
		aria-labelledby="codes-h">
		<div class="head"><h2 id="codes-h">${t("codes")}</h2>
		<${Button} kind="small" onClick=${make} data-codes>${t("codesMake")}<//></div>
		${
			codes.value &&
			html`<div class="note heed" tabindex="-1" role="group" aria-label=${t("codes")}
				ref=${box}><div><p>${t("codesOnce")}</p>
				<ul role="list"
					class="codes">
					${codes.value.map((one) => html`<li key=${one}><code>${one}</code></li>`)}</ul>
					</div></div>`
		}
		<${Loaded} from=${left}>${(data) =>
			data.remaining === 0 && !codes.value
				? html`<p class="note heed" data-no-codes>${t("codesNone")}</p>`
				: html`<p class="quiet">${t("codesLeft", { n: data.remaining })}</p>`}
		<//>
	</section>`;
}

function Sessions() {
	const sessions = useLoad((signal) => api.get("/auth/sessions", { signal }), []);
	/** Guesses a browser's name from its User-Agent. */
	const agentOf = (one) => {
		const found = /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(one.agent),
			system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(one.agent);
		return found
			? [{ Edg: "Edge", OPR: "Opera" }[found[1]] ?? found[1], system?.[1]].filter(Boolean).join(", ")
			: one.agent || one.method;
	};
	const end = async (one) => {
		await attempt(() => api.delete(`/auth/sessions/${segment(one.id)}`), t("ended"));
		if (one.current) location.assign(href("/signin"));
		else await sessions.reload();
	};
	const others = async () => {
		await attempt(() => api.delete("/auth/sessions"), t("ended"));
		await sessions.reload();
	};
	return html`<section class="sheet block"
		aria-labelledby="sessions-h">
		<div class="head"><h2 id="sessions-h">${t("sessions")}</h2>
		<${Button} kind="small out" onClick=${others}>${t("others")}<//></div>
		<${Loaded} from=${sessions}>
		${(data) =>
			html`<ul role="list" class="things">${data.items.map(
				(one) => html`<li key=${one.id}>
			<div><strong
				title=${one.agent}><bdi>${agentOf(one)}</bdi>${one.current && html` (${t("here")})`}
				</strong><small><bdi>${one.address}
				</bdi> · ${t("begun", { time: shortTime(one.createdAt) })} · ${t("seen", {
					time: shortTime(one.lastSeenAt),
				})}</small></div>
			<${Button} kind="small out" onClick=${() => end(one)}
				aria-label=${t("endOf", { name: agentOf(one) })}>${t("end")}<//></li>`,
			)}</ul>`}<//>
	</section>`;
}

/** Regions whose forms of dates and numbers may be chosen; between them they have all that are usual. */
const REGIONS =
	"AR AT AU BE BR CA CH CL CN CO CZ DE DK ES FI FR GB GR IE IL IN IT JP KR MX NL NO NZ PL PT SE TR UA US ZA".split(
		" ",
	);
const SAMPLE = new Date(2026, 10, 30, 17, 5);

/** "30/11/2026, 17:05 · 1,234.5" in a region. @param {string} code "": that of the browser */
function sampleOf(code) {
	const locale = localeOf(language.value, code, navigator.languages);
	const day = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" });

	return `${day.format(SAMPLE)} · ${new Intl.NumberFormat(locale).format(1234.5)}`;
}

/** The form of dates and numbers: the browser's, or that of a region. */
function Region() {
	const names = formatter("DisplayNames", { type: "region" });
	const options = REGIONS.map((value) => ({ value, name: String(names.of(value)) }))
		.sort((a, b) => a.name.localeCompare(b.name, language.value))
		.map(({ value, name }) => ({ value, label: `${name}: ${sampleOf(value)}` }));
	const choose = (value) => {
		region.value = value;
		keep("region", value || undefined);
	};

	return html`<${SelectField} label=${t("region")} name="region" value=${region.value} onChange=${choose}
		options=${[{ value: "", label: t("regionAuto", { sample: sampleOf("") }) }, ...options]} />`;
}

function Look() {
	const failed = useSignal(0); // the control then shows the language that stays
	const choose = async (value) => {
		const isShown = await setLanguage(value);

		if (isShown) {
			keep("language", value);
			await attempt(() => api.put("/auth/me", { language: value }));
		}
		if (isShown !== false) return;
		tellProblem(new ApiError(0, { message: t("languageFailed", { language: LANGUAGES[value] }) }));
		failed.value++;
	};
	return html`<section class="sheet block"
		aria-labelledby="look-h"><div class="head"><h2 id="look-h">${t("look")}</h2></div><div class="fields">
		<${Field} label=${t("theme")}
			isGroup>${() => html`<${Segments} legend=${t("theme")} name="theme-me" value=${theme.value}
				onChange=${(value) => (theme.value = value)}
				options=${["auto", "paper", "ink"].map((value) => ({
					value,
					label: word("shell", value),
				}))} />`}<//>
		<${SelectField} key=${failed.value} label=${t("language")} name="language" value=${language.value} onChange=${choose}
			options=${Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))} />
		<${Region} />
		<${Switch} isOn=${singleKeys.value} onChange=${(isOn) => (singleKeys.value = isOn)}
			label=${t("singleKeys")} />
	</div></section>`;
}

export default function Me() {
	const me = useLoad((signal) => api.get("/auth/me", { signal }), []),
		isNaming = useSignal(false);
	const rename = async (name) => {
		isNaming.value = false;
		await attempt(async () => {
			await api.put("/auth/me", { name });
			await Promise.all([me.reload(), loadManifest()]);
		}, t("nameChanged"));
	};

	return html`<div class="head"><h1>${t("title")}</h1><${Button} onClick=${signOut} data-out>${t("signOut")}<//>
		</div>
		<div class="blocks">
			<section class="sheet block"
				aria-labelledby="account-h">
				<div class="head"><h2 id="account-h">${t("account")}</h2>
				<div class="bs"><${Button} kind="small" onClick=${() => (isNaming.value = true)}
					data-name>${t("changeName")}<//>
				<a class="b small" href="/_cms/account/apps">${t("apps")}</a></div></div>
				<${Loaded} from=${me}>
				${(data) => html`<dl
					class="facts">
					<div><dt>${t("name")}</dt><dd><bdi>${data.name || t("nobody")}</bdi></dd></div>
					<div><dt>${t("email")}</dt><dd><bdi>${data.email}</bdi></dd></div>
					<div><dt>${t("role")}</dt>
					<dd>${word("shell", `role${manifest.value.user.role}`)}</dd></div></dl>`}<//>
			</section>
			<${Passkeys} /><${Codes} /><${Sessions} /><${Look} />
		</div>
		${
			isNaming.value &&
			html`<${NameDialog} title=${t("changeName")} label=${t("name")} help="" required
				maxlength="200" name="name" value=${me.data.value?.name ?? ""}
				onClose=${() => (isNaming.value = false)} onName=${rename} />`
		}`;
}

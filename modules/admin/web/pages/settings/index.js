// settings - the settings of the site: title, address, dates, pictures, hints for search engines.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useDraft } from "../../lib/draft.js";
import { useLoad } from "../../lib/load.js";
import { addWords, formatter } from "../../lib/words.js";
import { loadManifest, manifest, may } from "../../lib/site.js";
import { Field, FormFoot, Loaded, Problem, TextField, say, tell } from "../../ui/index.js";
import { Picture } from "./picture.js";
import en from "./en.json";

const t = addWords("settings", en);
const NETWORKS = ["twitter", "github", "facebook", "instagram", "linkedin", "youtube"];
const FORMATS = ["MMMM d, yyyy", "d MMMM yyyy", "yyyy-MM-dd", "dd.MM.yyyy", "EEE, d MMM yyyy"];
/** Paths of the issues that a field of this page shows. */
const SHOWN = [
	"siteTitle",
	"tagline",
	"url",
	"logo",
	"logo.mediaId",
	"favicon",
	"favicon.mediaId",
	"postsPerPage",
	"dateFormat",
	"timezone",
	...NETWORKS.map((one) => `social.${one}`),
	"seo.titleSeparator",
	"seo.robotsTxt",
	"seo.googleVerification",
	"seo.bingVerification",
	"seo.defaultOgImage",
	"seo.defaultOgImage.mediaId",
];

/** The current time in a zone; "" if there is no such zone. @param {string} zone */
function timeIn(zone) {
	try {
		return zone
			? formatter("DateTimeFormat", { timeStyle: "short", timeZone: zone }).format(new Date())
			: "";
	} catch {
		return "";
	}
}

/** A copy without empty members, for a request that replaces the whole object. @param {Record<string, any>} object */
const filled = (object) =>
	Object.fromEntries(
		Object.entries(object).filter(
			([, value]) => value !== "" && value !== undefined && value?.mediaId !== "",
		),
	);

function Form({ stored, onSaved }) {
	const draft = useDraft(stored),
		problem = useSignal(/** @type {any} */ (null)),
		isBusy = useSignal(false);
	const isOwn = may("settings:manage");

	const text = (name, more = {}) => html`<${TextField} label=${t(name)} name=${name}
		value=${draft.value(name) ?? ""} onInput=${(v) => draft.set(name, v)}
		problem=${problem.value?.issueAt?.(name)} ...${more} />`;
	const member = (group, name, value) => draft.set(group, filled({ ...draft.value(group), [name]: value }));
	const inner = (group, name, more = {}) => html`<${TextField} label=${t(name)} name=${name}
		value=${draft.value(group)?.[name] ?? ""} onInput=${(v) => member(group, name, v)}
		problem=${problem.value?.issueAt?.(`${group}.${name}`)} ...${more} />`;
	const picture = (name, value, onChange, path = name) => html`<${Picture} label=${t(name)} value=${value}
		onChange=${onChange} problem=${problem.value?.issueAt?.(path)} />`;
	const perPage = (v) => draft.set("postsPerPage", v !== "" && Number.isFinite(Number(v)) ? Number(v) : v);
	const zone = draft.value("timezone") ?? "",
		now = timeIn(zone);

	const save = async () => {
		problem.value = null;
		isBusy.value = true;
		try {
			await onSaved(await api.post("/settings", draft.changes.peek()));
			draft.reset();
			tell(t("saved"));
			void loadManifest().catch(() => {});
		} catch (error) {
			problem.value = error;
			say(error.message, { isUrgent: true });
			requestAnimationFrame(() =>
				/** @type {HTMLElement | null} */ (
					document.querySelector('[aria-invalid="true"]')
				)?.focus(),
			);
		} finally {
			isBusy.value = false;
		}
	};

	return html`<form class="sheet form" noValidate aria-label=${t("title")}
		onSubmit=${(e) => {
			e.preventDefault();
			void save();
		}}>
		<${Problem} error=${problem.value} shown=${SHOWN} />
		<fieldset class="plain" disabled=${!isOwn}>
		<h2>${t("site")}</h2>
		<div class="fields">
			${text("siteTitle", { maxlength: 200 })}
			${text("tagline", { maxlength: 500, class: "serif" })}
			${text("url", { type: "url", help: t("urlHelp"), maxlength: 2048 })}
			${picture("logo", draft.value("logo"), (value) => draft.set("logo", value))}
			${picture("favicon", draft.value("favicon"), (value) => draft.set("favicon", value))}
		</div>
		<h2>${t("reading")}</h2>
		<div class="fields">
			<${Field} label=${t("languages")} isGroup
				help=${t("languagesHelp")}>
				${(props) => html`<p class="row"
					...${props}>
					${manifest.value.locales.map(
						(one) => html`<span class="tag"
						key=${one}><bdi>${one}</bdi>
						${one === manifest.value.defaultLocale && ` · ${t("default")}`}
						</span> `,
					)}</p>`}<//>
			${text("timezone", {
				class: "half",
				list: "zones",
				autocomplete: "off",
				help: now ? t("now", { time: now }) : t("timezoneHelp"),
				maxlength: 64,
			})}
			<datalist id="zones">
			${Intl.supportedValuesOf("timeZone").map((one) => html`<option key=${one} value=${one} />`)}
			</datalist>
			${text("dateFormat", {
				class: "half mono",
				list: "formats",
				autocomplete: "off",
				help: t("dateFormatHelp"),
				maxlength: 100,
			})}
			<datalist id="formats">${FORMATS.map((one) => html`<option key=${one} value=${one} />`)}
			</datalist>
			<${TextField} label=${t("postsPerPage")} name="postsPerPage" type="number" class="short num"
				value=${String(draft.value("postsPerPage") ?? "")} onInput=${perPage}
				problem=${problem.value?.issueAt?.("postsPerPage")} />
		</div>
		<h2>${t("seo")}</h2>
		<div class="fields">
			${inner("seo", "titleSeparator", {
				class: "short",
				maxlength: 10,
				help: t("titleSeparatorHelp", {
					title: draft.value("siteTitle") || t("siteTitle"),
					separator: draft.value("seo")?.titleSeparator || "|",
				}),
			})}
			${picture(
				"defaultOgImage",
				draft.value("seo")?.defaultOgImage,
				(value) => member("seo", "defaultOgImage", value),
				"seo.defaultOgImage",
			)}
			<${Field} label=${t("robotsTxt")} help=${t("robotsTxtHelp")}
				problem=${problem.value?.issueAt?.("seo.robotsTxt")}>
				${(props) => html`<textarea class="in mono" name="robotsTxt" rows="4" maxlength="5000"
					spellcheck="false" value=${draft.value("seo")?.robotsTxt ?? ""}
					onInput=${(e) => member("seo", "robotsTxt", e.currentTarget.value)} ...${props}>
					</textarea>`}<//>
			${inner("seo", "googleVerification", { class: "half mono", maxlength: 100 })}
			${inner("seo", "bingVerification", { class: "half mono", maxlength: 100 })}
		</div>
		<h2>${t("social")}</h2>
		<div class="fields">
		${NETWORKS.map((one) => inner("social", one, { class: "half", maxlength: 200, key: one }))}</div>
		</fieldset>
		${
			isOwn
				? html`<${FormFoot} draft=${draft} isBusy=${isBusy.value} label=${t("save")} />`
				: html`<p class="help pad-end">${t("notYours")}</p>`
		}
	</form>`;
}

export default function Settings() {
	const settings = useLoad((signal) => api.get("/settings", { signal }), []);

	return html`<div class="head"><h1>${t("title")}</h1></div>
		<div class="prefs-main">
		<${Loaded} from=${settings}>
		${(stored) => html`<${Form} stored=${stored} onSaved=${(answer) => (settings.data.value = answer)} />`}
		<//></div>`;
}

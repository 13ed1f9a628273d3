// byline.js - one byline in one language: its name and text, picture, and user.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { has, manifest, may } from "../../lib/site.js";
import { addWords, languageName, languageSaid, wordsOf } from "../../lib/words.js";
import { MediaChoice } from "../../editor/choose.js";
import { mayWriteOver } from "../../lib/unsaved.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { PageForm, useTouched } from "../../ui/form.js";
import { Button, Field, Loaded, TextField, Tick, ask, tell, tellProblem } from "../../ui/index.js";
import { Search } from "../../ui/search.js";
import en from "./en.json";

const t = addWords("bylines", en);

/**
 * The byline's user. People who may not list users can only choose themselves.
 * @param {{cell: any, draft: any, problem?: string}} props
 */
function WhichUser({ cell, draft, problem }) {
	const me = manifest.value.user,
		mine = { id: me.id, title: me.name ?? t("someUser") };
	const named = useLoad(
		async (signal) =>
			cell.value && cell.value !== me.id && may("users:read")
				? (await api.get(`/admin/users/${segment(cell.value)}`, { signal, quiet: true })).item
				: null,
		[cell.value],
	);
	const name =
		cell.value === me.id
			? mine.title
			: named.data.value
				? named.data.value.name || named.data.value.email
				: t("someUser");
	const find = async (search, signal) =>
		may("users:read")
			? (await api.get("/admin/users", { query: { search, limit: 10 }, signal })).items.map(
					(one) => ({
						id: one.id,
						title: one.name ? `${one.name} (${one.email})` : one.email,
					}),
				)
			: [mine];
	const set = (id) => {
		cell.value = id;
		draft.touch();
	};

	return html`<${Field} label=${t("user")} help=${t("userHelp")}
		problem=${problem}>${(props) => html`<div class="chips">
		${
			cell.value
				? html`<span
				class="tag"><bdi>${name}
				</bdi> <button type="button" id=${props.id} aria-label=${t("takeOut", { name })}
				onClick=${() => set(null)}><span aria-hidden="true">×</span></button></span>`
				: html`<${Search} id=${props.id} label=${t("userSearch")}
				props=${{
					"aria-describedby": props["aria-describedby"],
					"aria-invalid": props["aria-invalid"],
				}} find=${find}
					onChoose=${(one) => set(one.id)} />`
		}</div>`}<//>`;
}

function Languages({ byline }) {
	const list = useLoad(
		(signal) => api.get(`/bylines/${segment(byline.id)}/translations`, { signal }),
		[byline.id],
	);
	const add = async (locale) => {
		const made = await api.post(`/bylines/${segment(byline.id)}/translations`, { locale });

		await go(`/bylines/${segment(made.id)}`);
	};

	return html`<section class="below"
		aria-labelledby="languages-h"><h2 id="languages-h">${t("languages")}</h2>
		<div class="sheet pad">
		<${Loaded} from=${list}>
		${({ translations }) =>
			html`<ul role="list" class="order">${manifest.value.locales.map((locale) => {
				const there = translations.find((one) => one.locale === locale),
					name = languageName(locale);

				return html`<li
			key=${locale}>
			${
				there && there.id !== byline.id
					? html`<a lang=${locale} dir="auto"
					href=${href(`/bylines/${segment(there.id)}`)}>${name}</a>`
					: html`<span lang=${locale} dir="auto"
							class=${there ? "stet" : undefined}>${name}</span>`
			}
			${
				!there &&
				html`<${Button} kind="small" onClick=${() => add(locale)}
				onError=${tellProblem}>${t("add", { language: languageSaid(locale) })}<//>`
			}</li>`;
			})}</ul>`}<//></div></section>`;
}

/** @param {{byline: any}} props */
function Byline({ byline }) {
	const now = useSignal(byline),
		draft = useTouched(),
		isChoosing = useSignal(false),
		hasLanguages = manifest.value.locales.length > 1;
	const name = useSignal(byline.displayName),
		slug = useSignal(byline.slug),
		bio = useSignal(byline.bio ?? ""),
		website = useSignal(byline.websiteUrl ?? "");
	const user = useSignal(byline.userId),
		isGuest = useSignal(byline.isGuest),
		picture = useSignal(
			byline.avatarMediaId
				? { id: byline.avatarMediaId, url: byline.avatarUrl, alt: byline.avatarAlt }
				: null,
		);
	const path = `/bylines/${segment(byline.id)}`;

	useEffect(() => {
		ownTitle.value = now.value.displayName;
		crumbs.value = [{ label: wordsOf("pages")("bylines"), path: "/bylines" }];
	}, [now.value.displayName]);
	const setPicture = (one) => {
		picture.value = one;
		isChoosing.value = false;
		draft.touch();
	};
	const save = async () => {
		if (!(await mayWriteOver(() => api.get(path), now.peek().updatedAt))) return false;
		now.value = await api.put(path, {
			displayName: name.value,
			slug: slug.value,
			bio: bio.value || null,
			websiteUrl: website.value || null,
			userId: user.value,
			isGuest: user.value ? false : isGuest.value,
			avatarMediaId: picture.value?.id ?? null,
		});
		isGuest.value = now.value.isGuest;
		return true;
	};
	const remove = async () => {
		const { translations } = await api.get(`${path}/translations`),
			isLast = translations.length < 2,
			language = languageSaid(byline.locale);

		if (
			!(await ask({
				title: t("sure", { name: now.value.displayName }),
				text: isLast ? t("sureText") : t("sureHere", { language }),
				yes: isLast ? t("delete") : t("deleteHere", { language }),
				isFinal: true,
			}))
		)
			return;
		await api.delete(path);
		draft.saved.value = draft.now.value;
		tell(t("deleted", { name: now.value.displayName }));
		await go("/bylines");
	};

	return html`<div
		class="head"><h1><bdi>${now.value.displayName}</bdi></h1>
		${hasLanguages && html`<span class="quiet" lang=${byline.locale}>${languageName(byline.locale)}</span>`}
			<div class="bs">
			<${Button} kind="out" onClick=${remove} onError=${tellProblem} data-remove>${t("delete")}<//>
			</div></div>
		<${PageForm} label=${t("form", { name: byline.displayName })} draft=${draft} save=${save}
			yes=${t("save")}
			fields=${["displayName", "slug", "bio", "websiteUrl", "userId", "isGuest", "avatarMediaId"]}>
			${(at) => html`
			<${TextField} label=${t("name")} required maxlength="200" dir="auto" value=${name.value}
				onInput=${(v) => (name.value = v)} problem=${at("displayName")} />
			<${TextField} label=${t("short")} help=${t("shortHelp")} required class="mono" maxlength="80"
				spellcheck=${false} value=${slug.value} onInput=${(v) => (slug.value = v)}
				problem=${at("slug")} />
			<${Field} label=${t("bio")} help=${t("bioHelp")}
				problem=${at("bio")}>
				${(props) => html`<textarea class="in" rows="3" maxlength="5000" dir="auto"
					lang=${byline.locale} ...${props} value=${bio.value}
					onInput=${(e) => (bio.value = e.currentTarget.value)} />`}<//>
			<${TextField} label=${t("website")} type="url" maxlength="2048" value=${website.value}
				onInput=${(v) => (website.value = v)} problem=${at("websiteUrl")} />
			<${WhichUser} cell=${user} draft=${draft} problem=${at("userId")} />
			${
				!user.value &&
				html`<${Tick} isOn=${isGuest.value}
					onChange=${(isOn) => (isGuest.value = isOn)}>${t("isGuest")}<//>`
			}
			${
				has("media") &&
				may("media:read") &&
				html`<${Field} label=${t("avatar")} isGroup
					problem=${at("avatarMediaId")}>${() => html`<div class="row">
				${
					picture.value?.url &&
					html`<img class="avatar" src=${picture.value.url} width="64" height="64"
						alt=${picture.value.alt ?? ""} />`
				}
				<${Button} kind="small" onClick=${() => (isChoosing.value = true)}
					data-choose>${t(picture.value ? "change" : "choose")}<//>
				${
					picture.value &&
					html`<${Button} kind="small out"
						onClick=${() => setPicture(null)}>${t("takePicture")}<//>`
				}</div>`}
						<//>`
			}`}<//>
		${hasLanguages && html`<${Languages} byline=${byline} />`}
		${
			isChoosing.value &&
			html`<${MediaChoice} kind="image/" onChoose=${setPicture}
				onClose=${() => (isChoosing.value = false)} />`
		}`;
}

export default function BylinePage({ params }) {
	const one = useLoad((signal) => api.get(`/bylines/${segment(params.id)}`, { signal }), [params.id]);

	return html`<${Loaded} from=${one} heading=${t("title")}>${(byline) => html`<${Byline} key=${byline.id} byline=${byline} />`}<//>`;
}

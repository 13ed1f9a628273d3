// form.js - the form of a webhook target: its URL, events and collections.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { hasWord, wordsOf } from "../../lib/words.js";
import { manifest } from "../../lib/site.js";
import { CollectionPicks } from "../../ui/picks.js";
import { Button, Dialog, Field, Problem, Switch, TextField, Tick } from "../../ui/index.js";

const t = wordsOf("webhooks");
const EVENTS = {
	content: [
		"create",
		"update",
		"stage",
		"publish",
		"unpublish",
		"schedule",
		"discard",
		"delete",
		"restore",
		"purge",
	],
	collection: ["create", "update", "delete"],
	comment: ["create", "moderate"],
	byline: ["save", "delete"],
	release: ["publish", "undo", "overdue"],
	cache: ["purge"],
};

/** "content.publish" in words. @param {string} name */
export const eventWord = (name) => (hasWord("webhooks", `event_${name}`) ? t(`event_${name}`) : name);

/**
 * Adds or removes a name. A chosen family ("content.*") replaces the names that it covers.
 * @param {string[]} chosen
 * @param {string} name
 * @param {boolean} isOn
 */
function choose(chosen, name, isOn) {
	const [family, what] = name.split("."),
		rest = chosen.filter((one) => one !== name && !(what === "*" && one.startsWith(`${family}.`)));

	return isOn ? [...rest, name] : rest;
}

function Events({ chosen, onChange, props }) {
	return html`<div class="stack-3" ...${props}>${Object.entries(EVENTS).map(([family, names]) => {
		const all = `${family}.*`,
			isAll = chosen.includes(all);

		return html`<div
			key=${family}>
			<${Tick} name="event" value=${all} isOn=${isAll}
				onChange=${(isOn) => onChange(choose(chosen, all, isOn))}><strong>${eventWord(all)}
				</strong><//>
			<div class="ticks two sub1">
			${names
				.map((one) => `${family}.${one}`)
				.map(
					(name) => html`<${Tick} key=${name} name="event"
				value=${name} disabled=${isAll} isOn=${isAll || chosen.includes(name)}
				onChange=${(isOn) => onChange(choose(chosen, name, isOn))}>${eventWord(name)}<//>`,
				)}
				</div></div>`;
	})}</div>`;
}

/**
 * @param {{title: string, one?: any, onClose: () => void, onSend: (body: any) => Promise<any>}} props one: the target
 * that is changed
 */
export function Form({ title, one, onClose, onSend }) {
	const url = useSignal(one?.url ?? ""),
		description = useSignal(one?.description ?? ""),
		events = useSignal(one?.events ?? []),
		collections = useSignal(one?.collections ?? []),
		enabled = useSignal(one?.enabled ?? true);
	const problem = useSignal(/** @type {any} */ (null)),
		at = (name) => problem.value?.issueAt?.(name),
		all = manifest.value.collections;
	const send = async () => {
		problem.value = null;
		try {
			await onSend({
				url: url.value,
				description: description.value || null,
				events: events.value,
				collections: collections.value,
				...(!one || enabled.value !== one.enabled ? { enabled: enabled.value } : {}),
			});
		} catch (error) {
			problem.value = error;
		}
	};

	return html`<${Dialog} title=${title} onClose=${onClose} onSubmit=${send} class="wide-dialog"
		actions=${html`<${Button} kind="go" type="submit">${title}<//>`}>
		<${Problem} error=${problem.value} shown=${["url", "description"]} />
		<div class="fields">
			<${TextField} label=${t("url")} name="url" type="url" required autocomplete="off"
				placeholder="https://" help=${t("urlHelp")} value=${url.value}
				onInput=${(v) => (url.value = v)} problem=${at("url")} />
			<${TextField} label=${t("description")} name="description" maxlength="200"
				value=${description.value} onInput=${(v) => (description.value = v)}
				problem=${at("description")} />
			<${Field} label=${t("events")} isGroup help=${t("eventsHelp")}
				problem=${at("events")}>
				${(props) => html`<${Events} chosen=${events.value}
					onChange=${(next) => (events.value = next)} props=${props} />`}<//>
			${
				all.length > 0 &&
				html`<${Field} label=${t("collections")} isGroup help=${t("collectionsHelp")}
					problem=${at("collections")}>
					${(
						props,
					) => html`<${CollectionPicks} collections=${all} chosen=${collections.value}
						onChange=${(next) => (collections.value = next)} props=${props} />`}<//>`
			}
			<${Switch} isOn=${enabled.value} onChange=${(v) => (enabled.value = v)} label=${t("enabled")}
				name="enabled" />
		</div>
	<//>`;
}

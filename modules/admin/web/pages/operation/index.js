// operation - runs one operation of the API that has no page of its own. The form is made from its JSON Schema.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { request, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { operations } from "../../lib/operations.js";
import { addWords } from "../../lib/words.js";
import { useSending } from "../../ui/sending.js";
import { Button, Empty, Field, Loaded, Problem, ask, say } from "../../ui/index.js";
import { ownTitle } from "../../shell/open.js";
import en from "./en.json";

const t = addWords("operation", en);

/** The kind of control; "json" for types without one of their own. @param {any} schema */
function kindOf(schema) {
	if (Array.isArray(schema.enum)) return "choice";
	if (schema.format === "date-time") return "time";
	return ["boolean", "integer", "number", "string"].includes(schema.type) ? schema.type : "json";
}

/** The value to send to the API; undefined: omit it. @param {any} argument @param {string} text */
function valueOf(argument, text) {
	if (text === "") return undefined;
	switch (kindOf(argument.schema)) {
		case "boolean":
			return text === "true";
		case "integer":
		case "number":
			return Number(text);
		case "choice":
			return argument.schema.enum.find((one) => String(one) === text);
		case "time":
			return new Date(text).toISOString();
		case "string":
			return text;
		default:
			return argument.place === "query" ? text : JSON.parse(text);
	}
}

function Control({ argument, value, onInput, props }) {
	const { schema } = argument,
		kind = kindOf(schema);
	const change = (e) => onInput(e.currentTarget.value);
	const fallback =
		schema.default === undefined
			? undefined
			: String(typeof schema.default === "object" ? JSON.stringify(schema.default) : schema.default);

	if (kind === "choice" || kind === "boolean") {
		const choices =
			kind === "boolean"
				? [
						["true", t("yes")],
						["false", t("no")],
					]
				: schema.enum.map((one) => [String(one), String(one)]);
		return html`<select class="in half" ...${props} value=${value} onChange=${change}
			required=${argument.isRequired}>
			${[["", argument.isRequired ? "" : t("empty")], ...choices].map(
				([v, label]) => html`<option key=${v} value=${v}
							selected=${v === value}>${label}</option>`,
			)}</select>`;
	}
	if (kind === "json")
		return html`<textarea class="in mono" rows="3" spellcheck=${false} ...${props}
			required=${argument.isRequired} placeholder=${fallback} onInput=${change} value=${value}>
			</textarea>`;
	if (kind === "time")
		return html`<input class="in half" type="datetime-local" step="1" ...${props}
			required=${argument.isRequired} value=${value} onInput=${change} />`;
	return html`<input class="in" type=${kind === "string" ? "text" : "number"}
		step=${kind === "number" ? "any" : undefined} min=${schema.minimum} max=${schema.maximum}
		maxlength=${schema.maxLength} ...${props} required=${argument.isRequired} placeholder=${fallback}
		value=${value} onInput=${change} />`;
}

function Form({ operation, query }) {
	const values = useSignal(/** @type {Record<string, string>} */ ({ ...query })),
		problem = useSignal(/** @type {any} */ (null));
	const wrong = useSignal(/** @type {Record<string, string>} */ ({})),
		answer = useSignal(/** @type {string | null} */ (null));

	const submit = useSending(async () => {
		/** @type {Record<string, any>} */
		const given = { path: {}, query: {}, body: {} };

		problem.value = null;
		wrong.value = {};
		for (const one of operation.arguments)
			try {
				const value = valueOf(one, values.value[one.name] ?? "");
				if (value !== undefined) given[one.place][one.name] = value;
			} catch (error) {
				wrong.value = { ...wrong.value, [one.name]: t("notJson", { message: error.message }) };
			}
		if (Object.keys(wrong.value).length > 0) return;
		if (
			operation.method === "DELETE" &&
			!(await ask({
				title: t("sure", { title: operation.title }),
				text: t("sureText"),
				yes: t("run"),
				isFinal: true,
			}))
		)
			return;
		const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => segment(given.path[name] ?? ""));
		try {
			const { data } = await request(
				operation.method,
				path,
				operation.arguments.some((one) => one.place === "body")
					? given.body
					: operation.method === "POST" || operation.method === "PUT"
						? {}
						: undefined,
				{ query: given.query },
			);
			answer.value = JSON.stringify(data, null, 2);
			say(t("done"));
		} catch (error) {
			problem.value = error;
			answer.value = null;
		}
	});
	const names = operation.arguments.map((one) => one.name);

	return html`<form class="sheet form" onSubmit=${submit}>
			<p class="lead" dir="auto">${operation.about}</p>
			<p class="help"><code>${operation.method} ${operation.path}</code></p>
			<${Problem} error=${problem.value} shown=${names} />
			<div class="fields">
			${operation.arguments.map(
				(one) => html`<${Field} key=${one.place + one.name}
				label=${html`<code>${one.name}</code>`}
				note=${one.isRequired ? undefined : t("optional")} help=${one.about}
				problem=${wrong.value[one.name] ?? problem.value?.issueAt?.(one.name)}>
				${(props) => html`<${Control} argument=${one} value=${values.value[one.name] ?? ""}
					onInput=${(v) => (values.value = { ...values.value, [one.name]: v })}
					props=${props} />`}<//>`,
			)}</div>
			<footer class="form-foot"><span></span><${Button} kind="go" type="submit" data-run>${t("run")}
			<//></footer>
		</form>
		${
			answer.value !== null &&
			html`<section class="below"
				aria-labelledby="answer-h"><h2 id="answer-h">${t("answer")}</h2>
				<pre class="sheet pad answer" tabindex="0">${answer.value}</pre></section>`
		}`;
}

export default function OperationPage({ params, query }) {
	const all = useLoad(operations, []);
	const operation = all.data.value?.find((one) => one.id === params.operation);

	useEffect(() => {
		ownTitle.value = operation?.title ?? params.operation;
	}, [operation]);
	return html`<div class="head"><h1>${operation?.title ?? params.operation}</h1></div>
		<${Loaded} from=${all}
			empty=${() => !operation && html`<div class="sheet"><${Empty} title=${t("missing")} /></div>`}>
			${() => html`<${Form} key=${operation.id} operation=${operation} query=${query} />`}<//>`;
}

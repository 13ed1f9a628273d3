// conforms.mjs - checks that a response has the status, content type, headers and body that the OpenAPI document
// describes.
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import assert from "node:assert/strict";

// Members that are not part of JSON Schema (paths, examples, ...) are ignored.
function compiler(document) {
	const ajv = new Ajv({ strict: false, allErrors: true });

	addFormats(ajv);
	ajv.addSchema(document, "document");
	return (pointer) => ajv.getSchema(`document#${pointer}`) ?? ajv.compile({ $ref: `document#${pointer}` });
}

const escape = (part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

// Converts a path of the document to a pattern. A literal segment takes precedence over a parameter.
function pattern(template) {
	const segments = template.split("/").slice(1);
	const source = segments.map((s) => (s.startsWith("{") ? "[^/]+" : s.replaceAll(".", "\\.")));

	return {
		template,
		match: new RegExp(`^/${source.join("/")}$`),
		weight: segments.map((s) => (s.startsWith("{") ? "1" : "0")).join(""),
	};
}

export class Conformance {
	constructor(document, base) {
		this.document = document;
		this.base = base; // base URL of the API
		this.schema = compiler(document);
		this.patterns = Object.keys(document.paths)
			.map(pattern)
			.sort((a, b) => (a.weight < b.weight ? -1 : 1));
		this.answers = 0;
		this.operations = new Set();
		this.codes = new Set();
	}

	find(method, pathname) {
		const inside = pathname.startsWith(this.base) ? pathname.slice(this.base.length) : pathname;
		const found = this.patterns.filter(
			(p) => p.match.test(inside) && this.document.paths[p.template][method] !== undefined,
		);

		assert.ok(found.length > 0, `${method} ${inside} is not in the document`);
		return found[0].template;
	}

	resolve(value, pointer) {
		if (value?.$ref === undefined) return [value, pointer];
		const parts = value.$ref.slice(2).split("/");
		return [parts.reduce((at, part) => at[part], this.document), `/${parts.join("/")}`];
	}

	// `answer` is a response of fetch, `text` its body.
	check(method, url, answer, text) {
		const template = this.find(method, new URL(url).pathname);
		const operation = this.document.paths[template][method];
		const name = `${operation.operationId}: ${answer.status}`;
		const status = [String(answer.status), `${String(answer.status)[0]}XX`, "default"].find(
			(key) => operation.responses[key] !== undefined,
		);

		assert.ok(status, `${name} is not documented`);
		const [response, pointer] = this.resolve(
			operation.responses[status],
			`/paths/${escape(template)}/${method}/responses/${status}`,
		);
		this.answers++;
		this.operations.add(operation.operationId);
		for (const header of Object.keys(response.headers ?? {}))
			assert.ok(answer.headers.get(header), `${name} has no ${header}`);
		if (text === "" || response.content === undefined) {
			assert.ok(response.content === undefined, `${name} has no body`);
			return;
		}
		const type = answer.headers.get("content-type").split(";")[0];
		assert.ok(response.content[type], `${name} answers ${type}`);
		if (type !== "application/json") return;
		const body = JSON.parse(text);
		const validate = this.schema(`${pointer}/content/application~1json/schema`);
		assert.ok(
			validate(body),
			`${name} is not as documented: ${JSON.stringify(validate.errors?.slice(0, 4))}\n${text.slice(0, 600)}`,
		);
		if (body.success === false) this.codes.add(body.error.code);
	}

	// Returns a function like fetch that checks each response.
	fetch = async (...args) => {
		const request = new Request(...args);
		const answer = await fetch(request);

		this.check(request.method.toLowerCase(), request.url, answer, await answer.clone().text());
		return answer;
	};
}

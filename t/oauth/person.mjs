// person.mjs - somebody with a browser that runs no script: cookies, redirections, and the forms of pages.
import assert from "node:assert/strict";

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const decode = (text) =>
	text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, number, name) =>
		hex || number ? String.fromCodePoint(parseInt(hex ?? number, hex ? 16 : 10)) : (ENTITIES[name] ?? all),
	);

function attributes(tag) {
	const found = {};

	for (const [, name, quoted, single, bare] of tag.matchAll(
		/\s([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g,
	))
		found[name.toLowerCase()] = decode(quoted ?? single ?? bare ?? "");
	return found;
}

// Returns the forms of a page: their actions, fields and buttons.
function readForms(html, url) {
	return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, head, inner]) => {
		const { action, method } = attributes(head);
		const tags = [...inner.matchAll(/<(input|button)\b[^>]*>/gi)].map(([tag, kind]) => ({
			kind: kind.toLowerCase(),
			...attributes(tag),
		}));

		return {
			action: new URL(action || url, url).href,
			method: (method ?? "get").toUpperCase(),
			fields: tags.filter((tag) => tag.kind === "input" && tag.name && tag.type !== "submit"),
			buttons: tags.filter((tag) => tag.kind === "button" || tag.type === "submit"),
		};
	});
}

// A page, or a redirection, as a browser would see it.
class Answer {
	constructor(url, response, text) {
		Object.assign(this, { url, status: response.status, headers: response.headers, text });
		this.location = response.headers.has("location")
			? new URL(response.headers.get("location"), url).href
			: null;
		this.forms = readForms(text, url);
	}
}

export class Person {
	#cookies = []; // {origin, path, name, value}

	#cookie(url) {
		const { origin, pathname } = new URL(url);
		const within = (path) =>
			pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);

		return this.#cookies
			.filter((c) => c.origin === origin && within(c.path))
			.map((c) => `${c.name}=${c.value}`)
			.join("; ");
	}

	#keep(url, line) {
		const [pair, ...words] = line.split(";").map((word) => word.trim());
		const [name, ...rest] = pair.split("=");
		const word = (key) => words.find((w) => w.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
		const cookie = { origin: new URL(url).origin, path: word("path") ?? "/", name, value: rest.join("=") };
		const ends =
			word("max-age") !== undefined
				? Number(word("max-age")) <= 0
				: Date.parse(word("expires")) < Date.now();

		this.#cookies = this.#cookies.filter(
			(c) => c.origin !== cookie.origin || c.path !== cookie.path || c.name !== name,
		);
		if (!ends) this.#cookies.push(cookie);
	}

	// Sends one request; does not follow redirections.
	async ask(url, { method = "GET", body, headers = {} } = {}) {
		const cookie = this.#cookie(url);
		const response = await fetch(url, {
			method,
			body,
			redirect: "manual",
			headers: { Accept: "text/html", ...(cookie ? { Cookie: cookie } : {}), ...headers },
		});

		for (const line of response.headers.getSetCookie()) this.#keep(url, line);
		return new Answer(url, response, await response.text());
	}

	// Follows redirections as long as goes(target) returns true.
	async visit(url, goes = () => true) {
		let answer = await this.ask(url);

		for (let i = 0; i < 20 && answer.location && goes(answer.location); i++)
			answer = await this.ask(answer.location);
		return answer;
	}

	// Submits a form with its fields, with the values of `fill`, without the checkboxes of `without`, by this
	// button.
	async submit(answer, { button, fill = {}, without = [], form = answer.forms[0] } = {}) {
		assert.ok(form, `a form at ${answer.url}, status ${answer.status}\n${answer.text.slice(0, 1000)}`);
		const body = new URLSearchParams();
		const pressed = form.buttons.find((b) => button === undefined || b.value === button);

		assert.ok(pressed, `the button ${button} is there`);
		for (const field of form.fields) {
			const box = ["checkbox", "radio"].includes(field.type);

			if (!box || (field.checked !== undefined && !without.includes(field.value)))
				body.append(field.name, fill[field.name] ?? field.value ?? "");
		}
		if (pressed.name) body.append(pressed.name, pressed.value ?? "");
		return this.ask(form.action, {
			method: form.method,
			body,
			headers: { Origin: new URL(answer.url).origin, "Sec-Fetch-Site": "same-origin" },
		});
	}

	// Calls the API like a script of the site's own pages.
	async api(url, method = "GET", data = undefined) {
		const answer = await this.ask(url, {
			method,
			body: data === undefined ? undefined : JSON.stringify(data),
			headers: {
				Accept: "application/json",
				"Content-Type": "application/json",
				"X-CMS-Request": "1",
			},
		});

		return { status: answer.status, ...JSON.parse(answer.text) };
	}

	// Signs in by a link that `stet user recover` has printed. A program can use the link's token without the page.
	async signIn(link) {
		const { origin, hash } = new URL(link);
		const answer = await this.ask(`${origin}/_cms/api/auth/magic-link/verify?token=${hash.slice(1)}`);

		assert.equal(answer.status, 302);
		assert.equal(answer.location, `${origin}/_cms/account`);
	}

	// Answers the consent page; resolves with the URL to which the browser is sent.
	async decide(url, { button = "approve", without = [] } = {}) {
		const page = await this.ask(String(url));

		assert.equal(page.status, 200, `${page.location}\n${page.text}`);
		assert.match(page.headers.get("content-security-policy"), /default-src 'none'.*frame-ancestors 'none'/);
		assert.doesNotMatch(page.text, /<script/i);
		const answer = await this.submit(page, { button, without });
		assert.equal(answer.status, 303, answer.text);
		return new URL(answer.location);
	}
}

// signin.mjs - people sign in at a site of ours by providers of OpenID Connect (house.mjs).
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startDaemon } from "../mcp/daemon.mjs";
import { openProxy } from "../mcp/proxy.mjs";
import { forge, newKey, openHouse } from "./house.mjs";
import { Person } from "./person.mjs";

const SECRET = "a secret with: odd +signs% & more"; // at least 32 bytes, as HS256 requires

class Site {
	ahead = 0; // milliseconds that the site's clock is ahead

	constructor(origin, clock) {
		Object.assign(this, { origin, clock });
	}

	tick() {
		fs.writeFileSync(`${this.clock}.new`, String(Date.now() + this.ahead));
		fs.renameSync(`${this.clock}.new`, this.clock);
	}

	// Signs in at the provider's pages, from this address on, and returns to the site; resolves with the last page.
	async travel(person, start, login, { cancel = false } = {}) {
		this.tick();
		let page = await person.visit(start);

		for (let i = 0; i < 3 && !page.url.startsWith(this.origin) && page.status === 200; i++) {
			if (cancel)
				page = await person.visit(
					new URL(/href="([^"]*\/abort)"/.exec(page.text)[1], page.url).href,
				);
			else {
				page = await person.submit(page, { fill: { login, password: "any" } });
				if (page.location) page = await person.visit(page.location);
			}
		}
		return page;
	}

	start = (id, next = "") =>
		`${this.origin}/_cms/api/auth/oauth/${id}${next && `?next=${encodeURIComponent(next)}`}`;
	me = (person) => person.api(`${this.origin}/_cms/api/auth/me`);

	async signIn(id, login, person = new Person()) {
		const page = await this.travel(person, this.start(id), login);

		assert.equal(page.url, `${this.origin}/_cms/account`, page.text);
		assert.equal(page.status, 200);
		return (await this.me(person)).data;
	}

	// A refused user sees the reason on the sign-in page.
	async refused(id, login, word, words, { person = new Person(), cancel = false } = {}) {
		const page = await this.travel(person, this.start(id), login, { cancel });

		assert.equal(page.url, `${this.origin}/_cms/signin?error=${word}`, page.text);
		assert.match(page.text, words);
		assert.equal((await this.me(person)).status, 401);
	}
}

const FAILED = /sent an unexpected answer/;

// Errors of ID tokens, and what the log says of each.
const FORGERIES = {
	"another issuer": [
		(s, t) => forge(t, s.one.key, (h, c) => (c.iss = "https://evil.example")),
		/issuer \(iss\) is another/,
	],
	"another audience": [
		(s, t) => forge(t, s.one.key, (h, c) => (c.aud = "another")),
		/audience \(aud\) is another/,
	],
	"an audience beside ours": [
		(s, t) => forge(t, s.one.key, (h, c) => (c.aud = ["site", "another"])),
		/several audiences/,
	],
	"the nonce of another sign-in": [
		(s, t) => forge(t, s.one.key, (h, c) => (c.nonce = "A".repeat(43))),
		/\(nonce\)/,
	],
	"no nonce": [(s, t) => forge(t, s.one.key, (h, c) => delete c.nonce), /\(nonce\)/],
	"an end that has passed": [(s, t) => forge(t, s.one.key, (h, c) => (c.exp = c.iat - 3600)), /expired \(exp\)/],
	"a key that only says its name": [(s, t) => forge(t, newKey("RS256", s.one.key.kid), () => {}), /refused/],
	"no signature": [(s, t) => forge(t, null, (h) => (h.alg = "none")), /refused/],
	"the client's secret as its key": [(s, t) => forge(t, SECRET, (h) => (h.alg = "HS256")), /refused/],
};

const STEPS = {
	"providers are on the list of ways to sign in": async (s) => {
		const { data } = await new Person().api(`${s.site.origin}/_cms/api/auth/oauth`);

		assert.deepEqual(
			data.items.map(({ label, url }) => [label, url]),
			["one", "public", "two"].map((id) => [`House ${id}`, s.site.start(id)]),
		);
	},
	"somebody of a trusted domain gets an account; address and name come from userinfo": async (s) => {
		s.bob = await s.site.signIn("one", "bob");
		assert.equal(s.bob.email, "bob@example.org");
		assert.equal(s.bob.name, "Bob");
		assert.equal(s.bob.role, 20);
		assert.ok(s.one.asked.includes("/me"));
	},
	"and is the same user the next time, and signed in with one redirection after another": async (s) => {
		const person = new Person();

		assert.equal((await s.site.signIn("one", "bob", person)).id, s.bob.id);
		const page = await s.site.travel(person, s.site.start("one", "/_cms/account/apps"), null);
		assert.equal(page.url, `${s.site.origin}/_cms/account/apps`);
	},
	"another provider, which signs with ES256, takes the secret in the form and has all in the token": async (
		s,
	) => {
		assert.equal((await s.site.signIn("two", "newcomer")).email, "fay@example.org");
		assert.ok(!s.two.asked.includes("/me"));
	},
	"a client without a secret signs people in, too": async (s) => {
		assert.equal((await s.site.signIn("public", "bob")).id, s.bob.id);
	},
	"who is of another domain, not verified there or not verified here does not get in": async (s) => {
		const nobody = /No user here is connected to that account/;

		await s.site.refused("one", "stranger", "not_allowed", nobody);
		await s.site.refused("one", "unverified", "not_allowed", nobody);
		s.daemon.stet("user", "add", "eve@example.org", "--name", "Eve", "--role", "author");
		await s.site.refused("one", "known", "link_required", /Sign in another way first/);
	},
	"who refuses at the provider is told so": async (s) => {
		await s.site.refused("one", null, "provider_denied", /did not sign you in/, { cancel: true });
	},
	"an account is linked while signed in, signs in, and is unlinked": async (s) => {
		const ann = new Person(),
			accounts = `${s.site.origin}/_cms/api/auth/accounts`;
		const link = async (login) => {
			const { data } = await ann.api(`${accounts}/one`, "POST");
			return s.site.travel(ann, data.url, login);
		};

		s.site.tick();
		await ann.signIn(s.daemon.link());
		assert.equal((await link("stranger")).url, `${s.site.origin}/_cms/account`);
		const { data } = await ann.api(accounts);
		assert.deepEqual(
			data.items.map((account) => account.email),
			["dora@elsewhere.example"],
		);
		assert.equal((await s.site.signIn("one", "stranger")).email, "ann@example.org");
		assert.equal((await ann.api(`${accounts}/${data.items[0].id}`, "DELETE")).status, 200);
		await s.site.refused("one", "stranger", "not_allowed", /No user here/);
	},
	"an account of somebody else is not linked": async (s) => {
		const ann = new Person();

		await ann.signIn(s.daemon.link());
		const { data } = await ann.api(`${s.site.origin}/_cms/api/auth/accounts/one`, "POST");
		const page = await s.site.travel(ann, data.url, "bob");
		assert.equal(page.url, `${s.site.origin}/_cms/account?error=linked_elsewhere`);
		assert.match(page.text, /connected to another user/);
		assert.equal((await s.site.me(ann)).data.email, "ann@example.org");
	},
	"keys change: a token with a new one is good, a minute after the old ones were asked for": async (s) => {
		const asked = () => s.one.asked.filter((where) => where === "/jwks").length;
		const before = asked();

		s.one.use(newKey("RS256", "second"), s.one.key);
		s.site.ahead += 61_000;
		assert.equal((await s.site.signIn("one", "bob")).id, s.bob.id);
		assert.equal(asked(), before + 1);
		await s.site.signIn("one", "bob");
		assert.equal(asked(), before + 1);
	},
	...Object.fromEntries(
		Object.entries(FORGERIES).map(([what, [change, log]]) => [
			`an ID token with ${what} is refused`,
			async (s) => {
				const before = s.daemon.said().length;

				s.one.idToken = (token) => change(s, token);
				try {
					await s.site.refused("one", "bob", "provider_failed", FAILED);
				} finally {
					s.one.idToken = null;
				}
				assert.match(s.daemon.said().slice(before), log);
			},
		]),
	),
	"an answer is of use in the browser that began, and once": async (s) => {
		const person = new Person();
		const stop = (url) => !url.includes("/callback?");
		let page = await person.visit(s.site.start("one"), stop);

		for (let i = 0; i < 2; i++) {
			page = await person.submit(page, { fill: { login: "bob", password: "any" } });
			page = stop(page.location) ? await person.visit(page.location, stop) : page;
		}
		const other = await new Person().visit(page.location);
		assert.equal(other.url, `${s.site.origin}/_cms/signin?error=provider_state`);
		assert.equal((await person.visit(page.location)).url, `${s.site.origin}/_cms/account`);
		const again = await new Person().visit(page.location);
		assert.equal(again.url, `${s.site.origin}/_cms/signin?error=provider_state`);
	},
	"metadata of another issuer are refused before anybody is sent there": async (s) => {
		s.daemon.stet("oidc", "add", "other", `${s.one.issuer}/other`, "site", "--label", "Other");
		await s.site.refused("other", null, "provider_failed", FAILED);
		assert.match(s.daemon.said(), /metadata is that of another issuer/);
	},
	"a provider that fails, or never answers, or is gone, is told of in words": async (s) => {
		s.one.failing = "/token";
		await s.site.refused("one", "bob", "provider_failed", FAILED);
		assert.match(s.daemon.said(), /The token endpoint answers 500/);
		s.one.failing = null;
		s.one.silent = "/token";
		await s.site.refused("one", "bob", "provider_failed", FAILED);
		assert.match(s.daemon.said(), /No answer: Timeout/);
		s.one.close();
		// This provider cannot be reached any more, so its metadata cannot be fetched.
		s.daemon.stet("oidc", "add", "gone", s.one.issuer, "site", "--label", "Gone");
		await s.site.refused("gone", null, "provider_failed", FAILED);
		assert.match(s.daemon.said(), /sign-in by gone: .*No answer: .*connect/i);
	},
	"nobody else is troubled by that": async (s) => {
		assert.equal((await s.site.signIn("two", "newcomer")).email, "fay@example.org");
	},
};

export async function runSignIn({ work: above, report, build }) {
	const work = path.join(above, "signin");
	const door = await openProxy();
	const site = new Site(door.origin, path.join(work, "clock"));
	const redirects = () => ["one", "two", "public"].map((id) => `${site.start(id)}/callback`);

	fs.mkdirSync(work);
	site.tick();
	const [one, two] = await Promise.all([
		openHouse({ redirects, alg: "RS256", auth: "client_secret_basic", secret: SECRET }),
		openHouse({ redirects, alg: "ES256", auth: "client_secret_post", secret: SECRET, inToken: true }),
	]);
	const daemon = await startDaemon({
		build,
		work,
		origin: door.origin,
		environment: { STET_CLOCK: site.clock },
		more: `    fetch-allow = { "127.0.0.0/8" }\n`,
	});

	try {
		door.daemon = daemon.port;
		const add = (id, house, client, ...more) =>
			daemon.stet(
				"oidc",
				"add",
				id,
				house.issuer,
				client,
				"--label",
				`House ${id}`,
				"--domains",
				"example.org",
				"--role",
				"20",
				...more,
			);

		add("one", one, "site", "--client-secret", SECRET);
		add("two", two, "site", "--client-secret", SECRET);
		add("public", one, "public");
		const session = { site, daemon, one, two };
		for (const [name, step] of Object.entries(STEPS))
			await report.test(`oidc-provider: ${name}`, () => step(session));
	} finally {
		one.close();
		two.close();
		door.close();
		await report.test("oidc-provider: the daemon ends when it is told to, and not before", async () => {
			const { how, said } = await daemon.stop();
			assert.equal(how, 0, said.slice(-4000));
		});
	}
}

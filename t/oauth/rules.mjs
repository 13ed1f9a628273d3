// rules.mjs - oauth4webapi, which checks each response against its RFC.
import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";

const REDIRECT = "http://127.0.0.1:1/callback"; // nobody listens there: the test reads the URL to which the browser is redirected
const loose = { [oauth.allowInsecureRequests]: true };
const none = oauth.None();

// The authorization server and this client, with the steps that tests repeat.
class Session {
	constructor({ origin, person, documents }) {
		Object.assign(this, { origin, person, documents });
		this.issuer = new URL(`${origin}/_cms`);
		this.tools = `${origin}/_cms/api/mcp`;
	}

	// Runs the flow up to the code; resolves with the client's parameters for the token endpoint.
	async authorize(more = {}, decision = {}, client = this.client) {
		const verifier = oauth.generateRandomCodeVerifier();
		const state = oauth.generateRandomState();
		const url = new URL(this.as.authorization_endpoint);

		for (const [name, value] of Object.entries({
			client_id: client.client_id,
			redirect_uri: REDIRECT,
			response_type: "code",
			scope: "content:read content:write",
			code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
			code_challenge_method: "S256",
			state,
			...more,
		}))
			if (value !== null) url.searchParams.set(name, value);
		const back = await this.person.decide(url, decision);
		assert.equal(back.origin + back.pathname, REDIRECT);
		// The metadata require iss: if it is missing or another one, this fails (RFC 9207).
		return { parameters: oauth.validateAuthResponse(this.as, client, back, state), verifier };
	}

	redeem({ parameters, verifier }, more = {}, client = this.client) {
		return oauth.authorizationCodeGrantRequest(this.as, client, none, parameters, REDIRECT, verifier, {
			...loose,
			additionalParameters: more,
		});
	}

	tokens = async (response, client = this.client) =>
		oauth.processAuthorizationCodeResponse(this.as, client, await response);

	async signIn(more, decision, client) {
		return this.tokens(this.redeem(await this.authorize(more, decision, client), {}, client), client);
	}

	async refresh(token, client = this.client) {
		const response = await oauth.refreshTokenGrantRequest(this.as, client, none, token, loose);
		return oauth.processRefreshTokenResponse(this.as, client, response);
	}

	async revoke(token) {
		return oauth.processRevocationResponse(
			await oauth.revocationRequest(this.as, this.client, none, token, loose),
		);
	}

	// Sends a request to the API or to the tool server; resolves with the status.
	async api(token, path = "search?q=quince") {
		return this.#status(
			oauth.protectedResourceRequest(
				token,
				"GET",
				new URL(`${this.origin}/_cms/api/${path}`),
				undefined,
				null,
				loose,
			),
		);
	}

	async tool(token) {
		const headers = new Headers({
			Accept: "application/json, text/event-stream",
			"Content-Type": "application/json",
		});
		const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
		return this.#status(
			oauth.protectedResourceRequest(token, "POST", new URL(this.tools), headers, body, loose),
		);
	}

	async #status(request) {
		try {
			const response = await request;
			await response.body?.cancel();
			return response.status;
		} catch (error) {
			if (error.code !== oauth.WWW_AUTHENTICATE_CHALLENGE) throw error;
			await error.response.body?.cancel();
			assert.equal(error.cause[0].scheme, "bearer");
			return error.response.status;
		}
	}

	async device(more = {}) {
		const response = await oauth.deviceAuthorizationRequest(
			this.as,
			this.client,
			none,
			{ scope: "content:read", ...more },
			loose,
		);
		return oauth.processDeviceAuthorizationResponse(this.as, this.client, response);
	}

	async poll(device) {
		const response = await oauth.deviceCodeGrantRequest(
			this.as,
			this.client,
			none,
			device.device_code,
			loose,
		);
		return oauth.processDeviceCodeResponse(this.as, this.client, response);
	}
}

// Expects an error of the protocol.
const refused = (promise, error) =>
	assert.rejects(promise, (thrown) => {
		assert.equal(thrown.error ?? thrown, error, thrown.stack);
		return true;
	});

// Approves or refuses a device on its page, which the person reaches by the link that contains the code.
export async function decideDevice(person, device, button) {
	const page = await person.submit(await person.ask(device.verification_uri_complete));

	assert.ok(page.text.includes(device.user_code), page.text);
	const end = await person.submit(page, { button });
	assert.equal(end.status, 200, end.text);
}

const STEPS = {
	"the way from a 401 to the metadata (RFC 9728), from each of its addresses": async (s) => {
		const denied = await fetch(s.tools, { method: "POST", body: "{}" });
		const said = /^Bearer resource_metadata="([^"]*)"$/.exec(denied.headers.get("www-authenticate"));

		assert.equal(denied.status, 401);
		const resource = await oauth.processResourceDiscoveryResponse(
			new URL(s.tools),
			await oauth.resourceDiscoveryRequest(new URL(s.tools), loose),
		);
		assert.deepEqual(await (await fetch(said[1])).json(), resource);
		assert.deepEqual(resource.authorization_servers, [s.issuer.href]);
	},
	"the metadata (RFC 8414), from each of its addresses": async (s) => {
		const response = await oauth.discoveryRequest(s.issuer, { ...loose, algorithm: "oauth2" });
		s.as = await oauth.processDiscoveryResponse(s.issuer, response);
		assert.equal(s.as.client_id_metadata_document_supported, true);
		for (const where of [
			"/.well-known/oauth-authorization-server",
			"/_cms/.well-known/oauth-authorization-server",
		])
			assert.deepEqual(await (await fetch(`${s.origin}${where}`)).json(), s.as, where);
	},
	"registration (RFC 7591)": async (s) => {
		const response = await oauth.dynamicClientRegistrationRequest(
			s.as,
			{
				client_name: "Rules",
				redirect_uris: [REDIRECT],
				grant_types: [
					"authorization_code",
					"refresh_token",
					"urn:ietf:params:oauth:grant-type:device_code",
				],
				response_types: ["code"],
				token_endpoint_auth_method: "none",
				software_id: "something that the server does not know",
			},
			loose,
		);
		s.client = await oauth.processDynamicClientRegistrationResponse(response);
		assert.equal(s.client.client_secret, undefined);
	},
	"a code with PKCE, state and iss; a token of the scopes that were left": async (s) => {
		const token = await s.signIn({}, { without: ["content:write"] });

		assert.equal(token.token_type, "bearer");
		assert.equal(token.scope, "content:read");
		assert.ok(token.expires_in > 0 && token.refresh_token);
		assert.equal(await s.api(token.access_token), 200);
		assert.equal(await s.api(token.access_token, "admin/users"), 403);
	},
	"a refusal comes back with state and iss": async (s) => {
		await refused(s.authorize({}, { button: "deny" }), "access_denied");
	},
	"requests that cannot be granted come back as errors, without a page": async (s) => {
		const back = async (more) => {
			const url = new URL(s.as.authorization_endpoint);
			const parameters = {
				client_id: s.client.client_id,
				redirect_uri: REDIRECT,
				response_type: "code",
				state: "here",
				code_challenge: "A".repeat(43),
				code_challenge_method: "S256",
				...more,
			};

			for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
			const { location } = await s.person.ask(url.href);
			assert.throws(() => oauth.validateAuthResponse(s.as, s.client, new URL(location), "here"), {
				code: oauth.AUTHORIZATION_RESPONSE_ERROR,
			});
			return new URL(location).searchParams.get("error");
		};

		assert.equal(await back({ response_type: "token" }), "unsupported_response_type");
		assert.equal(await back({ code_challenge_method: "plain" }), "invalid_request");
		assert.equal(await back({ scope: "nothing:known" }), "invalid_scope");
		assert.equal(await back({ resource: `${s.origin}/elsewhere` }), "invalid_target");
	},
	"a code works once, and the second time ends what came of it": async (s) => {
		const way = await s.authorize();
		const token = await s.tokens(s.redeem(way));

		assert.equal(await s.api(token.access_token), 200);
		await refused(s.tokens(s.redeem(way)), "invalid_grant");
		assert.equal(await s.api(token.access_token), 401);
		await refused(s.refresh(token.refresh_token), "invalid_grant");
	},
	"a code is of no use with another verifier": async (s) => {
		const way = await s.authorize();

		await refused(
			s.tokens(s.redeem({ ...way, verifier: oauth.generateRandomCodeVerifier() })),
			"invalid_grant",
		);
		await refused(s.tokens(s.redeem(way)), "invalid_grant");
	},
	"a refresh token changes; a lost answer is repeated; many at once keep one; a made-up one ends all": async (
		s,
	) => {
		const first = await s.signIn();
		const second = await s.refresh(first.refresh_token);
		const again = await s.refresh(first.refresh_token);

		assert.notEqual(second.refresh_token, first.refresh_token);
		assert.equal(again.refresh_token, second.refresh_token);
		assert.equal(await s.api(again.access_token), 200);
		const third = await s.refresh(second.refresh_token);
		const late = await s.refresh(first.refresh_token);
		assert.equal(third.refresh_token, second.refresh_token);
		assert.equal(late.refresh_token, second.refresh_token);
		assert.equal(await s.api(third.access_token), 200);
		await refused(s.refresh(`${second.refresh_token.slice(0, -4)}AAAA`), "invalid_grant");
		assert.equal(await s.api(third.access_token), 401);
		await refused(s.refresh(third.refresh_token), "invalid_grant");
	},
	"a token for the tool server opens nothing else, and stays so when refreshed (RFC 8707)": async (s) => {
		const token = await s.signIn({ resource: s.tools });

		assert.equal(await s.tool(token.access_token), 200);
		assert.equal(await s.api(token.access_token), 401);
		const fresh = await s.refresh(token.refresh_token);
		assert.equal(await s.tool(fresh.access_token), 200);
		assert.equal(await s.api(fresh.access_token), 401);
	},
	"a code for all may be redeemed for the tool server alone; without a resource a token opens both": async (
		s,
	) => {
		const narrow = await s.tokens(s.redeem(await s.authorize(), { resource: s.tools }));
		const wide = await s.signIn();

		assert.equal(await s.tool(narrow.access_token), 200);
		assert.equal(await s.api(narrow.access_token), 401);
		assert.equal(await s.tool(wide.access_token), 200);
		assert.equal(await s.api(wide.access_token), 200);
	},
	"revocation (RFC 7009) of an access token, and of a refresh token with all that came of it": async (s) => {
		const token = await s.signIn();

		await s.revoke(token.access_token);
		assert.equal(await s.api(token.access_token), 401);
		const fresh = await s.refresh(token.refresh_token);
		await s.revoke(fresh.refresh_token);
		assert.equal(await s.api(fresh.access_token), 401);
		await refused(s.refresh(fresh.refresh_token), "invalid_grant");
		await s.revoke("what nobody ever had");
	},
	"what a user withdraws is gone at once": async (s) => {
		const token = await s.signIn();
		const { data } = await s.person.api(`${s.origin}/_cms/api/auth/grants`);
		const mine = data.items.filter((grant) => grant.name === "Rules");

		assert.ok(mine.length > 0, JSON.stringify(data));
		for (const { id } of mine)
			assert.equal(
				(await s.person.api(`${s.origin}/_cms/api/auth/grants/${id}`, "DELETE")).status,
				200,
			);
		assert.equal(await s.api(token.access_token), 401);
	},
	"a device (RFC 8628) waits, is told to wait longer, and is refused": async (s) => {
		const device = await s.device();

		const answers = new Set();
		// On a machine that pauses for seconds the second request may come in time.
		for (let i = 0; i < 4 && !answers.has("slow_down"); i++)
			answers.add(
				await s.poll(device).then(
					() => "a token",
					({ error }) => error,
				),
			);
		assert.deepEqual([...answers], ["authorization_pending", "slow_down"]);
		await decideDevice(s.person, device, "deny");
		await refused(s.poll(device), "access_denied");
	},
	"a device is let in, for the tool server alone if it says so": async (s) => {
		const device = await s.device({ resource: s.tools });

		await decideDevice(s.person, device, "approve");
		const token = await s.poll(device);
		assert.equal(await s.tool(token.access_token), 200);
		assert.equal(await s.api(token.access_token), 401);
		await s.refresh(token.refresh_token);
		await refused(s.poll(device), "invalid_grant");
	},
	"a client that is a document (Client ID Metadata Document), asked for once": async (s) => {
		const id = s.documents.say("/rules.json", { client_name: "Rules", redirect_uris: [REDIRECT] });
		const client = { client_id: id };
		const token = await s.signIn({}, {}, client);

		assert.equal(await s.api((await s.refresh(token.refresh_token, client)).access_token), 200);
		assert.equal(s.documents.asked.filter((path) => path === "/rules.json").length, 1);
	},
	"documents about another client, or with another redirect, are refused on a page": async (s) => {
		const ask = async (id) => {
			const url = new URL(s.as.authorization_endpoint);

			url.search = new URLSearchParams({
				client_id: id,
				redirect_uri: REDIRECT,
				response_type: "code",
			});
			const answer = await s.person.ask(url.href);
			assert.equal(answer.status, 400);
			return answer.text;
		};

		assert.match(
			await ask(
				s.documents.say("/other.json", {
					client_id: "https://example.org/it",
					redirect_uris: [REDIRECT],
				}),
			),
			/about another client_id/,
		);
		assert.match(
			await ask(
				s.documents.say("/elsewhere.json", { redirect_uris: ["https://example.org/callback"] }),
			),
			/redirect URI is not registered/,
		);
	},
};

export async function runRules(context) {
	const session = new Session(context);

	for (const [name, step] of Object.entries(STEPS))
		await context.report.test(`oauth4webapi: ${name}`, () => step(session));
}

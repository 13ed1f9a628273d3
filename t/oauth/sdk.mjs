// sdk.mjs - the official TypeScript SDKs of the tool protocol, in both eras, with their own authorization: they know
// the URL of the tool server, are answered 401, and find the rest.
import * as two from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";

const ME = { name: "stet-oauth-test", version: "1.0" };
const REDIRECT = "http://127.0.0.1:1/callback";
const CALLS = 8; // calls at the same time
const ROUNDS = 2;

const SDKS = [
	{
		name: "SDK 1, 2025-11-25",
		client: () => new Client(ME),
		transport: (url, authProvider) => new StreamableHTTPClientTransport(url, { authProvider }),
		finish: (transport, back) => transport.finishAuth(back.searchParams.get("code")),
		unauthorized: UnauthorizedError,
	},
	{
		name: "SDK 2, 2026-07-28",
		client: () => new two.Client(ME, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
		transport: (url, authProvider) => new two.StreamableHTTPClientTransport(url, { authProvider }),
		finish: (transport, back) => transport.finishAuth(back.searchParams), // the SDK compares iss
		unauthorized: two.UnauthorizedError,
	},
];

// The storage that a host application provides for the SDK.
class Keeper {
	kept = {};
	asked = []; // URLs that the person was sent to
	ended = 0; // how often the SDK discarded its credentials

	constructor(document) {
		if (document !== undefined) this.clientMetadataUrl = document;
	}
	get redirectUrl() {
		return REDIRECT;
	}
	get clientMetadata() {
		return { client_name: ME.name, redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" };
	}
	state = () => "a-state-of-the-host";
	clientInformation = () => this.kept.client;
	saveClientInformation = (client) => void (this.kept.client = client);
	tokens = () => this.kept.tokens;
	saveTokens = (tokens) => void (this.kept.tokens = tokens);
	redirectToAuthorization = (url) => void this.asked.push(url);
	saveCodeVerifier = (verifier) => void (this.kept.verifier = verifier);
	codeVerifier = () => this.kept.verifier;
	saveDiscoveryState = (state) => void (this.kept.discovery = state);
	discoveryState = () => this.kept.discovery;
	invalidateCredentials(what) {
		this.ended++;
		if (what === "tokens" || what === "all") delete this.kept.tokens;
	}
}

async function open(sdk, url, keeper) {
	const client = sdk.client();

	await client.connect(sdk.transport(url, keeper));
	return client;
}

// From the first 401 to a tool call, and again after the access token has expired.
async function run(sdk, { url, person }, keeper) {
	const client = sdk.client();
	const transport = sdk.transport(url, keeper);

	await assert.rejects(client.connect(transport), (error) => error instanceof sdk.unauthorized);
	assert.equal(keeper.asked.length, 1);
	assert.equal(keeper.asked[0].searchParams.get("resource"), url.href);
	const back = await person.decide(keeper.asked[0]);
	assert.equal(back.searchParams.get("state"), "a-state-of-the-host");
	await sdk.finish(transport, back);
	await client.close();

	const again = await open(sdk, url, keeper);
	const call = () => again.callTool({ name: "schema_list_collections", arguments: {} });
	const result = await call();
	assert.ok(!result.isError, JSON.stringify(result));

	const { access_token: first } = keeper.kept.tokens;
	keeper.kept.tokens = { ...keeper.kept.tokens, access_token: `${first.slice(0, -4)}AAAA` };
	assert.ok(!(await call()).isError);
	assert.notEqual(keeper.kept.tokens.access_token, first);
	assert.equal(keeper.asked.length, 1, "the person is asked once");
	await again.close();

	const rest = await fetch(`${url.origin}/_cms/api/auth/me`, {
		headers: { Authorization: `Bearer ${keeper.kept.tokens.access_token}` },
	});
	assert.equal(rest.status, 401, "the token is for the tool server alone");
}

// Calls several tools at once after the access token has expired. Each call gets 401 and refreshes by itself, with the
// refresh token that is stored at that moment. With SDK 1 some of the calls fail: it does not repeat a call that gets
// 401 after another one has refreshed. The grant must survive in any case.
async function callAtOnce(sdk, { url }, keeper) {
	const client = await open(sdk, url, keeper);
	const call = () => client.callTool({ name: "schema_list_collections", arguments: {} });

	for (let round = 0; round < ROUNDS; round++) {
		const { access_token: last } = keeper.kept.tokens;

		keeper.kept.tokens = { ...keeper.kept.tokens, access_token: `${last.slice(0, -4)}AAAA` };
		for (const one of await Promise.allSettled(Array.from({ length: CALLS }, call)))
			if (one.status === "fulfilled") assert.ok(!one.value.isError, JSON.stringify(one.value));
			else assert.match(one.reason.message, /401 after successful authentication/);
		assert.ok(!(await call()).isError);
	}
	assert.equal(keeper.asked.length, 1, "the person is asked once");
	assert.equal(keeper.ended, 0, "no refresh token was refused");
	await client.close();
}

export async function runSdks({ report, origin, person, documents }) {
	const context = { person, url: new URL(`${origin}/_cms/api/mcp`) };

	for (const [i, sdk] of SDKS.entries()) {
		const registered = new Keeper();

		await report.test(`${sdk.name}: registers, and is authorized from the 401 to a tool call`, () =>
			run(sdk, context, registered),
		);
		await report.test(
			`${sdk.name}: refreshes for ${CALLS} calls at once, and keeps what it was granted`,
			() => callAtOnce(sdk, context, registered),
		);
		await report.test(`${sdk.name}: is a document, and is authorized without registering`, async () => {
			const id = documents.say(`/sdk${i + 1}.json`, {
				client_name: ME.name,
				redirect_uris: [REDIRECT],
			});
			const keeper = new Keeper(id);

			await run(sdk, context, keeper);
			assert.equal(keeper.kept.client.client_id, id);
		});
	}
}

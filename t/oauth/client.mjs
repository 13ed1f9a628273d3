// client.mjs - openid-client, in a program that knows only the address of the server.
import assert from "node:assert/strict";
import * as client from "openid-client";
import { decideDevice } from "./rules.mjs";

const REDIRECT = "http://127.0.0.1:1/callback";
const OPTIONS = { algorithm: "oauth2", execute: [client.allowInsecureRequests] };
const METADATA = { client_name: "Client", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" };

// Requests authorization, lets the person consent, and gets the tokens.
async function signIn(config, person, more = {}) {
	const verifier = client.randomPKCECodeVerifier();
	const state = client.randomState();
	const url = client.buildAuthorizationUrl(config, {
		redirect_uri: REDIRECT,
		scope: "content:read",
		code_challenge: await client.calculatePKCECodeChallenge(verifier),
		code_challenge_method: "S256",
		state,
		...more,
	});

	return client.authorizationCodeGrant(config, await person.decide(url), {
		pkceCodeVerifier: verifier,
		expectedState: state,
	});
}

const STEPS = {
	"finds the server and registers itself": async (s) => {
		s.config = await client.dynamicClientRegistration(
			s.issuer,
			{
				...METADATA,
				grant_types: [
					"authorization_code",
					"refresh_token",
					"urn:ietf:params:oauth:grant-type:device_code",
				],
			},
			client.None(),
			OPTIONS,
		);
	},
	"signs in, asks the API, refreshes, and gives the token back": async (s) => {
		const token = await signIn(s.config, s.person, { scope: "admin" });
		const me = new URL(`${s.origin}/_cms/api/auth/me`);
		const ask = (text) => client.fetchProtectedResource(s.config, text, me, "GET");

		assert.equal((await (await ask(token.access_token)).json()).data.email, "ann@example.org");
		const fresh = await client.refreshTokenGrant(s.config, token.refresh_token);
		assert.equal((await ask(fresh.access_token)).status, 200);
		await client.tokenRevocation(s.config, fresh.refresh_token);
		await assert.rejects(ask(fresh.access_token), { code: "OAUTH_WWW_AUTHENTICATE_CHALLENGE" });
	},
	"is a document, which it tells instead of registering": async (s) => {
		const id = s.documents.say("/client.json", METADATA);
		const config = await client.discovery(s.issuer, id, undefined, client.None(), OPTIONS);

		assert.ok((await signIn(config, s.person)).access_token);
	},
	"waits for the person as a device, and gets a token": async (s) => {
		const device = await client.initiateDeviceAuthorization(s.config, { scope: "content:read" });
		const token = client.pollDeviceAuthorizationGrant(s.config, device);

		await decideDevice(s.person, device, "approve");
		assert.equal((await token).scope, "content:read");
	},
};

export async function runClient({ report, origin, person, documents }) {
	const session = { origin, person, documents, issuer: new URL(`${origin}/_cms`) };

	for (const [name, step] of Object.entries(STEPS))
		await report.test(`openid-client: ${name}`, () => step(session));
}

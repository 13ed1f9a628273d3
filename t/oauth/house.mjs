// house.mjs - a provider of OpenID Connect (oidc-provider, which is certified) on loopback, with its own sign-in pages,
// and with faults that a test can set.
import crypto from "node:crypto";
import http from "node:http";
import Provider from "oidc-provider";

const PEOPLE = {
	bob: { email: "bob@example.org", email_verified: true, name: "Bob" },
	unverified: { email: "carl@example.org", email_verified: false, name: "Carl" },
	stranger: { email: "dora@elsewhere.example", email_verified: true, name: "Dora" },
	known: { email: "eve@example.org", email_verified: true, name: "Eve" },
	newcomer: { email: "fay@example.org", email_verified: true, name: "Fay" },
};
const KINDS = {
	RS256: ["rsa", { modulusLength: 2048 }],
	PS256: ["rsa", { modulusLength: 2048 }],
	ES256: ["ec", { namedCurve: "P-256" }],
	ES384: ["ec", { namedCurve: "P-384" }],
};

export function newKey(alg, kid) {
	const [type, options] = KINDS[alg];
	const { privateKey } = crypto.generateKeyPairSync(type, options);

	return { ...privateKey.export({ format: "jwk" }), alg, kid, use: "sig" };
}

const base64 = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

// Returns a changed ID token: `change` alters header and claims; a key or a secret signs it.
export function forge(token, key, change) {
	const [header, claims] = token.split(".", 2).map((part) => JSON.parse(Buffer.from(part, "base64url")));

	change(header, claims);
	const text = `${base64(header)}.${base64(claims)}`;
	if (header.alg === "none") return `${text}.`;
	if (header.alg === "HS256")
		return `${text}.${crypto.createHmac("sha256", key).update(text).digest("base64url")}`;
	return `${text}.${crypto.sign("sha256", Buffer.from(text), crypto.createPrivateKey({ key, format: "jwk" })).toString("base64url")}`;
}

// Hides the provider's warnings about its own pages and about storage in memory, both of which are intended here.
function quietly(make) {
	const { info, warn } = console;

	console.info = console.warn = () => {};
	try {
		return make();
	} finally {
		Object.assign(console, { info, warn });
	}
}

export async function openHouse({ redirects, alg, auth, secret, inToken = false }) {
	const house = {
		key: newKey(alg, "first"),
		asked: [], // paths of the requests, in order
		idToken: null, // changes ID tokens
		silent: null, // the path to which the provider never responds
		failing: null, // the path to which the provider responds with 500
	};
	let handler;
	const server = http.createServer((request, response) => {
		const path = new URL(request.url, "http://localhost").pathname;

		house.asked.push(path);
		if (path === house.silent) return;
		if (path === house.failing) {
			response.writeHead(500, { "Content-Type": "text/plain" });
			response.end("broken");
			return;
		}
		// Below /other/ the same provider has another issuer.
		request.url = request.url.replace(/^\/other\//, "/");
		handler(request, response);
	});

	await new Promise((resolve, reject) => {
		server.on("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	house.issuer = `http://127.0.0.1:${server.address().port}`;
	// Restarts the provider with these keys. It signs with the first one.
	house.use = (...keys) => {
		const client = { redirect_uris: redirects(house), id_token_signed_response_alg: alg };
		const provider = quietly(
			() =>
				new Provider(house.issuer, {
					clients: [
						{
							...client,
							client_id: "site",
							client_secret: secret,
							token_endpoint_auth_method: auth,
						},
						{ ...client, client_id: "public", token_endpoint_auth_method: "none" },
					],
					clientAuthMethods: [auth, "none"],
					jwks: { keys },
					claims: {
						openid: ["sub"],
						email: ["email", "email_verified"],
						profile: ["name"],
					},
					conformIdTokenClaims: !inToken,
					ttl: {
						Interaction: 600,
						Session: 600,
						Grant: 600,
						AccessToken: 600,
						IdToken: 3600,
					},
					cookies: { keys: ["a key of the house"] },
					pkce: { required: () => true },
					features: { devInteractions: { enabled: true } },
					findAccount: (ctx, id) => ({
						accountId: id,
						claims: async () => ({ sub: id, ...PEOPLE[id] }),
					}),
				}),
		);

		[house.key] = keys;
		provider.use(async (ctx, next) => {
			await next();
			if (ctx.path === "/token" && ctx.body?.id_token && house.idToken !== null)
				ctx.body = { ...ctx.body, id_token: house.idToken(ctx.body.id_token) };
		});
		handler = quietly(() => provider.callback());
	};
	house.use(house.key);
	house.close = () => {
		server.closeAllConnections();
		server.close();
	};
	return house;
}

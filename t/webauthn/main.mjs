// main.mjs - gives the same WebAuthn ceremonies, valid ones and ones with changed bytes, to stet and to
// @simplewebauthn/server: their verdicts have to agree. If only stet refuses one, its reason has to be listed in
// STRICTER. WEBAUTHN_CEREMONIES (500) is the number of ceremonies, which are the same in each run.
import { spawnSync } from "node:child_process";
import crypto from "node:crypto";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";

const COUNT = Number(process.env.WEBAUTHN_CEREMONIES || 500);
const RP = "example.org",
	ORIGIN = "https://example.org";

// The ceremonies that only stet refuses: its reason, and the cases.
const STRICTER = {
	"cross-origin": "crossOrigin and topOrigin are the site's to judge there",
	"malformed client data": "duplicate names, U+0000 and a byte order mark are refused",
	"malformed attestation object": "tags, lengths that are not definite, depth over 8, a member twice",
	"malformed authenticator data": "a credential in an assertion; extensions that are no map",
	"inconsistent backup flags": "eligibility for backup never changes",
	"malformed public key": "the point has to lie on its curve; RSA has 2,048 bits",
	"wrong signature": "ECDSA signatures are strict DER; the signed bytes are as they came",
	"wrong credential id": "the id is that of the authenticator data",
	"credential id too long": "1,023 bytes at most",
	"unsupported algorithm": "ES256, EdDSA, ES384 and RS256 alone",
};
// The errors of ceremonies that only @simplewebauthn/server refuses: members of client data and attestation statements
// that Level 3 ignores.
const NOT_JUDGED = [/token ?binding/i, /attestation format/i, /attestation statement/i, /fmt/i];

// A generator of random numbers that is the same in each run.
let seed = 1;
const random = (n) => {
	seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
	return Math.floor((seed / 2 ** 32) * n);
};

const b64 = (b) => Buffer.from(b).toString("base64url");
const sha256 = (b) => crypto.createHash("sha256").update(b).digest();
const head = (major, n) =>
	n < 24
		? Buffer.from([(major << 5) | n])
		: n < 256
			? Buffer.from([(major << 5) | 24, n])
			: Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
const int = (n) => (n < 0 ? head(1, -1 - n) : head(0, n));
const bytes = (b) => Buffer.concat([head(2, b.length), b]);
const text = (s) => Buffer.concat([head(3, s.length), Buffer.from(s)]);
const map = (...pairs) => Buffer.concat([head(5, pairs.length / 2), ...pairs]);
const jwk = (key, name) => Buffer.from(key.export({ format: "jwk" })[name], "base64url");

const kinds = [
	{
		make: () => crypto.generateKeyPairSync("ec", { namedCurve: "P-256" }),
		digest: "sha256",
		cose: (k) =>
			map(
				int(1),
				int(2),
				int(3),
				int(-7),
				int(-1),
				int(1),
				int(-2),
				bytes(jwk(k, "x")),
				int(-3),
				bytes(jwk(k, "y")),
			),
	},
	{
		make: () => crypto.generateKeyPairSync("ed25519"),
		digest: null,
		cose: (k) => map(int(1), int(1), int(3), int(-8), int(-1), int(6), int(-2), bytes(jwk(k, "x"))),
	},
	{
		make: () => crypto.generateKeyPairSync("rsa", { modulusLength: 2048 }),
		digest: "sha256",
		cose: (k) =>
			map(
				int(1),
				int(3),
				int(3),
				int(-257),
				int(-1),
				bytes(jwk(k, "n")),
				int(-2),
				bytes(jwk(k, "e")),
			),
	},
].map((kind) => ({ ...kind, ...kind.make() }));

const clientData = (type, challenge) =>
	Buffer.from(JSON.stringify({ type, challenge: b64(challenge), origin: ORIGIN, crossOrigin: false }));
const authData = (flags, counter, attested = Buffer.alloc(0)) => {
	const c = Buffer.alloc(4);
	c.writeUInt32BE(counter);
	return Buffer.concat([sha256(Buffer.from(RP)), Buffer.from([flags]), c, attested]);
};
const attestation = (data) => map(text("fmt"), text("none"), text("attStmt"), map(), text("authData"), bytes(data));

// Changes a byte or two, removes some at the end, or appends some.
function mutate(b) {
	const out = Buffer.from(b);
	switch (random(5)) {
		case 0:
			out[random(out.length)] ^= 1 << random(8);
			return out;
		case 1:
			out[random(out.length)] = random(256);
			return out;
		case 2:
			return out.subarray(0, random(out.length));
		case 3:
			return Buffer.concat([out, Buffer.from([random(256)])]);
		default:
			out[random(out.length)] ^= 1 << random(8);
			out[random(out.length)] ^= 1 << random(8);
			return out;
	}
}
const CLIENT_EDITS = [
	(s) => s.replace("https://example.org", "https://evil.test"),
	(s) => s.replace("https://example.org", "http://example.org"),
	(s) => s.replace("webauthn.", "payment."),
	(s) => s.replace('"challenge":"', '"challenge":"A'),
	(s) => s.replace("false", "true"),
	(s) => s.replace("}", ',"other":1}'),
	(s) => s.replace("}", ',"topOrigin":"https://evil.test"}'),
	(s) => s.replace("{", '{"type":"x",'),
	(s) => " " + s,
];
const editClient = (b) =>
	random(2) ? mutate(b) : Buffer.from(CLIENT_EDITS[random(CLIENT_EDITS.length)](b.toString()));

function ceremony(n) {
	const kind = kinds[n % kinds.length],
		id = crypto.createHash("sha256").update(`id ${n}`).digest();
	const challenges = [0, 1].map((i) => crypto.createHash("sha256").update(`${n} ${i}`).digest());
	const what =
		n < 30
			? "nothing"
			: [
					"create-client",
					"create-data",
					"attestation",
					"get-client",
					"get-data",
					"resigned-client",
					"resigned-data",
					"signature",
					"flags",
					"counter",
					"id",
				][random(11)];
	const length = Buffer.from([0, id.length]);
	let flags = 0x45,
		data = authData(flags, 0, Buffer.concat([Buffer.alloc(16), length, id, kind.cose(kind.publicKey)]));
	let createClient = clientData("webauthn.create", challenges[0]),
		shown = id,
		stored = 0,
		counter = 0;
	if (what === "create-client") createClient = editClient(createClient);
	if (what === "create-data") data = mutate(data);
	if (what === "flags") (data[32] = random(256) | 0x40), (flags = random(256));
	if (what === "counter") (stored = random(5)), (counter = random(5));
	if (what === "id") shown = mutate(id);
	let object = attestation(data);
	if (what === "attestation") object = mutate(object);

	let getClient = clientData("webauthn.get", challenges[1]),
		getData = authData(what === "flags" ? flags & 0x3f : 0x05, counter);
	if (what === "resigned-client") getClient = editClient(getClient);
	if (what === "resigned-data") getData = mutate(getData);
	let signature = crypto.sign(kind.digest, Buffer.concat([getData, sha256(getClient)]), kind.privateKey);
	if (what === "get-client") getClient = editClient(getClient);
	if (what === "get-data") getData = mutate(getData);
	if (what === "signature") signature = mutate(signature);
	return { what, id: shown, challenges, createClient, object, getClient, getData, signature, stored };
}

// Returns true, or the reason of the refusal.
async function theirs(c) {
	const made = { id: b64(c.id), rawId: b64(c.id), type: "public-key", clientExtensionResults: {} };
	const expect = { expectedOrigin: ORIGIN, expectedRPID: RP, requireUserVerification: false };
	try {
		const reg = await verifyRegistrationResponse({
			...expect,
			expectedChallenge: b64(c.challenges[0]),
			supportedAlgorithmIDs: [-7, -8, -35, -257],
			response: {
				...made,
				response: { clientDataJSON: b64(c.createClient), attestationObject: b64(c.object) },
			},
		});
		if (!reg.verified) return "not verified";
		const { credential } = reg.registrationInfo;
		const get = await verifyAuthenticationResponse({
			...expect,
			expectedChallenge: b64(c.challenges[1]),
			credential: { id: credential.id, publicKey: credential.publicKey, counter: c.stored },
			response: {
				...made,
				response: {
					clientDataJSON: b64(c.getClient),
					authenticatorData: b64(c.getData),
					signature: b64(c.signature),
				},
			},
		});
		return get.verified || "not verified";
	} catch (e) {
		return String(e.message);
	}
}

const all = Array.from({ length: COUNT }, (_, n) => ceremony(n));
const hex = (b) => Buffer.from(b).toString("hex");
const lines = all.map((c) =>
	JSON.stringify({
		register: { id: hex(c.id), client: hex(c.createClient), attestation: hex(c.object) },
		challenge: hex(c.challenges[0]),
		get: { id: hex(c.id), client: hex(c.getClient), data: hex(c.getData), signature: hex(c.signature) },
		getChallenge: hex(c.challenges[1]),
		counter: c.stored,
	}),
);
const run = spawnSync(`${process.env.STET_BUILD}/t/webauthn/verdict`, {
	input: lines.join("\n") + "\n",
	maxBuffer: 1 << 30,
});
const ours = run.stdout.toString().trim().split("\n");
let equal = 0,
	good = 0,
	wrong = 0;
const stricter = new Map(),
	unjudged = new Map();
const count = (m, key) => m.set(key, (m.get(key) ?? 0) + 1);

for (const [n, c] of all.entries()) {
	const verdict = await theirs(c),
		mine = ours[n];
	if ((verdict === true) === (mine === "good")) {
		equal++;
		good += verdict === true;
	} else if (verdict === true && STRICTER[mine]) count(stricter, mine);
	else if (verdict !== true && NOT_JUDGED.some((r) => r.test(verdict)))
		count(unjudged, verdict.replace(/".*"|: .*/g, ""));
	else {
		wrong++;
		if (wrong <= 20)
			console.log(
				`# ${n} (${c.what}): stet: ${mine}; @simplewebauthn/server: ${verdict}\n#   ${lines[n]}`,
			);
	}
}
for (const [why, times] of stricter) console.log(`# stet alone refuses ${times}: ${why} (${STRICTER[why]})`);
for (const [why, times] of unjudged) console.log(`# not judged by stet, ${times}: ${why}`);
const ok = run.status === 0 && wrong === 0 && ours.length === COUNT && good >= 30;
console.log(`${ok ? "ok" : "not ok"} - ${COUNT} ceremonies: ${equal} verdicts equal (${good} good), ${wrong} differ`);
console.log(`${ok ? 1 : 0} passed, ${ok ? 0 : 1} failed`);
process.exitCode = ok ? 0 : 1;

// checker.mjs - a proxy before the store. It recomputes each signature with @smithy/signature-v4, since the store
// itself checks none, and fails requests in the ways that a test chooses.
import crypto from "node:crypto";
import http from "node:http";
import { SignatureV4 } from "@smithy/signature-v4";

const SKEW_MS = 15 * 60000; // the largest difference of clocks
const EMPTY = crypto.createHash("sha256").digest("hex");

// The hash class that the signer needs: SHA-256, or HMAC-SHA-256 if it gets a key.
class Sha256 {
	constructor(key) {
		this.hash = key === undefined ? crypto.createHash("sha256") : crypto.createHmac("sha256", key);
	}
	update(data) {
		this.hash.update(data);
	}
	async digest() {
		return new Uint8Array(this.hash.digest());
	}
}

class Refusal extends Error {
	constructor(code, message, status = 403) {
		super(message);
		this.code = code;
		this.status = status;
	}
}

const dateOf = (text) => new Date(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));

// Returns the parts of a request's signature, from its headers or its URL.
function claimOf(request, url) {
	if (url.searchParams.has("X-Amz-Signature")) {
		const of = (name) => url.searchParams.get(`X-Amz-${name}`);
		return {
			credential: of("Credential"),
			names: of("SignedHeaders"),
			signature: of("Signature"),
			date: of("Date"),
			seconds: Number(of("Expires")),
		};
	}
	const said = /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\S+)$/.exec(
		request.headers.authorization ?? "",
	);
	if (said === null) throw new Refusal("AccessDenied", "nobody signed this");
	return { credential: said[1], names: said[2], signature: said[3], date: request.headers["x-amz-date"] };
}

export async function openChecker({ id, secret, region, store }) {
	const door = {
		skew: 0, // how far the proxy's clock is ahead, in milliseconds
		headers: 0, // number of valid signatures in headers
		urls: 0, // number of valid signatures in URLs
		refused: [], // the reasons of refusals
		faults: [], // failures for the next matching requests: { method, kind, status, code, times }
	};
	const signer = new SignatureV4({
		credentials: { accessKeyId: id, secretAccessKey: secret },
		region,
		service: "s3",
		sha256: Sha256,
		uriEscapePath: false,
		applyChecksum: false,
	});

	// Signs the request again and returns it.
	async function signed(request, url, claim) {
		const headers = {},
			query = {};
		for (const name of claim.names.split(";")) headers[name] = request.headers[name] ?? "";
		for (const [name, value] of url.searchParams)
			if (!/^X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature)$/.test(name))
				query[name] = value;
		const plain = {
			method: request.method,
			protocol: "http:",
			hostname: url.hostname,
			path: request.url.split("?")[0],
			query,
			headers,
		};
		const signingDate = dateOf(claim.date);

		if (claim.seconds === undefined) {
			const again = await signer.sign(plain, { signingDate });
			return /Signature=(\S+)$/.exec(again.headers.authorization)[1];
		}
		plain.headers = { ...headers, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
		const kept = new Set(["x-amz-content-sha256"]);
		const again = await signer.presign(plain, {
			signingDate,
			expiresIn: claim.seconds,
			unhoistableHeaders: kept,
			unsignableHeaders: kept,
		});
		return again.query["X-Amz-Signature"];
	}

	async function check(request, body) {
		const url = new URL(request.url, `http://${request.headers.host}`);
		const claim = claimOf(request, url);
		const day = claim.date.slice(0, 8);
		const at = dateOf(claim.date).getTime(),
			now = Date.now() + door.skew;

		if (claim.credential !== `${id}/${day}/${region}/s3/aws4_request`)
			throw new Refusal("InvalidAccessKeyId", `the credential is ${claim.credential}`);
		if (!claim.names.split(";").includes("host")) throw new Refusal("AccessDenied", "Host is not signed");
		if (claim.seconds !== undefined && !(now - at <= claim.seconds * 1000 && at - now <= SKEW_MS))
			throw new Refusal("AccessDenied", "Request has expired");
		if (claim.seconds === undefined && Math.abs(now - at) > SKEW_MS)
			throw new Refusal("RequestTimeTooSkewed", "The difference between the clocks is too large");
		for (const name of Object.keys(request.headers))
			if (name.startsWith("x-amz-") && !claim.names.split(";").includes(name))
				throw new Refusal("AccessDenied", `${name} is not signed`);
		if ((await signed(request, url, claim)) !== claim.signature)
			throw new Refusal("SignatureDoesNotMatch", `${request.method} ${request.url}`);
		if (claim.seconds !== undefined) {
			door.urls++;
			return;
		}
		const sum = body.length > 0 ? crypto.createHash("sha256").update(body).digest("hex") : EMPTY;
		if (request.headers["x-amz-content-sha256"] !== sum)
			throw new Refusal("XAmzContentSHA256Mismatch", "the body is another one", 400);
		door.headers++;
	}

	function answer(response, { status, code, message = code }) {
		const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message.replace(
			/[<&]/g,
			"?",
		)}</Message></Error>`;
		response.writeHead(status, {
			"Content-Type": "application/xml",
			"Content-Length": Buffer.byteLength(text),
			Date: new Date(Date.now() + door.skew).toUTCString(),
		});
		response.end(text);
	}

	function forward(request, response, body, fault) {
		const onward = http.request(
			{
				host: "127.0.0.1",
				port: store,
				method: request.method,
				path: request.url,
				headers: request.headers,
			},
			(from) => {
				let left =
					fault?.kind === "half" ? Number(from.headers["content-length"]) >> 1 : Infinity;

				response.writeHead(from.statusCode, from.rawHeaders);
				from.on("data", (bytes) => {
					response.write(bytes.subarray(0, Math.min(left, bytes.length)));
					left -= bytes.length;
					if (left <= 0) {
						from.destroy();
						setImmediate(() => response.destroy());
					}
				});
				from.on("end", () => response.end());
				from.on("error", () => response.destroy());
			},
		);
		onward.on("error", () => response.destroy());
		onward.end(body);
	}

	function nextFault(request) {
		const fault = door.faults.find((f) => f.times > 0 && f.method === request.method);
		if (fault !== undefined) fault.times--;
		return fault;
	}

	const server = http.createServer(async (request, response) => {
		const pieces = [];
		try {
			for await (const piece of request) pieces.push(piece);
			const body = Buffer.concat(pieces);
			await check(request, body);
			const fault = nextFault(request);
			if (fault?.kind === "silence") return; // never responds, until the client closes the connection
			if (fault?.kind === "answer") answer(response, fault);
			else forward(request, response, body, fault);
		} catch (error) {
			if (!(error instanceof Refusal)) {
				door.refused.push(error.stack);
				response.destroy();
				return;
			}
			door.refused.push(`${error.code}: ${error.message}`);
			answer(response, { status: error.status, code: error.code, message: error.message });
		}
	});

	await new Promise((resolve, reject) => {
		server.on("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	door.port = server.address().port;
	door.close = () => {
		server.closeAllConnections();
		server.close();
	};
	return door;
}

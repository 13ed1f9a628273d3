// documents.mjs - a server for the documents of clients (Client ID Metadata Documents), over https on loopback
// with a certificate of its own.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import https from "node:https";
import path from "node:path";

export function openDocuments(work) {
	const [key, cert] = ["documents.key", "documents.pem"].map((name) => path.join(work, name));
	const asked = []; // paths of the requests, in order
	const texts = new Map();

	execFileSync(
		"openssl",
		[
			...[
				"req",
				"-x509",
				"-newkey",
				"ec",
				"-pkeyopt",
				"ec_paramgen_curve:P-256",
				"-nodes",
				"-days",
				"2",
			],
			...[
				"-subj",
				"/CN=documents",
				"-addext",
				"subjectAltName=IP:127.0.0.1",
				"-keyout",
				key,
				"-out",
				cert,
			],
		],
		{ stdio: ["ignore", "ignore", "pipe"] },
	);
	const server = https.createServer(
		{ key: fs.readFileSync(key), cert: fs.readFileSync(cert) },
		(request, response) => {
			const text = texts.get(request.url);

			asked.push(request.url);
			response.writeHead(text === undefined ? 404 : 200, { "Content-Type": "application/json" });
			response.end(text ?? "{}");
		},
	);

	return new Promise((resolve, reject) => {
		server.on("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const origin = `https://127.0.0.1:${server.address().port}`;

			resolve({
				authority: cert, // the certificate to trust
				asked,
				// Sets the document of a client. Returns its id.
				say(where, metadata) {
					const id = `${origin}${where}`;

					texts.set(
						where,
						JSON.stringify({
							client_id: id,
							token_endpoint_auth_method: "none",
							...metadata,
						}),
					);
					return id;
				},
				close() {
					server.closeAllConnections();
					server.close();
				},
			});
		});
	});
}

// proxy.mjs - a proxy for clients that send no token: it passes every request to the daemon unchanged, Host and Origin
// included, and adds an Authorization header if the proxy has a token. Its address is known before the daemon starts,
// since the daemon needs it as base-url.
import http from "node:http";

export function openProxy() {
	const door = { daemon: 0, token: "" }; // the daemon's port and a token, once they are known; "": none
	const server = http.createServer((request, response) => {
		const headers = [...request.rawHeaders];

		if (door.token !== "" && request.headers.authorization === undefined)
			headers.push("Authorization", `Bearer ${door.token}`);
		const onward = http.request(
			{
				host: "127.0.0.1",
				port: door.daemon,
				method: request.method,
				path: request.url,
				headers,
				setHost: false,
			},
			(answer) => {
				response.writeHead(answer.statusCode, answer.rawHeaders);
				answer.pipe(response);
			},
		);
		onward.on("error", (error) => response.destroy(error));
		response.on("close", () => onward.destroy());
		request.pipe(onward);
	});

	// A client may send on a kept connection after all of this process was busy. With a time limit, the connection
	// would be closed then.
	server.keepAliveTimeout = 0;
	return new Promise((resolve, reject) => {
		server.on("error", reject);
		server.listen(0, "127.0.0.1", () => {
			door.origin = `http://127.0.0.1:${server.address().port}`;
			door.close = () => {
				server.closeAllConnections();
				server.close();
			};
			resolve(door);
		});
	});
}

// port.mjs - a free port of this machine, for servers that cannot choose one.
import net from "node:net";

/** Returns a port that nobody uses at present. */
export function freePort() {
	return new Promise((resolve) => {
		const server = net.createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}

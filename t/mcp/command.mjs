// command.mjs - runs a program of the packages with this Node, while the proxy in this process serves it.
import { execFile } from "node:child_process";

// Resolves with {status, out, err}. A program that exceeds the time limit is killed, and has no status.
export function runScript(script, words, { cwd, seconds }) {
	return new Promise((resolve) => {
		execFile(
			process.execPath,
			[script, ...words],
			{ cwd, encoding: "utf8", timeout: seconds * 1000, killSignal: "SIGKILL", maxBuffer: 1 << 28 },
			(error, out, err) =>
				resolve({
					status: error ? (typeof error.code === "number" ? error.code : null) : 0,
					out,
					err,
				}),
		);
	});
}

// report.mjs - prints one line for each test: passed or failed.
const indent = (text) => text.replace(/\n+$/, "").replace(/^/gm, "# ");

export function newReport() {
	return {
		passed: 0,
		failed: 0,
		note: (text) => console.log(indent(text)),
		pass(name) {
			this.passed++;
			console.log(`ok - ${name}`);
		},
		fail(name, why) {
			this.failed++;
			console.log(`not ok - ${name}`);
			if (why) this.note(String(why));
		},
		// Runs one test. It fails if `run` throws; the error is the reason.
		async test(name, run) {
			try {
				const result = await run();
				this.pass(name);
				return result;
			} catch (error) {
				// Errors of fetch have their reason in `cause` only.
				this.fail(
					name,
					[error?.stack ?? error, error?.cause?.stack ?? error?.cause]
						.filter(Boolean)
						.join("\n"),
				);
				return undefined;
			}
		},
		end() {
			console.log(`${this.passed} passed, ${this.failed} failed`);
			process.exitCode = this.failed > 0 ? 1 : 0;
		},
	};
}

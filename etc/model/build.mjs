// build.mjs - makes dist/ of src/: modules for builds and for browsers. The packages that it stands on, which STET_BUILD has
// packed, are put beside its compilers for their types.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { buildModules } from "./module.mjs";

for (const name of ["client", "render"]) {
	const file = fs.readdirSync(process.env.STET_BUILD).find((one) => one.startsWith(`stet-${name}-`));
	if (file === undefined) throw new Error(`stet-${name} is not packed: make client render`);
	const to = `node_modules/@stet/${name}`;
	fs.rmSync(to, { recursive: true, force: true });
	fs.mkdirSync(to, { recursive: true });
	execFileSync("tar", ["-xzf", path.join(process.env.STET_BUILD, file), "-C", to, "--strip-components=1"]);
}
await buildModules("model", 28_000, { modules: ["index", "browser"], external: ["@stet/*"] });

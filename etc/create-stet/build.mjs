// build.mjs - brings what the package has besides its program: the starters of STET_SOURCE, and the packages that
// STET_BUILD has packed. npm leaves files whose name begins with a dot out of packages, so .npmrc is stored as npmrc.
import fs from "node:fs";
import path from "node:path";

const starters = path.join(process.env.STET_SOURCE, "etc/starters");
const build = process.env.STET_BUILD;

for (const name of fs.readdirSync(starters)) {
	if (!fs.existsSync(path.join(starters, name, "package.json"))) continue;
	fs.cpSync(path.join(starters, name), path.join("starters", name), {
		recursive: true,
		// The lock lists the starter's packages alone, not those that a project adds.
		filter: (from) =>
			!/\/(node_modules|dist|out|\.astro|\.next|next-env\.d\.ts|package-lock\.json)$/.test(from),
	});
	const settings = path.join("starters", name, ".npmrc");
	if (fs.existsSync(settings)) fs.renameSync(settings, path.join("starters", name, "npmrc"));
}
fs.mkdirSync("packages", { recursive: true });
for (const name of ["client", "render", "model"]) {
	const file = fs.readdirSync(build).find((one) => new RegExp(`^stet-${name}-[0-9].*\\.tgz$`).test(one));
	if (file === undefined) throw new Error(`stet-${name} is not packed: make model`);
	fs.copyFileSync(path.join(build, file), path.join("packages", file));
}

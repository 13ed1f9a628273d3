// examples.mjs - the examples of the manual: the literal blocks of the pages in man/, of the SDK's book and of the
// README, and the list "examples", which names the test of each.
import fs from "node:fs";
import path from "node:path";

// The characters that mdoc writes in another way.
const escaped = { e: "\\", "-": "-", "(aq": "'", "(dq": '"', "&": "" };

function plain(line) {
	return line.replace(/\\(\(..|.)/g, (whole, name) => escaped[name] ?? whole);
}

// A page of mdoc: what stands between .Bd -literal and .Ed, and the text of .Dl, which is one line.
function blocksOfManual(lines) {
	const blocks = [];
	let open;

	lines.forEach((line, at) => {
		if (line.startsWith(".Bd -literal")) blocks.push((open = { line: at + 2, text: [] }));
		else if (line.startsWith(".Ed")) open = undefined;
		else if (line.startsWith(".Dl ")) blocks.push({ line: at + 1, text: [plain(line.slice(4))] });
		else if (open) open.text.push(plain(line));
	});
	return blocks;
}

// Plain text and Markdown: lines that begin with a tab, after an empty line. Others go on with an entry of a list.
function blocksOfText(lines) {
	const blocks = [];
	let open;

	lines.forEach((line, at) => {
		if (line.startsWith("\t")) {
			if (!open && lines[at - 1] === "") blocks.push((open = { line: at + 1, text: [] }));
			open?.text.push(line.slice(1));
		} else if (line !== "") open = undefined;
		else open?.text.push("");
	});
	for (const { text } of blocks) while (text.at(-1) === "") text.pop();
	return blocks;
}

// Returns the examples of all pages, in their order: {page, line, first, text}.
export function examplesOf(source) {
	const manuals = fs
		.readdirSync(path.join(source, "man"))
		.filter((name) => /\.\d$/.test(name))
		.sort()
		.map((name) => [name, path.join("man", name), blocksOfManual]);

	return [
		...manuals,
		["README.md", "README.md", blocksOfText],
		["book", "plugin-sdk/README", blocksOfText],
	].flatMap(([page, file, blocksOf]) =>
		blocksOf(fs.readFileSync(path.join(source, file), "utf8").split("\n")).map(({ line, text }) => ({
			page,
			line,
			first: text[0].trim(),
			text: text.join("\n"),
		})),
	);
}

// A row of the list: page, the example's first line, or * for all that have no row, and the test that runs it.
export function listOf(source) {
	return fs
		.readFileSync(path.join(source, "t/docs/examples"), "utf8")
		.split("\n")
		.filter((line) => line !== "" && !line.startsWith("#"))
		.map((line) => {
			const [page, first, test] = line.split("\t");

			return { page, first, test };
		});
}

// Calls report(name, why) for each example; `why` is what is wrong with its row, or undefined.
export function checkList(source, report) {
	const rows = listOf(source);
	const used = new Set();

	for (const { page, line, first } of examplesOf(source)) {
		const row =
			rows.find((one) => one.page === page && one.first === first) ??
			rows.find((one) => one.page === page && one.first === "*");

		used.add(row);
		report(
			`${page} line ${line}, "${first}": ${row?.test}`,
			row ? fault(source, row.test) : "t/docs/examples has no row for it",
		);
	}
	for (const row of rows) if (!used.has(row)) report(`${row.page}, "${row.first}"`, "no page has this example");
}

// A test is a file, and perhaps the name of a function in it; or the reason why there is none.
function fault(source, test = "") {
	if (/^not run: ./.test(test)) return undefined;
	const [file, name] = test.split(": ");

	if (!fs.existsSync(path.join(source, file))) return `${file} is no file`;
	if (name && !fs.readFileSync(path.join(source, file), "utf8").includes(name)) return `${file} has no ${name}`;
	return undefined;
}

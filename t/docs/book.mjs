// book.mjs - the examples in C of plugin-sdk/README, compiled against the SDK. What an example leaves out with "...",
// and the reader's own values and functions, are here.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { examplesOf } from "./examples.mjs";

const INCLUDES = ["module", "check", "content", "driver", "fetch", "file", "importer", "include", "json", "mail"]
	.concat(["mailtransport", "media", "metric", "pages", "shape", "sql", "status", "vault"])
	.map((name) => `#include <stet/${name}.h>\n`)
	.join("");
// A function of a table, declared as the table wants it.
const as = (struct, member, name = member) => `extern __typeof__(*((struct ${struct} *)0)->${member}) ${name};\n`;

// Examples that are the body of a function, by how they begin: the values that they use.
const inside = {
	"return stet_fail(call, STET_SAVE_REJECTED": "const char *slug;",
	"STET_TRY(stet_query(call, &rows":
		"struct stet_rows rows; struct stet_json *out; static const struct stet_member guest[2];",
	"void **slot = stet_tx_slot": "static const char key;",
	"const struct stet_file_answer answer": "const char *type, *name, *sha256; int fd;",
	"STET_TRY(stet_file_sum(":
		"const struct stet_part *part; struct { const char *id; char sha256[STET_SHA256_SIZE]; } row;",
	"STET_TRY(stet_run_media_holder_changed": "const char *name;",
	"static const struct stet_sealed_column password": "const char *id, *text, *sealed;",
	"const struct stet_mail mail": "const char *address; const json_t *values;",
};

// Examples that stand outside of functions, by how they begin: what comes from elsewhere in the reader's file,
// or what the example is a part of.
const outside = {
	"/* shout": "",
	"#include <stet/module.h>": "",
	"static const struct stet_status_def": "",
	"static const struct stet_member in[]": "",
	"static const struct stet_file_column files": "",
	"static const struct stet_sealed_column sealed": "",
	"static enum stet_status\nmake_invite": "",
	"static enum stet_status\ntank": "extern int litres;\n",
	"static const struct stet_metric metrics": "",
	"static const struct stet_member mood_options":
		as("stet_field_type", "define", "define_mood") + as("stet_field_type", "check", "check_mood"),
	"static enum stet_status\nread_notes": "extern struct { const char *id, *title, *text; } note;\n",
	"static const struct stet_file_driver drivers":
		["put", "each", "tidy", "sum", "check", "probe"].map((name) => as("stet_file_driver", name)).join("") +
		as("stet_file_driver", "open", "open_file") +
		as("stet_file_driver", "remove", "remove_file") +
		as("stet_conf_key", "good", "good_directory"),
	"static enum stet_mail_outcome\nsend_mail":
		as("stet_mail_transport", "probe") +
		"extern bool taken;\nextern const char *answer;\nstatic const struct stet_conf_key keys[1];\n",
	"static enum stet_status\nread_visits": "extern const char *id;\nextern int today;\nextern size_t i;\n",
	"static const struct stet_admin_page pages": "",
	'{ "quiz"': (text) => `static const struct stet_field_widget widgets[] = {\n${text}\n};\n`,
	"static int64_t\nrecount_due":
		"extern enum stet_status recount(struct stet_call *, struct stet_tx *, void *);\n",
};

const FUNCTION = "enum stet_status example(struct stet_call *call, struct stet_tx *tx);\n";
const inFunction = (locals, body) =>
	`extern enum stet_status insert(struct stet_call *, struct stet_tx *, void *);\n${FUNCTION}` +
	`enum stet_status\nexample(struct stet_call *call, struct stet_tx *tx)\n{\n${locals}\n(void)tx;\n${body}\nreturn STET_OK;\n}\n`;

// The source of an example that stands outside of functions. Its lines "...	.member = value," belong to the
// descriptor; statements between them and after "..." are those of a function; other lines of "..." are left out.
function unit(before, text) {
	if (typeof before === "function") return before(text);
	const members = [];
	const statements = [];
	const lines = text.split("\n").filter((line) => {
		const member = /^\.\.\.\s+(\..*)$/.exec(line);

		if (member) members.push(member[1]);
		else if (/^(return|stet_metric_)/.test(line)) statements.push(line.replace(/;\t.*$/, ";"));
		else if (!/^\s*\.\.\./.test(line) && !/^stet import/.test(line)) return true;
		return false;
	});

	return (
		before +
		lines.join("\n").replaceAll(", ...)", ")") +
		"\n" +
		(members.length > 0
			? `STET_MODULE(example) = { STET_MODULE_HEAD(example), .version = "1.0.0", .summary = "", ${members.join("\n")} };\n`
			: "") +
		(statements.length > 0
			? inFunction(
					"const char *name = NULL; int64_t count = 0;\n(void)name, (void)count;",
					statements.join("\n"),
				)
			: "")
	);
}

// The body of a function, where "..." stands for a statement.
function bodyOf(text) {
	return text.replace(/^\s*\.\.\. .*$/gm, "\t;");
}

// Compiles the examples, and calls report.test for each. Returns the keys of those that were compiled.
export async function runBook({ build, source, work, report }) {
	const ran = new Set();
	const compile = (text) => {
		const file = `${work}/example.c`;
		const words =
			`-std=gnu11 -fsyntax-only -Wall -Werror -Wno-return-type -Wno-unused -Wno-uninitialized -Wno-maybe-uninitialized`.split(
				" ",
			);
		const include = [`-I${source}/plugin-sdk/include`, `-I${build}/plugin-sdk/include`];

		fs.writeFileSync(
			file,
			`#include <jansson.h>\n#include <stdio.h>\n#include <string.h>\n${INCLUDES}${text}`,
		);
		try {
			execFileSync(process.env.CC ?? "cc", [...words, ...include, file], {
				encoding: "utf8",
				stdio: "pipe",
			});
		} catch (error) {
			throw new Error(`${error.stderr}\n${text}`);
		}
	};

	for (const { page, first, text } of examplesOf(source).filter((one) => one.page === "book")) {
		const [begins, before] = Object.entries(outside).find(([key]) => text.startsWith(key)) ?? [];
		const [, locals] = Object.entries(inside).find(([key]) => text.startsWith(key)) ?? [];

		if (begins === undefined && locals === undefined) continue;
		await report.test(`docs: ${page} "${text.split("\n").slice(0, 2).join(" ")}"`, () =>
			compile(begins !== undefined ? unit(before, text) : inFunction(locals, bodyOf(text))),
		);
		ran.add(`${page}\t${first}`);
	}
	return ran;
}

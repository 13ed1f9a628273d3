// rows.test.js - columns of CSV and JSON Lines files, and how they are mapped by their names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOfLines, matchColumns, parseCsv, readColumns, separatorOf } from "../rows.js";

test("quotes, doubled quotes, line ends and blanks are read as the server reads them", () => {
	assert.deepEqual(parseCsv('a, b ,"c ""d"""\r\n1,"x\r\ny",  3\n\n,,\n4', true), [
		["a", "b", 'c "d"'],
		["1", "x\r\ny", "3"],
		["4"],
	]);
	assert.deepEqual(parseCsv("", true), []);
	assert.deepEqual(parseCsv('a,"b', true), [["a", "b"]]);
});
test("a row that is cut is left out", () => {
	assert.deepEqual(parseCsv("a,b\n1,2\n3,", false), [
		["a", "b"],
		["1", "2"],
	]);
	assert.deepEqual(columnsOfLines('{"a":1}\n{"b":', false), [{ name: "a", samples: ["1"] }]);
});
test("the separator is what the first line has most of, outside of quotes", () => {
	assert.equal(separatorOf("Name;Preis\nA;1,50"), ";");
	assert.equal(separatorOf('"a;b;c",d'), ",");
	assert.equal(separatorOf("a\tb\n"), "\t");
	assert.equal(separatorOf("alone"), ",");
});
test("columns have samples, each once, and the mark of the byte order is no name", async () => {
	assert.deepEqual(await readColumns(new Blob(["\ufefftitle,n\nA,1\nB,1\nC,2\nD,3\nE,4"]), "csv"), [
		{ name: "title", samples: ["A", "B", "C"] },
		{ name: "n", samples: ["1", "2", "3"] },
	]);
	assert.deepEqual(
		await readColumns(
			new Blob(['{"title":"A","tags":["x"]}\n[1]\nnothing\nnull\n{"__proto__":{"x":1},"more":null}']),
			"jsonl",
		),
		[
			{ name: "title", samples: ["A"] },
			{ name: "tags", samples: ['["x"]'] },
			{ name: "__proto__", samples: ['{"x":1}'] },
			{ name: "more", samples: [] },
		],
	);
	assert.deepEqual(await readColumns(new Blob([]), "csv"), []);
});
test("a file of many megabytes is read in its beginning only", async () => {
	const columns = await readColumns(new Blob(["a,b\n", "1,2\n".repeat(1 << 22)]), "csv");

	assert.deepEqual(
		columns.map((one) => one.name),
		["a", "b"],
	);
});
test("columns become fields by slug or label, then members by name, and nothing gets two", () => {
	const fields = [
		{ slug: "price", label: "Price in EUR" },
		{ slug: "title", label: "Title" },
		{ slug: "body", label: "Body" },
	];

	assert.deepEqual(
		matchColumns(
			["Title", "Name", "PRICE_IN_EUR", "price", "Body", "Content", "Publish date", "odd", ""],
			fields,
		),
		{
			Title: "title",
			Name: "",
			PRICE_IN_EUR: "",
			price: "price",
			Body: "body",
			Content: "html",
			"Publish date": "published",
			odd: "",
			"": "",
		},
	);
	assert.deepEqual(
		matchColumns(["__proto__", "constructor"], fields),
		Object.fromEntries([
			["__proto__", ""],
			["constructor", ""],
		]),
	);
});

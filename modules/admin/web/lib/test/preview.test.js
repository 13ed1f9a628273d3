// preview.test.js - previews are shown at the site's address if it is a plain one, else at the server's URL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { previewAt } from "../preview.js";

const HERE = "https://cms.example.org",
	URL_THERE = `${HERE}/notes/a%20b?x=1&_preview=token`;

test("without an address of the site it is where the server says", () => {
	for (const site of ["", undefined])
		assert.deepEqual(previewAt(URL_THERE, site, HERE), { href: URL_THERE, isInside: true });
});
test("it is at the address of the site, with the path and the token", () => {
	for (const site of ["https://www.example.org", "https://www.example.org/", "https://www.example.org/blog?y#z"])
		assert.deepEqual(previewAt(URL_THERE, site, HERE), {
			href: "https://www.example.org/notes/a%20b?x=1&_preview=token",
			isInside: true,
		});
	assert.equal(
		previewAt(URL_THERE, "http://[::1]:4321", HERE).href,
		"http://[::1]:4321/notes/a%20b?x=1&_preview=token",
	);
});
test("a path cannot lead to another place", () => {
	assert.equal(
		previewAt(`${HERE}//evil.example/x?_preview=t`, "https://www.example.org", HERE).href,
		"https://www.example.org//evil.example/x?_preview=t",
	);
});
test("an address that the policy has no room for is not used", () => {
	for (const site of [
		"https://bücher.example",
		"https://user@www.example.org",
		"javascript:alert(1)",
		"//www.example.org",
		"https://a b",
		"https://www.example.org:x",
		"https://www.example.org:99999",
		"https://*.example.org",
	])
		assert.equal(previewAt(URL_THERE, site, HERE).href, URL_THERE, site);
});

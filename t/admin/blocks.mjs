// blocks.mjs - the pages for types of blocks that the site defines: one is made, used in a text, changed and deleted.
import assert from "node:assert/strict";

const HOME = "/_cms/admin";
const rows = "tbody tr";

export async function runBlocks({ report, ann }) {
	const { page } = ann;
	const api = async (method, where, body) => {
		const answer = await ann.api(method, where, body);
		assert.ok(answer.status < 300, `${method} ${where}: ${JSON.stringify(answer)}`);
		return answer.data;
	};
	const told = (pattern) => ann.reads(".notices .note", pattern);
	const type = async () => (await api("GET", "/schema/blocks/recipe")).item;
	const fill = (name, text) => page.locator(`dialog[open] [name="${name}"]`).fill(text);
	const send = () => page.locator('dialog[open] button[type="submit"]').click();
	const add = async (label, kind, more) => {
		await ann.press("[data-add]");
		await ann.has("dialog[open]", 1);
		await fill("label", label);
		await page.select('dialog[open] [name="type"]', kind);
		await more?.();
		await send();
		await ann.has("dialog[open]", 0);
		await told(new RegExp(`Field “${label}” added`));
	};

	await report.test("blocks: a type is made, and what is refused stands at its field", async () => {
		await ann.open(`${HOME}/blocks`);
		await ann.reads(".state", /No block types yet/);
		await ann.looks();
		await ann.press("[data-make]");
		await fill("label", "Image");
		assert.equal(await page.$eval('dialog[open] [name="slug"]', (one) => one.value), "image");
		await send();
		await ann.has('dialog[open] [name="slug"][aria-invalid="true"]', 1);
		await fill("label", "Recipe");
		await fill("slug", "recipe");
		await ann.looks();
		await send();
		await ann.arrives(`${HOME}/blocks/recipe`);
		await ann.reads("h1", /^Recipe$/);
		await ann.reads("[aria-labelledby=uses-h]", /No item uses it yet/);
	});
	await report.test(
		"blocks: its fields have the form of a collection's, without rules that need a column",
		async () => {
			await add("Dish", "string", async () => {
				await page.locator('dialog[open] [name="required"]').click();
				await fill("maxLength", "40");
				for (const name of ["unique", "indexed", "searchable", "translatable"])
					await ann.has(`dialog[open] [name="${name}"]`, 0);
				await ann.has('dialog[open] [name="type"] option[value="portableText"]', 0);
			});
			await add("Minutes", "integer", () => fill("defaultValue", "20"));
			await add("Photo", "image");
			await ann.has(rows, 3);
			await ann.looks();
			assert.deepEqual((await type()).fields, [
				{
					slug: "dish",
					label: "Dish",
					type: "string",
					required: true,
					validation: { maxLength: 40 },
				},
				{
					slug: "minutes",
					label: "Minutes",
					type: "integer",
					required: false,
					defaultValue: 20,
				},
				{ slug: "photo", label: "Photo", type: "image", required: false },
			]);
			await ann.press("[data-add]");
			await fill("label", "Kind");
			await page.select('dialog[open] [name="type"]', "select");
			await send();
			await ann.has('dialog[open] [name="options"][aria-invalid="true"]', 1);
			await ann.looks();
			await page.keyboard.press("Escape");
			await ann.has("dialog[open]", 0);
		},
	);
	await report.test("blocks: a field is changed, moved and deleted", async () => {
		await page.locator('[data-id="dish"] [data-field]').click();
		await page.locator('dialog[open] [name="required"]').click();
		await send();
		await ann.has("dialog[open]", 0);
		assert.equal((await type()).fields[0].required, false);
		await page.focus('[data-id="photo"] [data-up]');
		await page.keyboard.press("Enter");
		await ann.until("it is before", async () => (await type()).fields[1].slug === "photo");
		await page.locator('[data-id="minutes"] button[aria-haspopup]').click();
		await page.locator('[data-id="minutes"] [role="menuitem"].out').click();
		await ann.reads("dialog[open]", /Blocks that have a value keep it/);
		await ann.press("[data-yes]");
		await told(/Field “Minutes” deleted/);
		assert.deepEqual(
			(await type()).fields.map(({ slug }) => slug),
			["dish", "photo"],
		);
	});
	await report.test("blocks: the settings are saved", async () => {
		await page.locator('form.form [name="description"]').fill("What to cook");
		await page.locator('form.form button[type="submit"]').click();
		await told(/“Recipe” saved/);
		assert.equal((await type()).description, "What to cook");
	});
	await report.test("blocks: the page says who uses a type, and deletes it after a question", async () => {
		const { item } = await api("POST", "/content/papers", {
			data: { title: "Soups", body: [{ _type: "recipe", _key: "r", dish: "Borscht" }] },
		});

		await ann.open(`${HOME}/blocks/recipe`);
		await ann.has("[data-uses] a", 1);
		await ann.reads("[data-uses]", /Soups/);
		await ann.looks();
		await page.locator(".head button[aria-haspopup]").click();
		await page.locator('.head [role="menuitem"].out').click();
		await ann.reads("dialog[open]", /1 item has such blocks/);
		await ann.looks();
		await ann.press("[data-yes]");
		await ann.arrives(`${HOME}/blocks`);
		await told(/Block type “Recipe” deleted/);
		assert.equal((await ann.api("GET", "/schema/blocks/recipe")).status, 404);
		assert.equal((await api("GET", `/content/papers/${item.id}`)).item.data.body[0].dish, "Borscht");
		await api("DELETE", `/content/papers/${item.id}`);
	});
}

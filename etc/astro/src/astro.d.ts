// astro.d.ts - what this package uses of Astro, for its own build, which has no Astro. In a site the types are Astro's.
declare module "astro/zod" {
	// zod 3 with Astro 5, zod 4 since Astro 6: what both have.
	interface Schema {
		nullish(): Schema;
	}
	interface ObjectSchema extends Schema {
		passthrough(): Schema;
	}
	export const z: {
		any(): Schema;
		array(of: Schema): Schema;
		boolean(): Schema;
		enum(choices: [string, ...string[]]): Schema;
		number(): Schema;
		object(shape: Record<string, Schema>): ObjectSchema;
		record(key: Schema, value: Schema): Schema;
		string(): Schema;
		union(of: [Schema, Schema]): Schema;
	};
	export type ZodTypeAny = Schema;
}

declare module "astro/loaders" {
	export interface Entry {
		id: string;
		data: Record<string, unknown>;
		digest?: string | number;
		rendered?: { html: string; metadata?: Record<string, unknown> };
	}
	export interface LoaderContext {
		collection: string;
		store: {
			get(id: string): Entry | undefined;
			set(entry: Entry): boolean;
			delete(id: string): void;
			keys(): string[];
			values(): Entry[];
		};
		meta: {
			get(key: string): string | undefined;
			set(key: string, value: string): void;
			delete(key: string): void;
		};
		logger: { info(text: string): void; warn(text: string): void; error(text: string): void };
		parseData(entry: { id: string; data: Record<string, unknown> }): Promise<Record<string, unknown>>;
		generateDigest(value: string | Record<string, unknown>): string;
	}
	export interface Loader {
		name: string;
		load(context: LoaderContext): Promise<void>;
	}
}

declare module "astro" {
	export interface AstroIntegration {
		name: string;
		hooks: Record<string, unknown>;
	}
}

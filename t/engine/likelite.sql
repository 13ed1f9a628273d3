-- likelite.sql - what SQLite has and tests use in statements of their own, made in the template of the databases of
-- tests. It stands in pg_catalog, where every schema finds it. Modules may not use any of it: t/portable does not have
-- it, and sees that.
SET search_path = pg_catalog;

CREATE FUNCTION instr(text, text) RETURNS bigint IMMUTABLE LANGUAGE sql AS 'SELECT position($2 IN $1)';
CREATE FUNCTION ifnull(anycompatible, anycompatible) RETURNS anycompatible IMMUTABLE LANGUAGE sql AS
	'SELECT coalesce($1, $2)';
CREATE FUNCTION hex(bytea) RETURNS text IMMUTABLE LANGUAGE sql AS $$SELECT upper(encode($1, 'hex'))$$;
CREATE FUNCTION hex(text) RETURNS text IMMUTABLE LANGUAGE sql AS
	$$SELECT upper(encode(convert_to($1, 'UTF8'), 'hex'))$$;
CREATE FUNCTION zeroblob(bigint) RETURNS bytea IMMUTABLE LANGUAGE sql AS
	$$SELECT decode(repeat('00', $1::integer), 'hex')$$;
CREATE FUNCTION typeof(anyelement) RETURNS text IMMUTABLE LANGUAGE sql AS
	$$SELECT CASE WHEN $1 IS NULL THEN 'null'
		ELSE CASE pg_typeof($1)::text WHEN 'bigint' THEN 'integer' WHEN 'smallint' THEN 'integer'
			WHEN 'boolean' THEN 'integer' WHEN 'double precision' THEN 'real' WHEN 'numeric' THEN 'real'
			WHEN 'bytea' THEN 'blob' ELSE pg_typeof($1)::text END END$$;

-- %d, %05d and %.*c are what tests use.
CREATE FUNCTION printf(form text, VARIADIC numbers bigint[]) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE part text; n bigint;
BEGIN
	FOREACH n IN ARRAY numbers LOOP
		part := substring(form FROM '%0?[0-9]*d');
		form := overlay(form PLACING lpad(n::text, greatest(length(n::text),
			coalesce(nullif(substring(part FROM '[0-9]+'), ''), '0')::integer), '0')
			FROM position(part IN form) FOR length(part));
	END LOOP;
	RETURN form;
END$$;
CREATE FUNCTION printf(form text, n bigint, c text) RETURNS text IMMUTABLE LANGUAGE sql AS
	$$SELECT replace(form, '%.*c', repeat(c, n::integer))$$;

-- Their order is that of the rows.
CREATE FUNCTION group_concat_add(text, anyelement) RETURNS text IMMUTABLE LANGUAGE sql AS
	$$SELECT CASE WHEN $2 IS NULL THEN $1 ELSE coalesce($1 || ',', '') || $2 END$$;
CREATE FUNCTION group_concat_add(text, anyelement, text) RETURNS text IMMUTABLE LANGUAGE sql AS
	$$SELECT CASE WHEN $2 IS NULL THEN $1 ELSE coalesce($1 || $3, '') || $2 END$$;
CREATE AGGREGATE group_concat(anyelement) (SFUNC = group_concat_add, STYPE = text);
CREATE AGGREGATE group_concat(anyelement, text) (SFUNC = group_concat_add, STYPE = text);

CREATE FUNCTION json_array(VARIADIC "any") RETURNS json STABLE LANGUAGE internal AS 'json_build_array';
CREATE FUNCTION json_object(VARIADIC "any") RETURNS json STABLE LANGUAGE internal AS 'json_build_object';
CREATE FUNCTION json_group_array_add(json[], anyelement) RETURNS json[] IMMUTABLE LANGUAGE sql AS
	'SELECT array_append($1, to_json($2))';
CREATE AGGREGATE json_group_array(anyelement) (SFUNC = json_group_array_add, STYPE = json[], INITCOND = '{}',
	FINALFUNC = array_to_json);
CREATE FUNCTION json_extract(text, text) RETURNS text IMMUTABLE LANGUAGE sql AS
	$$SELECT jsonb_path_query_first($1::jsonb, $2::jsonpath) #>> '{}'$$;
-- Of an array or an object; a string is its text.
CREATE FUNCTION json_each(text) RETURNS TABLE (key text, value text) IMMUTABLE LANGUAGE sql AS
	$$SELECT (n - 1)::text, value FROM json_array_elements_text(CASE WHEN json_typeof($1::json) = 'array'
		THEN $1::json END) WITH ORDINALITY AS a (value, n)
	UNION ALL SELECT * FROM json_each_text(CASE WHEN json_typeof($1::json) = 'object' THEN $1::json END)$$;

-- Tables and indexes of the site. An index that a constraint makes has a name of SQLite's own there. The definition
-- of a table has the names of its columns, and no more.
CREATE VIEW sqlite_schema AS
	SELECT CASE c.relkind WHEN 'r' THEN 'table' ELSE 'index' END AS type,
		CASE WHEN k.conindid IS NULL THEN '' ELSE 'sqlite_autoindex_' END || c.relname AS name,
		coalesce(t.relname, c.relname)::text COLLATE "C" AS tbl_name,
		CASE WHEN c.relkind = 'i' THEN pg_get_indexdef(c.oid)
			ELSE (SELECT 'CREATE TABLE ' || c.relname || ' (' || string_agg('"' || attname || '"', ', ' ORDER BY attnum)
				|| ')' FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)
			END COLLATE "C" AS sql
	FROM pg_class AS c LEFT JOIN pg_index AS i ON i.indexrelid = c.oid LEFT JOIN pg_class AS t ON t.oid = i.indrelid
		LEFT JOIN pg_constraint AS k ON k.conindid = c.oid AND k.contype IN ('p', 'u')
	WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i')
		AND coalesce(t.relname, c.relname) NOT IN ('site_state', 'site_ddl');
GRANT SELECT ON sqlite_schema TO PUBLIC;

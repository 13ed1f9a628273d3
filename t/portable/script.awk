# script.awk - of the lines that record.c wrote, in the order of each database, a script for psql: the
# statements that make tables are run, all others PREPAREd, each once. A database from which nothing
# new comes is left out. Writes one statement a line, so that an error of line N is that of statement N.

# Replace a word where it stands alone.
function replaced(s, word, by, out) {
	while (match(s, "(^|[^A-Za-z_])" word "([^A-Za-z_]|$)")) {
		if (substr(s, RSTART, length(word)) != word)
			RSTART++ # what stands before it
		out = out substr(s, 1, RSTART - 1) by
		s = substr(s, RSTART + length(word))
	}
	return out s
}

# A statement as PostgreSQL spells it: parameters and the names of types, outside of literals.
function translated(sql, part, count, i, out) {
	count = split(sql, part, "'")
	for (i = 1; i <= count; i++) {
		if (i % 2 == 1) {
			gsub(/\?/, "$", part[i])
			part[i] = replaced(part[i], "INTEGER", "bigint")
			part[i] = replaced(part[i], "REAL", "double precision")
			part[i] = replaced(part[i], "BLOB", "bytea")
			if (sql ~ /^(CREATE|ALTER)/)
				part[i] = replaced(part[i], "TEXT", "text COLLATE \"C\"")
			sub(/^BEGIN IMMEDIATE/, "BEGIN", part[i])
		}
		out = out (i > 1 ? "'" : "") part[i]
	}
	sub(/[ ;]+$/, "", out)
	return out
}

function is_ddl(sql) { return sql ~ /^(CREATE|ALTER|DROP) / }
function is_turn(sql) { return sql ~ /^(BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)/ }

# Full-text search is SQLite's, in every site (design of search). "excused" holds what cannot be said
# otherwise, with the reason.
function skipped(sql, i) {
	if (sql ~ /search_(fts|terms)_/ || sql ~ /fts5/)
		return 1
	for (i = 1; i <= excused; i++)
		if (index(sql, excuse[i])) {
			used[i] = 1
			return 1
		}
	return 0
}

BEGIN {
	FS = "\t"
	# What core/db/folding.h gives to SQLite: a driver for PostgreSQL would make it, too. Of marks
	# and letters this one knows the most frequent.
	HAS = "CREATE FUNCTION stet_has(text, text) RETURNS integer LANGUAGE sql IMMUTABLE AS " \
	    "$$SELECT (position($2 IN lower(regexp_replace(normalize($1, NFKD), " \
	    "'[\\u0300-\\u036f]', '', 'g'))) > 0)::integer$$;"
	while ((getline line < EXCUSED) > 0)
		if (line != "" && line !~ /^#/)
			excuse[++excused] = line
}

# A test's own statement changes tables, or is of no interest.
{
	path = FILENAME SUBSEP $1
	sql = $3
	test = sub(/^\/\* test \*\/ /, "", sql)
	if (skipped(sql) || $2 == "r" && is_turn(sql))
		next
	if (test && !is_ddl(sql))
		next
	if (!(path in lines))
		order[++paths] = path
	fresh = 0
	if (!is_turn(sql) && !(sql in seen)) {
		seen[sql] = 1
		fresh = 1
		if (!test)
			new[path] = 1
	}
	if (is_ddl(sql) || is_turn(sql) || fresh) {
		text[path, ++lines[path]] = sql
		kind[path, lines[path]] = test ? "test" : is_ddl(sql) ? "ddl" : is_turn(sql) ? "turn" : "query"
		first[path, lines[path]] = fresh
	}
}

# A transaction that holds nothing of interest is left out.
function put_all(path, i, k, j, wanted) {
	for (i = 1; i <= lines[path]; i++) {
		k = kind[path, i]
		if (k == "turn" && text[path, i] ~ /^BEGIN/) {
			wanted = 0
			for (j = i + 1; j <= lines[path] && text[path, j] !~ /^(BEGIN|COMMIT|END|ROLLBACK *;?$)/; j++)
				wanted = wanted || kind[path, j] != "turn"
			if (!wanted) {
				i = j
				continue
			}
		}
		if (k == "query")
			print "PREPARE q" (++queries) " AS " translated(text[path, i]) ";"
		else {
			if (k == "ddl" && first[path, i])
				tables++
			print translated(text[path, i]) ";" (k == "test" ? " -- test" : "")
		}
	}
}

END {
	print "\\set ON_ERROR_ROLLBACK on"
	for (p = 1; p <= paths; p++) {
		if (!(order[p] in new))
			continue
		print "CREATE SCHEMA site" p "; SET search_path = site" p ";"
		print HAS
		put_all(order[p])
		# Each table that goes makes the server look at all prepared statements.
		print "ROLLBACK; DEALLOCATE ALL; DROP SCHEMA site" p " CASCADE;"
	}
	for (i = 1; i <= excused; i++)
		if (!(i in used))
			print "unused\t" excuse[i] >COUNTS
	print "counts\t" tables "\t" queries >COUNTS
}

# results.awk - of the outputs of tests, one TAP. An output is between the lines "test NAME STATUS" and "end"; without a
# status the test was left out. A test that fails and is excused (the file EXCUSED) is skipped; one that is excused and
# passes fails.

function put(good, text) {
	failed += !good
	print (good ? "ok " : "not ok ") (++count) " - " text
}

# The text of a result without "ok 3 - ", what follows #, and why cmocka could not run it.
function name_of(line) {
	sub(/^(not )?ok [0-9]* *-? */, "", line)
	sub(/ +#.*| Could not run test:.*/, "", line)
	return line
}

# What a program said besides its results, where something has failed.
function show(i) {
	for (i = said > 40 ? said - 39 : 1; i <= said; i++)
		print "# " substr(other[i], 1, 400)
}

BEGIN {
	while ((getline line < EXCUSED) > 0)
		if (line !~ /^#/ && split(line, part, ": ") == 3)
			why[part[1], part[2]] = part[3]
}

/^test / && !inside {
	inside = 1
	test = $2
	status = $3
	said = bad = results = skipped = 0
	next
}

$0 == "end" {
	inside = 0
	if (status == "")
		put(1, test " # SKIP " why[test, "*"])
	else if (!skipped && (status != 0 && !bad || !results)) {
		put(0, test " ends with status " status " after " results " results")
		bad = 1
	}
	if (bad > excused)
		show()
	excused = 0
	next
}

# After what the program said without an end of the line.
match($0, /[^ ](not )?ok [0-9]+ - [a-z0-9_]+$/) {
	other[++said] = substr($0, 1, RSTART)
	$0 = substr($0, RSTART + 1)
}

/^1\.\.0/ {
	skipped = 1
	put(1, test " " substr($0, index($0, "#")))
	next
}

/^(not )?ok [0-9]+/ {
	results++
	name = name_of($0)
	good = $1 == "ok"
	bad += !good
	if (!((test, name) in why))
		put(good, test ": " name ($0 ~ /# SKIP/ ? " " substr($0, index($0, "# SKIP")) : ""))
	else if (good)
		put(0, test ": " name " passes, and need not be excused")
	else {
		excused++
		put(1, test ": " name " # SKIP " why[test, name])
	}
	next
}

!/^1\.\.[0-9]+$/ { other[++said] = $0 }

END {
	print "1.." count
	exit failed > 0
}

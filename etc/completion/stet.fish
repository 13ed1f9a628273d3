# fish completion of stet(1). It asks "stet help", so it knows what there is, modules of others included.

# The words that stand there, without the options before the command and their values.
function __stet_words
    set -l words
    set -l skip 1
    for token in (commandline -opc)
        if test $skip -gt 0
            set skip (math $skip - 1)
        else if contains -- $token --config --data --site
            set skip 1
        else if not string match -q -- '-*' $token
            set -a words $token
        end
    end
    test (count $words) -gt 0; and test $words[1] = help; and set -e words[1]
    string join \n -- $words
end

function __stet_next
    set -l words (__stet_words)
    set -l skip (count $words)
    for line in (stet help $words 2>/dev/null)
        if string match -qr '^  [a-z]' -- $line
            set -l name (string split -n ' ' -- $line)
            printf '%s\t%s\n' $name[(math $skip + 1)] (string replace -r '^  .{20} *' '' -- $line)
        end
    end
end

# The options of the longest command that stands there.
function __stet_options
    set -l words (__stet_words)
    while test (count $words) -gt 0; and not stet help $words >/dev/null 2>&1
        set -e words[-1]
    end
    stet help $words 2>/dev/null | string match -r -- '^usage:.*|^  --.*' |
        string match -ar -- '--[a-z][a-z-]*' | sort -u
end

complete -c stet -n 'test -n "$(__stet_next)"' -f
complete -c stet -a '(__stet_next)'
complete -c stet -n 'string match -q -- "-*" (commandline -ct)' -a '(__stet_options)'

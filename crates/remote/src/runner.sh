# Builds and tests candidates of howcome, one after the other, and writes what they did to CANDIDATE.result.
# It exits with 0 whatever they did: their endings are data.
#
# usage: sh howcome-run LIMIT BUILD_LIMIT STEPS READS KEEP CANDIDATE...
#
# LIMIT and BUILD_LIMIT are seconds. STEPS is the number of builds. READS is 1 if the files that were not read are wanted.
# KEEP is 1 if what the builds made is wanted. CANDIDATE is a folder with:
#   files/     the candidate
#   steps      a script that becomes build or test number $4
#   extras/    other files that the steps need
#   wanted     the files that are returned afterwards, one a line
#   warm.tar, changed   what an earlier build made, and a script that makes the files newer that differ from those of that build
limit=$1 build_limit=$2 builds=$3 reads=$4 keep=$5
shift 5
top=$PWD
most=1048576
umask 022

# Of the usual shells, bash alone says when a signal ends a program.
if command -v bash >/dev/null 2>&1; then between=bash; else between=sh; fi

if command -v setsid >/dev/null 2>&1; then apart=setsid group=-; else apart='' group=''; fi

now() {
	t=$(date +%s%N)
	case $t in *[!0-9]*) t=$(date +%s)000000000 ;; esac
	echo "$t"
}

size() { wc -c <"$1" | tr -d ' '; }

# Adds a file to the body of the result, cut if it is long, and prints its three lengths: beginning, left out, end.
add() {
	length=$(size "$1")
	if [ "$length" -gt $((2 * most)) ]; then
		head -c $most "$1" >>"$body"
		tail -c $most "$1" >>"$body"
		printf ' %s %s %s' $most $((length - 2 * most)) $most
	else
		cat "$1" >>"$body"
		printf ' %s 0 0' "$length"
	fi
}

# Runs step $1 for at most $2 seconds.
step() {
	rm -f "$state/late" "$state/how" "$state/status"
	out=$state/out.$1 err=$state/err.$1
	begin=$(now)
	# The shell between says something if a signal ends the step, so that this differs from an exit code above 128.
	$apart "$between" -c 'out=$1 err=$2 status=$3; shift 3; "$@" >"$out" 2>"$err" </dev/null; echo $? >"$status"' sh \
		"$out" "$err" "$state/status" sh "$dir/steps" "$work" "$dir/extras" "$state/how" "$1" >/dev/null 2>"$state/said" </dev/null &
	pid=$!
	$apart sh -c 'sleep "$1"; : >"$2"; kill -s KILL -- "$3"' sh "$2" "$state/late" "$group$pid" >/dev/null 2>&1 </dev/null &
	guard=$!
	wait $pid
	status=$?
	end=$(now)
	kill -s KILL -- "$group$guard" 2>/dev/null || kill -s KILL "$guard" 2>/dev/null
	wait $guard 2>/dev/null
	# Nothing that it has started goes on beside the next step.
	kill -s KILL -- "$group$pid" 2>/dev/null
	if [ -e "$state/late" ]; then
		ending=late
	elif [ -s "$state/how" ]; then
		ending=$(cat "$state/how")
	elif [ -s "$state/status" ]; then
		ending=$(cat "$state/status")
		[ "$ending" -gt 128 ] && [ -s "$state/said" ] && ending=s$((ending - 128))
	else
		# It has killed the shell, too.
		ending=s$((status - 128))
	fi
	touch "$out" "$err"
	printf 'step %s %s %s' "$ending" "$begin" "$end" >>"$head"
	add "$out" >>"$head"
	add "$err" >>"$head"
	echo >>"$head"
	[ "$ending" = 0 ]
}

candidate() {
	dir=$top/$1
	state=$top/$1.state
	head=$state/head body=$state/body
	mkdir "$state" "$state/tmp" || exit 1
	: >"$head"
	: >"$body"
	export TMPDIR="$state/tmp"
	[ -n "$HOME" ] || export HOME="$state/tmp"
	# All files have the same time, so that none of them looks newer than another.
	old=$state/old
	: >"$old"
	touch -t 202001010000 "$old"
	work=$dir/files
	if [ -e "$dir/warm.tar" ]; then
		work=$state/work
		mkdir "$work"
		(cd "$work" && tar -xf "$dir/warm.tar") || exit 1
		cp -RP "$dir/files/." "$work" || exit 1
		(cd "$dir/files" && find . ! -type d -exec sh -c 'cd "$0" && touch -h -r "$@"' "$work" "$old" {} +) || exit 1
		sh "$dir/changed" "$work" || exit 1
	else
		# Some servers share files between actions, so that they cannot be written.
		shared=$(find "$work" \( -type f -links +1 -o ! -type l ! -perm -200 \) -print 2>/dev/null | head -n 1)
		if [ -n "$shared" ] || [ ! -w "$work" ]; then
			work=$state/work
			mkdir "$work"
			cp -RP "$dir/files/." "$work" || exit 1
		fi
		find "$work" -exec touch -h -r "$old" {} + || exit 1
	fi
	chmod -R u+rwX "$work" || exit 1
	known=0
	if [ "$reads" = 1 ]; then
		probe=$state/probe
		echo x >"$probe"
		touch -r "$old" "$probe"
		touch -a -t 200001010000 "$probe"
		cat "$probe" >/dev/null
		if [ -z "$(find "$probe" -atime +3000)" ]; then
			touch -a -t 200001010000 "$probe"
			cp "$probe" "$state/copy"
			if [ -z "$(find "$probe" -atime +3000)" ]; then
				known=1
				find "$work" -type f -exec touch -a -t 200001010000 {} +
			fi
		fi
	fi
	printf 'howcome 1\nfolder %s\n' "$work" >"$head"
	number=0
	went_well=1
	while [ "$number" -lt "$builds" ]; do
		step "$number" "$build_limit" || { went_well=0; break; }
		number=$((number + 1))
	done
	if [ $went_well = 1 ]; then
		if [ "$keep" = 1 ]; then
			(cd "$work" && find . ! -type d -newer "$old" -print0 | tar -cf "$top/$1.built" --null -T -) || rm -f "$top/$1.built"
		fi
		step test "$limit"
	fi
	if [ $known = 1 ]; then
		(cd "$work" && find . -type f -atime +3000 -exec printf '%s\0' {} +) >"$state/unread"
		printf 'unread %s\n' "$(size "$state/unread")" >>"$head"
		cat "$state/unread" >>"$body"
	fi
	while IFS= read -r path; do
		if [ -f "$work/$path" ] && [ "$(size "$work/$path")" -le $((16 * most)) ]; then
			printf 'left %s %s\n' "$(size "$work/$path")" "$path" >>"$head"
			cat "$work/$path" >>"$body"
		fi
	done <"$dir/wanted"
	echo >>"$head"
	cat "$head" "$body" >"$state/whole" && mv "$state/whole" "$top/$1.result"
}

for name; do
	(candidate "$name") || exit 1
done
exit 0

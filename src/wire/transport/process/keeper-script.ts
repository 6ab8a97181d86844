/**
 * The keeper: a shell script that blocks on its stdin, a pipe from the host. When the pipe closes, for
 * whatever reason, it ends everything that carries the host's mark, descends from a child of the host or shares a
 * group with one: after a grace period (an idle CLI exits at the end of stdin), TERM, then KILL. A busy CLI
 * would continue with its queued work unseen, so it is killed within two seconds.
 * The keeper has the mark in its environment without the hyphen that follows it in marked processes, so it never
 * finds itself. It has it from the start, so there is no moment in which nobody watches. While it rests
 * there is nothing to end, and it exits immediately. `until` sets a deadline that the host keeps extending: when it
 * passes, as with a stopped host, a second shell kills the same processes without the grace period.
 */
export const KEEPER_SCRIPT = `
mark=$KEEPER_MARK folder=$KEEPER_FOLDER table=$KEEPER_TABLE
pids=' ' found=' ' told=' ' running= resting= timer=
trap '' HUP INT QUIT TERM

carriers() {
  if [ "$table" = proc ]; then
    grep -lF -e "$mark-" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
  else
    { ps -axEww -o pid=,command= || ps axeww -o pid=,command=; } | while read -r pid text; do
      case $text in *"=$mark-"* | *"/$mark-"*) echo "$pid" ;; esac
    done
  fi
}

list() {
  if [ "$table" = proc ]; then
    for stat in /proc/[0-9]*/stat; do
      read -r line < "$stat" || continue
      pid=\${stat#/proc/}
      set -- \${line##*) }
      [ "$1" = Z ] || echo "\${pid%/stat} $2 $3"
    done
  else
    ps -axo pid=,ppid=,pgid=,state= | while read -r pid parent group state; do
      case $state in Z*) ;; *) echo "$pid $parent $group" ;; esac
    done
  fi
}

look() {
  for pid in $(carriers); do case $found in *" $pid "*) ;; *) found="$found$pid " ;; esac; done
  snapshot=$(list)
  grew=yes
  while [ "$grew" ]; do
    grew=
    while read -r pid parent group; do
      case $found in *" $pid "*) continue ;; esac
      case "$pids$found" in *" $pid "* | *" $parent "* | *" $group "*) found="$found$pid " grew=yes ;; esac
    done <<END
$snapshot
END
  done
  running=
  while read -r pid _; do
    case $found in *" $pid "*) running="$running $pid" ;; esac
  done <<END
$snapshot
END
}

step() {
  left=$1 told=' '
  while [ "$running" ] && [ "$left" -gt 0 ]; do
    for pid in $running; do
      case $told in *" $pid "*) continue ;; esac
      told="$told$pid "
      [ "$2" ] && kill -s "$2" "$pid"
    done
    sleep 0.2 || sleep 1
    left=$((left - 1))
    look
  done
  [ -z "$running" ]
}

end() { look; step 2 '' || step 2 TERM || step 15 KILL; }

# In a shell of its own, which the main one tells by USR1 that the host was heard of. A child may have gone since, and
# another process may have its number: what counts is who is still a child of the host.
late() {
  trap 'kill -s KILL "$!"; exit' USR1
  sleep "$1" &
  wait "$!" || { sleep "\${1%.*}" & wait "$!"; }
  trap '' USR1
  snapshot=$(list) known=$pids pids=' '
  while read -r pid parent _; do
    case $known in *" $pid "*) [ "$parent" != "$PPID" ] || pids="$pids$pid " ;; esac
  done <<END
$snapshot
END
  # To find all that belongs to them takes a moment, in which they must do nothing.
  for pid in $pids; do kill -s STOP "$pid"; kill -s STOP -- "-$pid"; done
  look
  step 15 KILL
  sleep 0.2 || sleep 1
  look
  step 15 KILL
}

disarm() { [ -z "$timer" ] || kill -s USR1 "$timer"; timer=; }

while read -r verb word; do
  case $verb in
    add) pids="$pids$word " ;;
    del) case $pids in *" $word "*) pids="\${pids%% $word *} \${pids#* $word }" ;; esac ;;
    rest) resting=yes ;;
    wake) resting= ;;
    until) disarm; [ "$word" = never ] || { late "$word" & timer=$!; } ;;
    quit) disarm; exit 0 ;;
  esac
done
disarm
[ "$mark" ] && [ -z "$resting" ] || exit 0

# A process that is between two programs shows no mark for a moment, so that one look may miss it.
end
sleep 0.2 || sleep 1
end
[ -z "$folder" ] || rm -rf -- "$folder"
`;

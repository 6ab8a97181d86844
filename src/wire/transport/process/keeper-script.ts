/**
 * The keeper: a shell script that blocks on its stdin, a pipe from the host. When the pipe closes, for
 * whatever reason, it ends all that carries the host's mark, descends from a child of the host or shares a
 * group with one: after a moment of grace (an idle CLI leaves at the end of stdin), TERM, then KILL. A busy CLI
 * would go on with what waits in its queue and nobody would see it, so it is killed within two seconds.
 * It knows the mark from its environment without the hyphen that carriers have behind it, so that it never
 * finds itself, and from its first moment on, so that there is none in which nobody watches. While it rests
 * there is nothing to end, and it leaves at once.
 */
export const KEEPER_SCRIPT = `
mark=$KEEPER_MARK folder=$KEEPER_FOLDER table=$KEEPER_TABLE
pids=' ' found=' ' told=' ' running= resting=
trap '' HUP INT QUIT TERM

while read -r verb word; do
  case $verb in
    add) pids="$pids$word " ;;
    del) case $pids in *" $word "*) pids="\${pids%% $word *} \${pids#* $word }" ;; esac ;;
    rest) resting=yes ;;
    wake) resting= ;;
    quit) exit 0 ;;
  esac
done
[ "$mark" ] && [ -z "$resting" ] || exit 0

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

# A process that is between two programs shows no mark for a moment, so that one look may miss it.
end
sleep 0.2 || sleep 1
end
[ -z "$folder" ] || rm -rf -- "$folder"
`;

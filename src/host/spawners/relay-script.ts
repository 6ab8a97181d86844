/**
 * Runs a program behind a relay of its input, where no keeper of the host reaches it. When the input ends, for whatever
 * reason, the program has five seconds to finish; then everything with its mark is ended. A CLI that is busy would
 * otherwise continue its work unseen. The first argument is the mark. The shell reports a killed program on stderr, which
 * may be closed by then: that must not end it before it has removed its files.
 */
export const RELAY_SCRIPT = `
mark=$1; shift
trap : PIPE
folder=$(mktemp -d) && trap 'rm -rf -- "$folder"' EXIT && mkfifo "$folder/in" || exit 96
marked() { grep -lsF -e "COXSWAIN_RELAY=$mark" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done; }
send() { signal=$1; shift; for pid in "$@"; do kill -s "$signal" "$pid"; done 2> /dev/null; }
exec 3<&0
COXSWAIN_RELAY=$mark "$@" < "$folder/in" 3<&- &
child=$!
{ cat <&3 > "$folder/in"; sleep 5; send TERM $child $(marked); sleep 2; send KILL $child $(marked); } > /dev/null 2>&1 &
relay=$!
exec 3<&- < /dev/null
trap 'send TERM $child $(marked)' HUP INT TERM
while wait "$child"; code=$?; kill -0 "$child" 2> /dev/null; do :; done
send KILL "$relay" $(marked)
exit "$code"
`;

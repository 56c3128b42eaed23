# Programs that break the protocol, one for each word. The tests play against them.
hello() { read -r line; echo '{"hello": "hostile", "protocol": 3}'; }
index() { echo '{"index": 0}'; }
# Hears until a question comes.
question() { while read -r line; do case $line in '{"seq"'*) return 0 ;; esac; done; return 1; }

case $1 in
crashes) exit 3 ;;
mute) exec sleep 600 ;;
old) read -r line; echo '{"hello": "old", "protocol": 0}'; exec sleep 600 ;;
rude) read -r line; echo 'Good evening!'; exec sleep 600 ;;
endless) read -r line; while :; do printf '%s' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done ;;
ends) hello; question; exit 0 ;;
silent) hello; question; sleep 600 ;;
unread) hello; exec sleep 600 ;;
garbage) hello; question; echo '{"index": "the best one"}'; cat > /dev/null ;;
binary) hello; question; printf '\377\376\000\n'; cat > /dev/null ;;
negative) hello; question; echo '{"index": -1}'; cat > /dev/null ;;
nested) hello; question; printf '%20000s\n' '' | tr ' ' '['; cat > /dev/null ;;
range) hello; question; echo '{"index": 4000}'; cat > /dev/null ;;
stale) hello; question; echo '{"index": 0, "seq": 77}'; cat > /dev/null ;;
# The second answer names its question, so it is refused whether it comes before the next question or after.
twice) hello; question; index; echo '{"index": 0, "seq": 1}'; cat > /dev/null ;;
together) hello; question; printf '{"index": 0}\n{"index": 0}\n'; cat > /dev/null ;;
# Can be met once, and then no more: the second word names a file to remember it by.
once) if [ -e "$2" ]; then exit 3; fi; : > "$2"; hello; cat > /dev/null ;;
floods) hello; question; while :; do index; done ;;
closes) read -r line; exec 0<&-; echo '{"hello": "hostile", "protocol": 3}'; exec sleep 600 ;;
shouts) hello; while question; do
        i=0; while [ $i -lt 20 ]; do printf '%01000d\n' 7 >&2; i=$((i + 1)); done; index; done ;;
# Behaves until the end; then nothing but force ends it, nor the process it has started.
stays) trap '' PIPE TERM INT HUP; sleep 600 & hello; while question; do index; done; while :; do sleep 1; done ;;
esac

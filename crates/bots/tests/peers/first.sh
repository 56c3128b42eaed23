# A program that keeps to the protocol and always gives the first answer.
read -r line
echo '{"hello": "first", "protocol": 3}'
while read -r line; do
    case $line in '{"seq"'*) echo '{"index": 0}' ;; esac
done

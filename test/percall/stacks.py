# stacks.py HINDSIGHT TRACE SEQ: a frame whose place is not known has no pc in threads.json and in the answers of dap.
import json, re, subprocess, sys

hindsight, trace, seq = sys.argv[1], sys.argv[2], int(sys.argv[3])
of_thread = [json.loads(line) for line in open("threads.json")][0]["stack"]
commands = [("initialize", {}), ("launch", {"trace": trace, "at": seq}), ("configurationDone", {})]
commands += [("threads", {}), ("stackTrace", {"threadId": 1})]
text = b""
for i, (command, arguments) in enumerate(commands):
    body = json.dumps({"seq": i + 1, "type": "request", "command": command, "arguments": arguments}).encode()
    text += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
out = subprocess.run([hindsight, "dap"], input=text, capture_output=True).stdout.decode()
answer = re.search(r'{"seq":\d+,"type":"response".[^\n]*"command":"stackTrace".*', out).group()
of_dap = json.loads(answer)["body"]["stackFrames"]
for stack in of_thread, of_dap:
    assert "pc" not in stack[0] and "pc" in stack[-1], stack
    assert stack[0]["left_out"] > 0 and "left_out" not in stack[-1], stack

"""Canned Anthropic SSE for wire cases that no third-party mock emits. Picks the script by the last user text."""
import json, sys, http.server
def ev(t, **k): return f"event: {t}\ndata: {json.dumps(dict(type=t, **k))}\n\n"
U = dict(input_tokens=10, output_tokens=1, cache_read_input_tokens=100, cache_creation_input_tokens=20, cache_creation=dict(ephemeral_5m_input_tokens=5, ephemeral_1h_input_tokens=15), service_tier="standard")
def start(): return ev("message_start", message=dict(id="msg_1", type="message", role="assistant", content=[], model="claude-x", stop_reason=None, stop_sequence=None, usage=U))
def end(r="end_turn"): return ev("message_delta", delta=dict(stop_reason=r, stop_sequence=None), usage=dict(output_tokens=9)) + ev("message_stop")
def blk(i, b, *ds): return ev("content_block_start", index=i, content_block=b) + "".join(ev("content_block_delta", index=i, delta=d) for d in ds) + ev("content_block_stop", index=i)
T = dict(type="text", text="")
S = {
 "server_tool": start() + blk(0, dict(type="server_tool_use", id="srvtoolu_1", name="web_search", input={}), dict(type="input_json_delta", partial_json='{"query":'), dict(type="input_json_delta", partial_json='"x"}'))
   + blk(1, dict(type="web_search_tool_result", tool_use_id="srvtoolu_1", content=[dict(type="web_search_result", url="https://e.x", title="t", encrypted_content="ENC")]))
   + blk(2, dict(T, citations=[]), dict(type="text_delta", text="Found."), dict(type="citations_delta", citation=dict(type="web_search_result_location", url="https://e.x", cited_text="c", encrypted_index="IDX"))) + end(),
 "interleaved": start() + blk(0, dict(type="thinking", thinking="", signature=""), dict(type="thinking_delta", thinking="one"), dict(type="signature_delta", signature="S1")) + blk(1, T, dict(type="text_delta", text="A"))
   + blk(2, dict(type="thinking", thinking="", signature=""), dict(type="thinking_delta", thinking="two"), dict(type="signature_delta", signature="S2")) + blk(3, T, dict(type="text_delta", text="B"))
   + blk(4, dict(type="tool_use", id="toolu_9", name="get_weather", input={}), dict(type="input_json_delta", partial_json='{"city":"Paris"}')) + end("tool_use"),
 "overloaded": start() + blk(0, T, dict(type="text_delta", text="A")) + ev("error", error=dict(type="overloaded_error", message="Overloaded")),
 "omitted": start() + blk(0, dict(type="thinking", thinking="", signature=""), dict(type="signature_delta", signature="S3")) + blk(1, dict(type="tool_use", id="toolu_8", name="get_weather", input={}), dict(type="input_json_delta", partial_json='{"city":"Paris"}')) + end("tool_use"),
 "slow": None,
}
LAST = []
class H(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def do_GET(self):
        b = json.dumps(LAST).encode(); self.send_response(200); self.send_header("content-length", str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_POST(self):
        q = json.loads(self.rfile.read(int(self.headers["content-length"]))); LAST.append(dict(headers=dict(self.headers), body=q)); del LAST[:-5]
        txt = next(json.dumps(m["content"]) for m in reversed(q["messages"]) if m["role"] == "user")
        key = next((k for k in S if k in txt), "interleaved")
        self.send_response(200); self.send_header("content-type", "text/event-stream"); self.send_header("request-id", "req_edge"); self.send_header("anthropic-ratelimit-requests-remaining", "41"); self.send_header("connection", "close"); self.end_headers()
        if key == "slow":
            import time
            self.wfile.write((start() + ev("content_block_start", index=0, content_block=T)).encode()); self.wfile.flush(); n = 0
            try:
                for n in range(100): self.wfile.write(ev("content_block_delta", index=0, delta=dict(type="text_delta", text=f"w{n} ")).encode()); self.wfile.flush(); time.sleep(0.05)
            except OSError: LAST.append(dict(cancelled_after=n))
            return
        self.wfile.write(S[key].encode())
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 4040), H).serve_forever()

//! A server on this machine that speaks the Chat Completions format, slowly if told so.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// A server that says `words` to each request, one by one.
pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

/// What a server answers.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// These words with a pause after each, and how many tokens were read and written, if told.
    Words(&'static [&'static str], Duration, Option<(u64, u64)>),
    /// A status, and after how many seconds to come again.
    Status(u16, u32),
}

impl Server {
    /// Gives each request the next answer; the last one is given again.
    pub(crate) fn answering(answers: &'static [Answer]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<Value>>>::default();
        let kept = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let Some(request) = read(&stream) else { continue };
                let number = {
                    let mut kept = kept.lock().unwrap();
                    kept.push(request);
                    kept.len() - 1
                };
                let answer = answers[number.min(answers.len() - 1)];
                // Whoever hangs up has heard enough.
                thread::spawn(move || drop(tell(&stream, answer)));
            }
        });
        Self { url, asked }
    }

    /// Returns the bodies of the requests so far.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

fn read(stream: &TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn tell(mut stream: &TcpStream, answer: Answer) -> std::io::Result<()> {
    let (words, pause, used) = match answer {
        Answer::Words(words, pause, used) => (words, pause, used),
        Answer::Status(status, wait) => {
            let head = format!("HTTP/1.1 {status} No\r\nretry-after: {wait}\r\n");
            return write!(stream, "{head}content-length: 0\r\nconnection: close\r\n\r\n");
        }
    };
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    )?;
    for word in words {
        let delta = json!({ "role": "assistant", "content": word });
        chunk(stream, &json!([{ "index": 0, "delta": delta }]), None)?;
        thread::sleep(pause);
    }
    chunk(stream, &json!([{ "index": 0, "delta": {}, "finish_reason": "stop" }]), used)?;
    write!(stream, "data: [DONE]\n\n")
}

fn chunk(mut stream: &TcpStream, choices: &Value, used: Option<(u64, u64)>) -> std::io::Result<()> {
    let usage = used.map(|(read, written)| {
        json!({
            "prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written
        })
    });
    let chunk = json!({
        "id": "a", "object": "chat.completion.chunk", "created": 1, "model": "test",
        "choices": choices, "usage": usage,
    });
    write!(stream, "data: {chunk}\n\n")?;
    stream.flush()
}

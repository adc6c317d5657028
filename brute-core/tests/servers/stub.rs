//! A server that answers each request with the next of some texts, and keeps what it was asked.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::Value;

/// A server of a few answers.
pub(crate) struct Stub {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Stub {
    /// Answers each request with the next text, byte for byte; the last one is told again.
    pub(crate) fn answering<S: Into<String>>(answers: impl IntoIterator<Item = S>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answers: Vec<String> = answers.into_iter().map(Into::into).collect();
        let asked = Arc::<Mutex<Vec<(String, Value)>>>::default();
        let kept = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let Some(request) = read(&stream) else { continue };
                let number = {
                    let mut kept = kept.lock().unwrap();
                    kept.push(request);
                    kept.len() - 1
                };
                let answer = &answers[number.min(answers.len() - 1)];
                drop((&stream).write_all(answer.as_bytes()));
            }
        });
        Self { url, asked }
    }

    /// Takes connections and says nothing.
    pub(crate) fn silent() -> Self {
        Self::answering([""])
    }

    /// Returns the heads and bodies of the requests so far.
    pub(crate) fn asked(&self) -> Vec<(String, Value)> {
        self.asked.lock().unwrap().clone()
    }

    /// Returns the body of the last request.
    pub(crate) fn body(&self) -> Value {
        self.asked().pop().expect("nothing was asked").1
    }
}

/// Reads one request: its head, and its body as JSON.
fn read(mut stream: &TcpStream) -> Option<(String, Value)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            if body.len() >= length.unwrap_or(0usize) {
                return Some((head.to_owned(), serde_json::from_str(body).unwrap_or_default()));
            }
        }
        let read = stream.read(&mut buffer).ok().filter(|&read| read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
    }
}

/// Makes an answer that is no stream.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Makes a stream of frames, which ends with the connection.
pub(crate) fn stream(frames: &[Value]) -> String {
    let frames: String = frames
        .iter()
        .map(|frame| match frame["type"].as_str() {
            Some(kind) => format!("event: {kind}\ndata: {frame}\n\n"),
            None => format!("data: {frame}\n\n"),
        })
        .collect();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{frames}"
    )
}

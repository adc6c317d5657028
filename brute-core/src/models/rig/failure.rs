//! Turns what went wrong on the way to a provider into an error of ours.

use std::{
    error::Error as StdError,
    time::{Duration, SystemTime},
};

use http::HeaderMap;
use rig_core::{ProviderError, ProviderResponseError, http_client};
use serde_json::Value;

use super::patient::Silence;
use crate::{
    Error, ErrorKind,
    models::provider::{Key, Provider},
};

/// How much of an answer that is no JSON is shown.
const LONGEST: usize = 300;

/// Words by which providers say that a request is too long.
const TOO_LONG: [&str; 5] = [
    "context_length_exceeded",
    "exceed_context_size",
    "prompt is too long",
    "maximum context length",
    "input token count",
];

/// Tells failures of one provider, without its key.
pub(super) struct Failures<'a> {
    provider: &'static str,
    key: Option<&'a Key>,
}

impl<'a> Failures<'a> {
    pub(super) fn new(provider: &'a Provider) -> Self {
        Self { provider: provider.name(), key: provider.key.as_ref() }
    }

    pub(super) fn tell(&self, error: &ProviderError) -> Error {
        match error {
            ProviderError::Truncated => self.truncated(),
            ProviderError::Http(error) => self.on_the_way(error),
            ProviderError::Json(_) | ProviderError::Response(_) => self.garbled(error),
            ProviderError::Request(_) | ProviderError::UnsupportedOption(_) => {
                self.error(ErrorKind::Invalid, &format!("the request cannot be sent: {error}"))
            }
            other => match other.provider_response() {
                Some(response) => self.answered(response),
                None => self.error(ErrorKind::Model, &other.to_string()),
            },
        }
    }

    fn error(&self, kind: ErrorKind, message: &str) -> Error {
        let message = format!("{}: {message}", self.provider);
        let message = match self.key {
            Some(key) => key.hide_in(message),
            None => message,
        };
        Error::new(kind, message)
    }

    fn truncated(&self) -> Error {
        let message = "the answer ended before it was complete";
        self.error(ErrorKind::Truncated, message).retryable(true)
    }

    fn garbled(&self, error: &ProviderError) -> Error {
        self.error(
            ErrorKind::Model,
            &format!("the answer cannot be read: {}", shortened(&error.to_string())),
        )
    }

    fn on_the_way(&self, error: &http_client::Error) -> Error {
        let cause = match error {
            http_client::Error::Instance(cause) => cause,
            http_client::Error::InvalidContentType(_) => {
                return self.error(ErrorKind::Model, &format!("the answer is no stream: {error}"));
            }
            other => return self.error(ErrorKind::Network, &other.to_string()),
        };
        if let Some(silence) = cause.downcast_ref::<Silence>() {
            return self.error(ErrorKind::Timeout, &silence.to_string());
        }
        let is_timeout = cause
            .downcast_ref::<rig_reqwest::reqwest::Error>()
            .is_some_and(rig_reqwest::reqwest::Error::is_timeout);
        let kind = if is_timeout { ErrorKind::Timeout } else { ErrorKind::Network };
        self.error(kind, &chain(&**cause))
    }

    fn answered(&self, response: &ProviderResponseError) -> Error {
        let status = response.status.map(|status| status.as_u16()).filter(|&status| status != 200);
        let body: Value = serde_json::from_str(&response.body).unwrap_or_default();
        let code = code(&body);
        let (kind, retryable) = judged(status, code, &response.body);
        let told = match (status, code) {
            (Some(status), Some(code)) => format!("answered {status} ({code}): "),
            (Some(status), None) => format!("answered {status}: "),
            (None, Some(code)) => format!("broke off ({code}): "),
            (None, None) => "broke off: ".to_owned(),
        };
        let message = format!("{told}{}", explanation(&body, &response.body));
        let mut error = self.error(kind, &message).retryable(retryable);
        if let Some(status) = status {
            error = error.with_status(status);
        }
        if let Some(id) = &response.provider_request_id {
            error = error.with_request_id(id.as_str());
        }
        let wait = response.headers.as_ref().and_then(|headers| wait(headers, SystemTime::now()));
        match wait {
            Some(wait) => error.after(wait),
            None => error,
        }
    }
}

/// Judges an answer by its status, else by the code in it; whether it may pass is the second half.
fn judged(status: Option<u16>, code: Option<&str>, body: &str) -> (ErrorKind, bool) {
    let kind = match (status, code.unwrap_or_default()) {
        (_, "insufficient_quota") => return (ErrorKind::RateLimited, false),
        (Some(429), _) => ErrorKind::RateLimited,
        (Some(401 | 403), _) => ErrorKind::Authentication,
        (Some(503 | 529), _) => ErrorKind::Overloaded,
        (Some(408 | 504), _) => ErrorKind::Timeout,
        (Some(413), _) => ErrorKind::ContextOverflow,
        (Some(400..=499), _) if is_too_long(body) => ErrorKind::ContextOverflow,
        (Some(400 | 422), _) => ErrorKind::Invalid,
        (Some(500..=599), _) => return (ErrorKind::Model, true),
        (Some(_), _) => ErrorKind::Model,
        (None, code) => return judged_by_code(code, body),
    };
    (kind, kind.is_retryable())
}

fn judged_by_code(code: &str, body: &str) -> (ErrorKind, bool) {
    let kind = match code {
        "overloaded_error" | "overloaded" | "UNAVAILABLE" => ErrorKind::Overloaded,
        "rate_limit_error" | "rate_limit_exceeded" | "RESOURCE_EXHAUSTED" => ErrorKind::RateLimited,
        "timeout_error" | "DEADLINE_EXCEEDED" => ErrorKind::Timeout,
        "authentication_error" | "permission_error" => ErrorKind::Authentication,
        "api_error" | "server_error" | "internal_server_error" | "INTERNAL" => {
            return (ErrorKind::Model, true);
        }
        _ if is_too_long(body) => ErrorKind::ContextOverflow,
        "invalid_request_error" => ErrorKind::Invalid,
        _ => ErrorKind::Model,
    };
    (kind, kind.is_retryable())
}

fn is_too_long(body: &str) -> bool {
    let body = body.to_lowercase();
    TOO_LONG.iter().any(|words| body.contains(words))
}

/// Returns the provider's own name for the failure.
fn code(body: &Value) -> Option<&str> {
    let error = body.get("error").or_else(|| body.pointer("/response/error")).unwrap_or(body);
    let names = ["code", "status", "type"].into_iter();
    names.filter_map(|name| error.get(name)?.as_str()).find(|name| !name.is_empty())
}

fn explanation(body: &Value, raw: &str) -> String {
    let places = ["/error/message", "/response/error/message", "/message", "/error"];
    let told = places.iter().find_map(|place| body.pointer(place)?.as_str());
    shortened(told.unwrap_or(raw).trim())
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told = format!("{told}: {error}");
        cause = error.source();
    }
    told
}

/// Returns how long the provider asks to wait: `retry-after-ms`, else `retry-after` in seconds or
/// as a date.
fn wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok();
    if let Some(milliseconds) = value("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(milliseconds / 1_000.0).ok();
    }
    let after = value("retry-after")?;
    match number(after) {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => httpdate::parse_http_date(after).ok()?.duration_since(now).ok(),
    }
}

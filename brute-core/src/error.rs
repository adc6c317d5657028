//! The one error of the stack: opaque, with a kind to branch on and a chain to read.

use std::{any::Any, fmt, time::Duration};

use tower::BoxError;

/// Says what sort of failure an [`Error`] is, for callers that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The model or its provider failed.
    Model,
    /// The provider asked to slow down.
    RateLimited,
    /// A service had no room for the request.
    Overloaded,
    /// Something took longer than it was allowed to.
    Timeout,
    /// The provider could not be reached, or the connection broke.
    Network,
    /// The provider refused the credentials.
    Authentication,
    /// The request does not fit into the model's context window.
    ContextOverflow,
    /// A reply ended before it was complete.
    Truncated,
    /// The model or its provider declined to answer.
    Refused,
    /// The session is already running a turn.
    Busy,
    /// A tool failed.
    Tool,
    /// A prompt could not be rendered.
    Prompt,
    /// The session's record could not be written or read.
    Store,
    /// The caller asked for something that cannot be.
    Invalid,
    /// Something below the stack failed that is not known here.
    Other,
}

impl ErrorKind {
    /// Tells whether the same request may well succeed when it is sent again.
    pub fn is_retryable(self) -> bool {
        matches!(self, Self::RateLimited | Self::Overloaded | Self::Timeout | Self::Network)
    }
}

/// What went wrong, where, and what caused it.
///
/// `Display` prints this level only and its text is no contract: branch on [`kind`](Self::kind),
/// read the causes through [`source`](std::error::Error::source).
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    retryable: bool,
    retry_after: Option<Duration>,
    status: Option<u16>,
    request_id: Option<Box<str>>,
    source: Option<BoxError>,
}

impl Error {
    /// Creates an error of a kind with a message in lower case, without a full stop.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        let retryable = kind.is_retryable();
        Self(Box::new(Inner {
            kind,
            message,
            retryable,
            retry_after: None,
            status: None,
            request_id: None,
            source: None,
        }))
    }

    /// Keeps what caused this error.
    #[must_use]
    pub fn because(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Says whether another attempt makes sense, where the kind alone would say otherwise.
    #[must_use]
    pub fn retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = retryable;
        self
    }

    /// Says how long the provider asked to wait.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// Keeps the HTTP status that a provider answered with.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = Some(status);
        self
    }

    /// Keeps the provider's name for the request, which its support asks for.
    #[must_use]
    pub fn with_request_id(mut self, request_id: impl Into<Box<str>>) -> Self {
        self.0.request_id = Some(request_id.into());
        self
    }

    /// Returns what sort of failure this is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Tells whether another attempt makes sense.
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// Returns how long the provider asked to wait before another attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Returns the HTTP status that a provider answered with.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// Returns the provider's name for the request.
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// Converts any error of a service at the edge of a layer.
    ///
    /// An [`Error`], boxed or not, comes out as it went in. tower's `Elapsed` becomes
    /// [`ErrorKind::Timeout`] and `Overloaded` becomes [`ErrorKind::Overloaded`].
    pub fn wrap<E: Into<BoxError> + 'static>(error: E) -> Self {
        let mut slot = Some(error);
        if let Some(own) = (&mut slot as &mut dyn Any).downcast_mut::<Option<Self>>()
            && let Some(own) = own.take()
        {
            return own;
        }
        match slot {
            Some(error) => Self::from_box(error.into()),
            None => Self::new(ErrorKind::Other, "an error was taken twice"),
        }
    }

    fn from_box(error: BoxError) -> Self {
        let error = match error.downcast::<Self>() {
            Ok(own) => return *own,
            Err(error) => error,
        };
        let error = match error.downcast::<Box<Self>>() {
            Ok(own) => return **own,
            Err(error) => error,
        };
        let kind = foreign_kind(&error);
        Self::new(kind, error.to_string()).because(error)
    }
}

/// Recognises the errors of tower's own layers.
fn foreign_kind(error: &BoxError) -> ErrorKind {
    if error.is::<tower::timeout::error::Elapsed>() {
        ErrorKind::Timeout
    } else if error.is::<tower::load_shed::error::Overloaded>() {
        ErrorKind::Overloaded
    } else {
        ErrorKind::Other
    }
}

/// Looks for an [`Error`] in whatever error type a stack happens to have.
///
/// A tower policy is written once, for every `E: 'static`, and asks this function: the error may
/// be ours, or ours inside the `BoxError` of a tower layer.
///
/// ```
/// use brute_core::{Error, ErrorKind, as_error};
///
/// let boxed: tower::BoxError = Error::new(ErrorKind::RateLimited, "slow down").into();
/// assert!(as_error(&boxed).is_some_and(Error::is_retryable));
/// ```
pub fn as_error<E: 'static>(error: &E) -> Option<&Error> {
    let error: &dyn Any = error;
    if let Some(boxed) = error.downcast_ref::<BoxError>() {
        return boxed
            .downcast_ref()
            .or_else(|| boxed.downcast_ref::<Box<Error>>().map(|own| &**own));
    }
    error.downcast_ref().or_else(|| error.downcast_ref::<Box<Error>>().map(|own| &**own))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.0;
        let mut fields = f.debug_struct("Error");
        fields.field("kind", &inner.kind).field("message", &inner.message);
        if let Some(wait) = inner.retry_after {
            fields.field("retry_after", &wait);
        }
        if let Some(status) = inner.status {
            fields.field("status", &status);
        }
        if let Some(request_id) = &inner.request_id {
            fields.field("request_id", request_id);
        }
        if let Some(source) = &inner.source {
            fields.field("source", source);
        }
        fields.finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

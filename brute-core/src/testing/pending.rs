//! A future that is not ready at once.

use std::{future, task::Poll};

/// Returns to the executor so many times, then goes on.
pub async fn pending(times: usize) {
    let mut left = times;
    future::poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

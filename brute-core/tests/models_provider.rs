//! Providers: how they are found, what they lack, and what they never show.
#![cfg(feature = "rig")]

use brute_core::models::{self, Provider, forbid_real_calls};
use brute_core::{Error, ErrorKind, Message, Turn};
use tower::ServiceExt;

const KEY: &str = "key-that-must-not-leak-0123456789";

fn with(names: &'static [&'static str]) -> Result<Provider, Error> {
    models::from_variables(|name| names.contains(&name).then(|| KEY.to_owned()))
}

#[track_caller]
fn check_found(names: &'static [&'static str], expected: &str) {
    assert_eq!(with(names).unwrap().name(), expected);
}

#[test]
fn the_first_provider_with_a_key_is_picked() {
    check_found(&["ANTHROPIC_API_KEY"], "anthropic");
    check_found(&["OPENAI_API_KEY", "ANTHROPIC_API_KEY"], "anthropic");
    check_found(&["GROQ_API_KEY", "OPENAI_API_KEY"], "openai");
    check_found(&["GOOGLE_API_KEY"], "google");
    check_found(&["AZURE_API_KEY", "XAI_API_KEY"], "xai");
    check_found(&["AZURE_API_KEY", "AZURE_ENDPOINT"], "azure");
}

#[test]
fn without_a_key_it_is_told_what_was_looked_for() {
    let error = with(&[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication);
    for name in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"] {
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn a_blank_key_is_none() {
    let error = models::from_variables(|_| Some("  ".to_owned())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication);
}

#[test]
fn a_provider_is_found_by_its_name() {
    for name in ["anthropic", "openai", "openai_chat", "google", "ollama", "openai_compatible"] {
        assert_eq!(models::provider(name).unwrap().name(), name);
    }
    let error = models::provider("anthropc").unwrap_err();
    assert!(error.to_string().contains("anthropic, openai"), "{error}");
}

#[test]
fn what_is_missing_is_named_before_anything_is_sent() {
    let error = models::azure().key(KEY).model("mine").unwrap_err();
    assert!(error.to_string().contains("AZURE_OPENAI_ENDPOINT"), "{error}");
    let error = models::openai_compatible("127.0.0.1:8080").model("mine").unwrap_err();
    assert!(error.to_string().contains("no http or https address"), "{error}");
    let error = models::anthropic().header("x team", "blue").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let error = models::anthropic().header("x-team", "two\nlines").unwrap_err();
    assert!(!error.to_string().contains("lines"), "{error}");
}

#[track_caller]
fn check_address(address: &str, mentions: &str) {
    let error = models::openai_compatible(address).model("mine").unwrap_err();
    let told = format!("{error} {error:?}");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(told.contains(mentions) && told.contains("127.0.0.1"), "{told}");
    assert!(!told.contains(KEY) && !told.contains("api_key"), "{told}");
}

#[test]
fn an_address_with_a_query_or_a_fragment_is_refused_and_not_repeated() {
    for (behind, mentions) in [("?api_key=", "a query"), ("#api_key=", "a fragment")] {
        for path in ["", "/", "/v1", "/v1/"] {
            check_address(&format!("http://127.0.0.1:1{path}{behind}{KEY}"), mentions);
        }
        check_address(&format!("127.0.0.1:1/v1{behind}{KEY}"), "no http or https address");
    }
    check_address(&format!("ftp://me:{KEY}@127.0.0.1/v1"), "no http or https address");
}

#[test]
fn an_address_of_the_environment_is_judged_as_any_other() {
    let provider = models::from_variables(|name| match name {
        "AZURE_API_KEY" => Some("a key".to_owned()),
        "AZURE_ENDPOINT" => Some(format!("https://127.0.0.1/openai?code={KEY}")),
        _ => None,
    });
    let provider = provider.unwrap();
    assert!(!format!("{provider:?}").contains(KEY), "{provider:?}");
    let error = provider.model("mine").unwrap_err().to_string();
    assert!(error.contains("a query") && !error.contains(KEY), "{error}");
}

#[test]
fn a_password_in_an_address_is_not_shown() {
    let provider = models::openai_compatible(format!("http://me:{KEY}@127.0.0.1:1/v1"));
    let model = provider.model("mine").unwrap();
    for shown in [format!("{provider:?}"), format!("{model:?}")] {
        assert!(!shown.contains(KEY) && shown.contains("@127.0.0.1:1/v1"), "{shown}");
    }
}

#[test]
fn a_password_that_is_not_escaped_is_refused_and_no_part_of_it_shown() {
    let parts = ["alpha9", "beta9", "gamma9"];
    for scheme in ["http://", "https://", "ftp://", ""] {
        for odd in ["/", "?", "#", "://", "@/", "\\", "/@", "?@", "#x/@"] {
            let password = parts.join(odd);
            for user in [format!("me:{password}"), password.clone(), format!("me:1{odd}{password}")]
            {
                let provider = models::openai_compatible(format!("{scheme}{user}@127.0.0.1:1/v1"));
                let error = provider.model("mine").unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Invalid);
                let told = format!("{error} {error:?} {provider:?}");
                assert!(parts.iter().all(|part| !told.contains(part)), "{told}");
            }
        }
    }
}

#[test]
fn an_address_with_an_at_in_its_query_or_path_is_refused_without_its_query() {
    for address in ["http://127.0.0.1/v1?to=", "http://127.0.0.1/@x?to=", "http://me:a@b/#"] {
        let provider = models::openai_compatible(format!("{address}alpha9@{KEY}"));
        let told = format!("{} {provider:?}", provider.model("mine").unwrap_err());
        assert!(!told.contains(KEY) && !told.contains("alpha9"), "{told}");
    }
    let error = models::openai_compatible("http://127.0.0.1/@team").model("mine").unwrap_err();
    assert!(error.to_string().contains("%40"), "{error}");
    models::openai_compatible("http://me:a%2Fb@127.0.0.1/%40team").model("mine").unwrap();
}

#[test]
fn nothing_shows_the_key() {
    let provider = models::anthropic().key(KEY).header("x-secret", KEY).unwrap();
    let model = provider.model("claude-haiku-4-5").unwrap();
    for shown in [format!("{provider:?}"), format!("{provider:#?}"), format!("{model:?}")] {
        assert!(!shown.contains(KEY), "{shown}");
    }
}

#[test]
fn every_provider_has_its_constructor() {
    let all = [
        models::anthropic(),
        models::openai(),
        models::openai_chat(),
        models::google(),
        models::ollama(),
        models::openai_compatible("http://127.0.0.1:1/v1"),
        models::openrouter(),
        models::azure().base_url("http://127.0.0.1:1"),
        models::xai(),
        models::mistral(),
        models::groq(),
        models::deepseek(),
    ];
    for provider in all {
        let name = provider.name();
        let model = provider.key(KEY).model("any").unwrap();
        assert_eq!(model.id().to_string(), format!("{name}/any"));
    }
}

/// The guard holds for the whole process, so the calls that it must let through are here too.
#[tokio::test]
async fn a_guard_forbids_calls_that_would_leave_this_machine() {
    forbid_real_calls();
    let mut turn = Turn::default();
    turn.log.push(Message::user("hello"));
    let real = models::anthropic().key(KEY).base_url("https://api.anthropic.com");
    let error = real.model("claude-haiku-4-5").unwrap().oneshot(turn.clone()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("real calls are forbidden"), "{error}");
    assert!(!error.is_retryable());
    for url in ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"] {
        let local = models::openai_compatible(url).model("any").unwrap();
        let error = local.oneshot(turn.clone()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network, "{url}: {error}");
    }
}

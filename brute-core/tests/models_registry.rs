//! What is known of models, what is assumed, and what the host says above.

use brute_core::models::{ModelInfo, Prices, Registry};
use brute_core::{ErrorKind, ModelId, Usage};

fn get(provider: &str, model: &str) -> ModelInfo {
    Registry::new().get(&ModelId::new(provider, model))
}

#[test]
fn every_built_in_model_makes_sense() {
    let models: Vec<_> = Registry::builtin().collect();
    assert!(models.len() > 100, "only {} models were read", models.len());
    for (id, info) in models {
        assert!(info.is_known && info.context_window >= 2_000, "{id}: {info:?}");
        assert!(info.max_output <= info.context_window, "{id}: {info:?}");
        let Some(prices) = info.prices else { continue };
        assert!(prices.input >= 0.0 && prices.output >= prices.input, "{id}: {prices:?}");
        assert!(prices.cache_read.is_none_or(|read| read <= prices.input), "{id}: {prices:?}");
    }
}

#[test]
fn a_dated_name_is_its_model() {
    assert_eq!(get("anthropic", "claude-haiku-4-5-20251001"), get("anthropic", "claude-haiku-4-5"));
    assert_eq!(get("openai", "gpt-5.2-2025-12-11"), get("openai", "gpt-5.2"));
    assert!(get("anthropic", "claude-haiku-4-5-20251001").is_known);
}

#[test]
fn a_gateway_names_the_provider() {
    let direct = get("anthropic", "claude-haiku-4-5");
    assert_eq!(get("openrouter", "anthropic/claude-haiku-4.5"), direct);
    assert_eq!(get("openrouter", "anthropic/claude-haiku-4.5:beta"), direct);
    assert_eq!(get("openai_chat", "gpt-4.1"), get("openai", "gpt-4.1"));
}

#[test]
fn of_an_unknown_model_the_stated_defaults_are_assumed() {
    let info = get("ollama", "mine");
    assert_eq!(info, ModelInfo::unknown());
    assert!(!info.is_known && info.cost(&Usage::default()).is_none());
}

#[test]
fn the_host_has_the_last_word() {
    let id = ModelId::new("ollama", "mine");
    let mine = ModelInfo { is_known: true, context_window: 32_000, ..ModelInfo::unknown() };
    assert_eq!(Registry::new().with(&id, mine.clone()).get(&id), mine);
}

#[test]
fn a_table_changes_what_it_names_and_nothing_else() {
    let table = r#"{ "anthropic": { "models": { "claude-haiku-4-5": { "max_output": 7 } } } }"#;
    let registry = Registry::new().read(table).unwrap();
    let id = ModelId::new("anthropic", "claude-haiku-4-5");
    let expected = ModelInfo { max_output: 7, ..get("anthropic", "claude-haiku-4-5") };
    assert_eq!(registry.get(&id), expected);
}

#[test]
fn a_table_that_cannot_be_read_says_where() {
    let table = r#"{ "a": { "models": { "b": { "context": 7 } } } }"#;
    let error = Registry::new().read(table).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("`context`"), "{error}");
}

#[test]
fn each_sort_of_token_has_its_price() {
    let prices = Prices {
        input: 1.0,
        output: 10.0,
        cache_read: Some(0.1),
        cache_write: Some(1.25),
        cache_write_1h: Some(2.0),
    };
    let million = 1_000_000;
    let usage = Usage {
        input: million,
        output: million,
        cache_read: million,
        cache_write: 3 * million,
        cache_write_1h: million,
        reasoning: million,
    };
    assert!((prices.of(&usage) - (1.0 + 10.0 + 0.1 + 2.0 * 1.25 + 2.0)).abs() < 1e-9);
}

#[test]
fn an_unpublished_price_of_the_cache_is_that_of_the_input() {
    let prices = Prices {
        input: 2.0,
        output: 4.0,
        cache_read: None,
        cache_write: None,
        cache_write_1h: None,
    };
    let usage = Usage { cache_read: 500_000, cache_write: 500_000, ..Usage::default() };
    assert!((prices.of(&usage) - 2.0).abs() < 1e-9);
}

//! Which family a provider and a model belong to.

use brute_prompts::{Families, Family, PromptErrorKind};

#[track_caller]
fn check(provider: &str, models: &[&str], family: &Family) {
    for model in models {
        assert_eq!(Family::infer(provider, model), *family, "{provider:?} {model:?}");
    }
}

#[test]
fn a_provider_with_a_stack_of_its_own_keeps_it_whatever_the_model_is_called() {
    check("anthropic", &["my-alias", "gpt-4o", ""], &Family::ANTHROPIC);
    check("openai", &["claude-3-5-sonnet"], &Family::OPENAI);
    check("google", &["gpt-like"], &Family::GOOGLE);
    check("gemini", &["gemini-2.5-pro", "claude"], &Family::GOOGLE);
    check("ollama", &["gpt-oss:20b", "gemma3:4b", "claude"], &Family::OLLAMA);
}

#[test]
fn providers_compare_without_case_and_without_blanks_around() {
    check("Anthropic", &["x"], &Family::ANTHROPIC);
    check("  OLLAMA\t", &["x"], &Family::OLLAMA);
    check("Gemini", &["x"], &Family::GOOGLE);
}

#[test]
fn a_gateway_is_judged_by_its_model() {
    check("opencode_zen", &["claude-opus-4-1", "big-pickle"], &Family::ANTHROPIC);
    check("opencode_go", &["glm-4.6", "kimi-k2.5"], &Family::DEFAULT);
    check("openrouter", &["anthropic/claude-sonnet-4.5"], &Family::ANTHROPIC);
    check("openrouter", &["google/gemini-2.5-flash:free"], &Family::GOOGLE);
    check("groq", &["openai/gpt-oss-120b"], &Family::OPENAI);
    check("litellm", &["vertex_ai/gemini-2.5-pro"], &Family::GOOGLE);
    check("bedrock", &["us.anthropic.claude-sonnet-4-5-20250929-v1:0"], &Family::ANTHROPIC);
    check("bedrock", &["amazon.nova-pro-v1:0"], &Family::DEFAULT);
    check("anthropic-proxy", &["something"], &Family::DEFAULT);
}

#[test]
fn a_word_of_the_model_names_the_family() {
    let anthropic = ["claude-sonnet-4", "CLAUDE", "us.anthropic.claude-3-5-sonnet", " claude-x "];
    check("gateway", &anthropic, &Family::ANTHROPIC);
    check("gateway", &["big-pickle", "bigpickle", "big_pickle", "claude-gpt"], &Family::ANTHROPIC);
    check("gateway", &["gpt-4o", "gpt-oss-120b", "chatgpt-4o-latest"], &Family::OPENAI);
    check("gateway", &["codex-mini-latest", "GPT-5-mini"], &Family::OPENAI);
    check("gateway", &["gemini-2.5-pro", "models/gemini-pro", "gemma-3"], &Family::GOOGLE);
}

#[test]
fn a_part_of_a_word_names_no_family() {
    let names = ["claude_3", "claude3-opus", "gpt4", "gpt_4", "codex_x", "gemma3", "claudette-7b"];
    check("gateway", &names, &Family::DEFAULT);
    check("gateway", &["gpt4all-falcon", "mygeminiclone", "olmo-7b", ""], &Family::DEFAULT);
}

#[test]
fn short_reasoning_names_count_at_the_start_of_the_last_part_only() {
    check("gateway", &["o1", "o1-preview", "o3", "o4-mini", "openai/o3-mini"], &Family::OPENAI);
    let others = ["o2", "solo1-chat", "proto3-coder", "marco-o1", "command-r-plus-01-2025"];
    check("gateway", &others, &Family::DEFAULT);
    check("gateway", &["o3/other", "o1x", "o1_x"], &Family::DEFAULT);
}

#[test]
fn words_are_found_beside_letters_of_any_script() {
    check("gateway", &["模型claude模型", "é claude é"], &Family::ANTHROPIC);
}

#[test]
fn a_host_adds_providers_and_words_of_its_own() {
    let mistral: Family = "mistral".parse().unwrap();
    let families = Families::default()
        .provider("Mistral", &mistral)
        .word("codestral", &mistral)
        .word("gpt", &mistral);
    assert_eq!(families.infer("mistral", "anything"), mistral);
    assert_eq!(families.infer("openrouter", "mistralai/codestral-2501"), mistral);
    assert_eq!(families.infer("openrouter", "gpt-4o"), mistral, "own rules come first");
    assert_eq!(families.infer("openai", "codestral"), Family::OPENAI);
    assert_eq!(families.infer("openrouter", "claude-opus"), Family::ANTHROPIC);
}

#[test]
fn an_empty_word_fits_no_model() {
    let own: Family = "own".parse().unwrap();
    assert_eq!(Families::default().word(" ", &own).infer("gateway", "x"), Family::DEFAULT);
}

#[test]
fn a_family_name_is_safe_as_the_name_of_a_file() {
    for name in ["", "..", "a/b", "a\\b", "A", "ä", "a b", "a.txt", &"x".repeat(65)] {
        let error = Family::new(name).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::InvalidName, "{name:?}");
    }
    assert_eq!(Family::new("qwen_3-coder").unwrap().name(), "qwen_3-coder");
}

#[test]
fn a_family_is_a_text_in_json_and_is_checked_when_read() {
    let json = serde_json::to_string(&Family::GOOGLE).unwrap();
    assert_eq!(json, r#""google""#);
    assert_eq!(serde_json::from_str::<Family>(&json).unwrap(), Family::GOOGLE);
    assert!(serde_json::from_str::<Family>(r#""../x""#).is_err());
}

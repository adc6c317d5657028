//! Rules for a prompt as the model sees it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use regex::Regex;

use crate::{
    limits, names, runs,
    stacks::{Offer, Part, Stack},
    words::{code_spans, count, is_heading, pattern, prose, sentences, without_data, words},
};

/// A named check that returns what is wrong.
pub(crate) type Rule = (&'static str, fn(&Stack) -> Vec<String>);

/// All rules, in the order in which they are reported.
pub(crate) const RULES: [Rule; 14] = [
    ("a module keeps to its length", lengths),
    ("the static part keeps to its length", static_length),
    ("absolutes are few", absolutes),
    ("nothing is shouted", capitals),
    ("only tools on offer are named", tools_on_offer),
    ("no sentence stands twice", repeated_sentences),
    ("no two modules share a run of words", shared_runs),
    ("headings are even, unique and head something", headings),
    ("tags and fences are balanced", tags),
    ("white space is clean", white_space),
    ("sentences are short", sentence_lengths),
    ("a sentence has one exception", exceptions),
    ("lists are flat", flat_lists),
    ("sections come in the order of their zones", order),
];

fn each_part(stack: &Stack, check: impl Fn(&Part) -> Vec<String>) -> Vec<String> {
    let named = |part: &Part| -> Vec<String> {
        check(part).into_iter().map(|what| format!("{}: {what}", part.name)).collect()
    };
    stack.sections.iter().flat_map(named).collect()
}

fn lengths(stack: &Stack) -> Vec<String> {
    each_part(stack, |part| {
        let length = without_data(&part.text).trim().chars().count();
        let Some(most) = limits::length(&part.name, &part.file) else {
            return vec!["has no limit in the table".to_owned()];
        };
        (length > most).then(|| format!("{length} of {most} characters")).into_iter().collect()
    })
}

fn static_length(stack: &Stack) -> Vec<String> {
    let of_stack = stack.sections.iter().filter(|part| part.is_static && !is_reminder(&part.name));
    let length: usize = of_stack.map(|part| part.text.chars().count()).sum();
    let most = limits::length("static", stack.profile_or_family()).unwrap_or(usize::MAX);
    (length > most).then(|| format!("{length} of {most} characters")).into_iter().collect()
}

fn is_reminder(name: &str) -> bool {
    names::REMINDERS.contains(&name)
}

static ABSOLUTE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:never|always|must|only|under no circumstances|do not|don't)\b")
});

fn absolutes(stack: &Stack) -> Vec<String> {
    let counted = |part: &Part| count(&ABSOLUTE, &without_data(&part.text));
    let mut found = each_part(stack, |part| {
        let (have, most) = (counted(part), limits::absolutes(&part.name, &part.file));
        (have > most).then(|| format!("{have} of {most} absolutes")).into_iter().collect()
    });
    let have: usize = stack.sections.iter().map(counted).sum();
    let most = limits::absolutes("stack", &stack.family);
    found.extend((have > most).then(|| format!("{have} of {most} absolutes")));
    found
}

static SHOUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Z]{3,}\b"));

fn capitals(stack: &Stack) -> Vec<String> {
    each_part(stack, |part| {
        let text = without_data(&part.text);
        let shouts = SHOUT.find_iter(&text).map(|word| word.as_str().to_owned());
        shouts.filter(|word| !names::may_be_capital(word, &part.name)).collect()
    })
}

fn tools_on_offer(stack: &Stack) -> Vec<String> {
    each_part(stack, |part| {
        let text = without_data(&part.text);
        let spans = code_spans(&text).into_iter().filter(|span| is_foreign(span, stack.offer));
        let is_plain = |word: &String| names::is_plain_word(word, &part.name);
        let telling =
            |word: &String| stack.offer != Offer::All && names::is_telling(word) && !is_plain(word);
        let offered = stack.offer == Offer::NoSkillTool;
        let bare = words(&text).into_iter().filter(|word| telling(word) && !offered);
        spans.chain(bare).map(|name| format!("names {name}")).collect()
    })
}

fn is_foreign(span: &str, offer: Offer) -> bool {
    let own = names::is_own(span);
    let renamed = span.strip_prefix("x_").is_some_and(names::is_own);
    match offer {
        Offer::All => names::is_tool(span) && !own || span.eq_ignore_ascii_case("none"),
        Offer::NoSkillTool => names::is_tool(span) && (!own || span.contains("skill")),
        Offer::Renamed => names::is_tool(span),
        Offer::None => names::is_tool(span) || renamed || span.eq_ignore_ascii_case("none"),
    }
}

fn repeated_sentences(stack: &Stack) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let all = stack.sections.iter().flat_map(|part| sentences(&without_data(&part.text)));
    let long = all.map(|sentence| words(&sentence)).filter(|words| words.len() >= 6);
    long.filter(|words| !seen.insert(words.clone())).map(|words| words.join(" ")).collect()
}

fn shared_runs(stack: &Stack) -> Vec<String> {
    let mut owner: BTreeMap<Vec<String>, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for part in &stack.sections {
        for run in words(&without_data(&part.text)).windows(8) {
            let first = owner.entry(run.to_vec()).or_insert(&part.name);
            if *first != part.name {
                found.push(format!("{first} and {}: {}", part.name, run.join(" ")));
            }
        }
    }
    found
}

fn headings(stack: &Stack) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for part in &stack.sections {
        let text = without_data(&part.text);
        let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_heading(line)) {
            let level = if at == 0 { "# " } else { "## " };
            // A run within a run has its own headings below those of both.
            if !line.starts_with(level) && part.name != "preamble_nested" {
                found.push(format!("{}: the level of {line:?}", part.name));
            }
            if !seen.insert((*line).to_owned()) {
                found.push(format!("{}: {line:?} stands twice", part.name));
            }
            let data_follows = at + 1 == lines.len() && text != part.text;
            if lines.get(at + 1).is_none_or(|next| is_heading(next)) && !data_follows {
                found.push(format!("{}: {line:?} heads nothing", part.name));
            }
        }
    }
    found
}

static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"<(/?)([a-z][a-z_-]*)(?: [^>\n]*)?>"));

fn tags(stack: &Stack) -> Vec<String> {
    let text = stack.text();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for tag in TAG.captures_iter(&text) {
        let entry = counts.entry(tag[2].to_owned()).or_default();
        if tag[1].is_empty() { entry.0 += 1 } else { entry.1 += 1 }
    }
    let fault = |name: &String, (opened, closed): (usize, usize)| {
        let once = names::CONTAINERS.contains(&name.as_str());
        let many = opened > 1 && once || opened > 2 && name == "example";
        (opened != closed || many).then(|| format!("{name}: {opened} opened, {closed} closed"))
    };
    let mut found: Vec<_> = counts.iter().filter_map(|(name, count)| fault(name, *count)).collect();
    let fences = text.lines().filter(|line| line.trim_start().starts_with("```")).count();
    found.extend((fences % 2 == 1).then(|| "a code fence stays open".to_owned()));
    found
}

static UNCLEAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"[ \t]+(?:\n|$)|[\x00-\x09\x0b-\x1f\x7f\u{200b}-\u{200f}\u{feff}]|\n{3,}")
});

fn white_space(stack: &Stack) -> Vec<String> {
    let mut found = each_part(stack, |part| {
        let padded = part.text.starts_with('\n') || part.text.ends_with('\n');
        padded.then(|| "begins or ends with a line break".to_owned()).into_iter().collect()
    });
    found.extend(UNCLEAN.find_iter(&stack.text()).map(|at| format!("{:?}", at.as_str())));
    found
}

fn sentence_lengths(stack: &Stack) -> Vec<String> {
    let (mean, longest) = limits::sentence(&stack.family);
    let all: Vec<_> =
        stack.sections.iter().flat_map(|part| sentences(&prose(&part.text))).collect();
    let lengths: Vec<_> = all.iter().map(|sentence| words(sentence).len()).collect();
    let too_long = all.iter().zip(&lengths).filter(|(_, length)| **length > longest);
    let mut found: Vec<_> =
        too_long.map(|(sentence, length)| format!("{length} words: {sentence}")).collect();
    let sum: usize = lengths.iter().sum();
    if sum > mean * lengths.len() {
        found.push(format!("{sum} words in {} sentences", lengths.len()));
    }
    found
}

static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:unless|except)\b"));

fn exceptions(stack: &Stack) -> Vec<String> {
    let all = stack.sections.iter().flat_map(|part| sentences(&prose(&part.text)));
    all.filter(|sentence| count(&EXCEPTION, sentence) > 1).collect()
}

static NESTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[ \t]+(?:[-*]|\d+\.) .*$"));

fn flat_lists(stack: &Stack) -> Vec<String> {
    each_part(stack, |part| {
        let text = if runs::is_text(&part.name) { String::new() } else { prose(&part.text) };
        NESTED.find_iter(&text).map(|line| line.as_str().to_owned()).collect()
    })
}

/// Static sections stand first and reminders last.
fn order(stack: &Stack) -> Vec<String> {
    let rank = |part: &Part| match part.name.as_str() {
        name if is_reminder(name) => 2,
        name if names::SESSION_MODULES.contains(&name) => 1,
        _ => 0,
    };
    let sorted = stack.sections.is_sorted_by_key(rank);
    (!sorted).then(|| "a static section stands too late".to_owned()).into_iter().collect()
}

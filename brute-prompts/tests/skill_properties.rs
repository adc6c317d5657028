//! What holds for any skill, however it was made; `PROPTEST_CASES` sets how many are tried.

use std::{collections::BTreeMap, path::Path};

use brute_prompts::{
    PromptContext, PromptModule, Severity, SkillEntry, plain,
    skill::{ExpandOptions, Expansion, SkillList, Validation, expand, fill, parse, parse_skill},
};
use proptest::prelude::*;
use quick_xml::{Reader, events::Event};
use serde::Serialize;

const PATH: &str = "/skills/any/SKILL.md";

#[derive(Clone, Debug, Serialize)]
struct FrontMatter {
    name: String,
    description: String,
    license: String,
    compatibility: String,
    metadata: BTreeMap<String, String>,
}

fn front_matter() -> impl Strategy<Value = FrontMatter> {
    let metadata = prop::collection::btree_map("[a-z]{1,8}", text(), 0..4);
    (text(), text(), text(), text(), metadata).prop_map(
        |(name, description, license, compatibility, metadata)| FrontMatter {
            name,
            description,
            license,
            compatibility,
            metadata,
        },
    )
}

/// Texts that people write, texts that YAML might mistake for something, and any text at all.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z][A-Za-z0-9 ,.:;#'\"-]{0,60}",
        "(~|null|true|no|404|0x1F|1e3|2024-01-01|-|:|\\?|#|&a|\\*a|!t|@|`|%|\\||>|\\[x\\]|\\{a: b\\}|---|\\.\\.\\.|<<|=)( [a-z: #]{0,10})?",
        "(\\PC|\n|\t){0,80}",
        any::<String>(),
    ]
}

/// Front matter as a careless person or a hostile program might write it.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop_oneof![
        Just("---\n".to_owned()),
        "(name|description|metadata|allowed-tools|x|\"y\"|'z')?:( |\n  |\t|)",
        "[-?:,\\[\\]{}#&*!|>'\"%@`~ \n\t\r]{1,6}",
        "(&a |\\*a |!!binary |<<: |\\\\u12|\\ufeff|\\.\\.\\.\n)",
        text(),
    ];
    prop::collection::vec(scrap, 0..40)
        .prop_map(|scraps| format!("---\n{}\n---\nBody.", scraps.concat()))
}

/// Reads in every mode; a skill that is left out is accounted for.
fn read_any(bytes: &[u8]) -> Result<(), TestCaseError> {
    for validation in [Validation::Spec, Validation::Lenient, Validation::None] {
        let (skill, diagnostics) = parse_skill(bytes, Path::new(PATH), validation);
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        prop_assert_eq!(skill.is_none(), errors > 0, "{:?}", diagnostics);
        if let Some(skill) = skill {
            prop_assert!(!skill.name.is_empty());
            prop_assert!(validation == Validation::None || !skill.description.is_empty());
        }
    }
    Ok(())
}

/// Renders a list and reads its names and descriptions back as XML.
fn read_list(skills: Vec<SkillEntry>) -> Vec<[String; 3]> {
    let ctx = PromptContext { skills: Some(skills.into()), ..PromptContext::default() };
    let section = SkillList::default().unlimited().render(&ctx).unwrap().unwrap();
    let start = section.find("<available_skills>").unwrap();
    let end = section.rfind("</available_skills>").unwrap() + "</available_skills>".len();
    let (mut reader, mut skills, mut field) =
        (Reader::from_str(&section[start..end]), Vec::new(), None);
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => match start.name().as_ref() {
                "skill" => skills.push([const { String::new() }; 3]),
                tag => {
                    field =
                        ["name", "description", "location"].iter().position(|name| *name == tag);
                }
            },
            Event::End(_) => field = None,
            Event::Text(text) => {
                if let Some(field) = field {
                    skills.last_mut().unwrap()[field].push_str(&text);
                }
            }
            Event::GeneralRef(entity) => {
                let text =
                    quick_xml::escape::unescape(&format!("&{};", &*entity)).unwrap().into_owned();
                skills.last_mut().unwrap()[field.unwrap()].push_str(&text);
            }
            Event::Eof => return skills,
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_yaml_writer_writes_is_read_back_equal(written in front_matter()) {
        prop_assume!(!written.description.trim().is_empty() && !written.name.trim().is_empty());
        let yaml = serde_saphyr::to_string(&written).unwrap();
        let file = format!("---\n{yaml}---\nBody.");
        let (skill, diagnostics) = parse_skill(file.as_bytes(), Path::new(PATH), Validation::None);
        prop_assert_eq!(&diagnostics, &[], "{}", file);
        let skill = skill.unwrap();
        prop_assert_eq!(&skill.name, written.name.trim(), "{}", file);
        prop_assert_eq!(&skill.description, written.description.trim());
        prop_assert_eq!(skill.license.as_deref(), Some(written.license.trim()));
        prop_assert_eq!(skill.compatibility.as_deref(), Some(written.compatibility.trim()));
        prop_assert_eq!(skill.metadata, written.metadata);
    }

    #[test]
    fn any_bytes_give_a_skill_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_any(&bytes)?;
        read_any(&[b"---\n", &bytes[..], b"\n---\n"].concat())?;
    }

    #[test]
    fn any_front_matter_gives_a_skill_or_an_error(file in scraps()) {
        read_any(file.as_bytes())?;
        read_any(file.replace('\n', "\r\n").as_bytes())?;
    }

    #[test]
    fn a_list_holds_exactly_the_skills_that_went_in(texts in prop::collection::vec((text(), text(), text()), 1..8)) {
        let entry = |(name, description, location): &(String, String, String)| SkillEntry {
            name: name.clone(),
            description: description.clone(),
            location: location.clone(),
        };
        let found = read_list(texts.iter().map(entry).collect());
        prop_assert_eq!(found.len(), texts.len());
        for ([name, description, location], written) in found.iter().zip(&texts) {
            prop_assert_eq!(name, &plain::collapsed(&written.0));
            prop_assert_eq!(description, &plain::collapsed(&written.1));
            prop_assert_eq!(location, &plain::visible(&written.2));
        }
    }

    #[test]
    fn arguments_are_replaced_once_and_nothing_else_changes(before in "[^{]*", after in "[^{]*", arguments in any::<String>()) {
        let filled = fill(&format!("{before}{{{{user_input}}}}{after}"), &arguments, ExpandOptions::default());
        prop_assert_eq!(filled, format!("{before}{arguments}{after}"));
    }

    #[test]
    fn any_input_is_plain_or_names_a_command(input in prop_oneof![any::<String>(), "\\s*/[a-zA-Z0-9_/ \n-]{0,12}\\PC{0,8}"]) {
        let expansion = expand(&input, &[], ExpandOptions::default()).unwrap();
        let expected = match parse(&input) {
            Some(command) => Expansion::Unknown { name: command.name.into() },
            None => Expansion::Plain,
        };
        prop_assert_eq!(expansion, expected);
    }
}

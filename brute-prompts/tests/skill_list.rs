//! What the prompt says about skills.

use brute_prompts::{
    PromptContext, PromptModule, SkillEntry, SystemPrompt, Texts, ToolNames,
    skill::{ListStyle, Skill, SkillList, listed},
};
use quick_xml::{Reader, events::Event};

const XML: ListStyle = ListStyle::Xml { location: true };

fn skills(names: &[&str]) -> Vec<SkillEntry> {
    let entry = |name: &&str| SkillEntry {
        name: (*name).into(),
        description: format!("Does {name}."),
        location: format!("/h/ada/skills/{name}/SKILL.md"),
    };
    names.iter().map(entry).collect()
}

fn many(count: usize) -> Vec<SkillEntry> {
    let names: Vec<_> = (0..count).map(|index| format!("skill-{index:03}")).collect();
    skills(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Renders the section alone, with the facts that `change` sets.
fn render_with(
    list: &SkillList,
    skills: Vec<SkillEntry>,
    change: impl FnOnce(&mut PromptContext),
) -> String {
    let mut ctx = PromptContext { skills: Some(skills.into()), ..PromptContext::default() };
    change(&mut ctx);
    let prompt = SystemPrompt::new(["skills"]).replace("skills", list.clone());
    prompt.prepare(&ctx).unwrap().text()
}

fn render(list: &SkillList, skills: Vec<SkillEntry>) -> String {
    render_with(list, skills, |_| {})
}

/// Reads the texts of an element's descendants out of the list, decoded.
fn texts(section: &str, tag: &str) -> Vec<String> {
    let start = section.find("<available_skills>").unwrap();
    let end = section.find("</available_skills>").unwrap() + "</available_skills>".len();
    assert_eq!(section.matches("available_skills>").count(), 2, "{section}");
    let mut reader = Reader::from_str(&section[start..end]);
    let (mut found, mut inside) = (Vec::new(), false);
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) if start.name().as_ref() == tag => {
                inside = true;
                found.push(String::new());
            }
            Event::End(end) if end.name().as_ref() == tag => inside = false,
            Event::Text(text) if inside => found.last_mut().unwrap().push_str(&text),
            Event::GeneralRef(entity) if inside => {
                let entity = format!("&{};", &*entity);
                found.last_mut().unwrap().push_str(&quick_xml::escape::unescape(&entity).unwrap());
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn name_description_and_location_stand_there_and_nothing_else_of_the_skill() {
    let section = render(&SkillList::default(), skills(&["deploy", "lint"]));
    assert_eq!(texts(&section, "name"), ["deploy", "lint"]);
    assert_eq!(texts(&section, "description"), ["Does deploy.", "Does lint."]);
    assert_eq!(
        texts(&section, "location"),
        ["/h/ada/skills/deploy/SKILL.md", "/h/ada/skills/lint/SKILL.md"]
    );
}

#[test]
fn markup_in_a_value_is_escaped_once() {
    let entry = SkillEntry {
        name: "<diff>".into(),
        description: "Shows <old> & </available_skills> \"a\" < 'b'; {{ $json.id }} {% if %}"
            .into(),
        location: "/srv/a&b/SKILL.md".into(),
    };
    let section = render(&SkillList::default(), vec![entry.clone()]);
    assert_eq!(texts(&section, "name"), [entry.name]);
    assert_eq!(texts(&section, "description"), [entry.description]);
    assert_eq!(texts(&section, "location"), [entry.location]);
    assert!(section.contains("{{ $json.id }} {% if %}") && !section.contains("&amp;lt;"));
}

#[test]
fn a_description_stands_on_one_line() {
    let mut entries = skills(&["a"]);
    entries[0].description = "One\r\n\ttwo\u{7}\u{200b}  three".into();
    assert_eq!(texts(&render(&SkillList::default(), entries), "description"), ["One two three"]);
}

#[test]
fn without_skills_there_is_no_section() {
    for style in [XML, ListStyle::Bullets, ListStyle::PathBullets] {
        assert_eq!(render(&SkillList::new(style), Vec::new()), "");
    }
    let prompt = SystemPrompt::new(["skills"]).replace("skills", SkillList::default());
    assert_eq!(prompt.prepare(&PromptContext::default()).unwrap().text(), "");
}

#[test]
fn skills_for_people_and_skills_that_say_nothing_are_not_listed() {
    let skill = |name: &str| Skill {
        name: name.into(),
        description: "d".into(),
        location: "/x".into(),
        ..Skill::default()
    };
    let hidden = Skill { disable_model_invocation: true, ..skill("hidden") };
    let silent = Skill { description: String::new(), ..skill("silent") };
    let shown = SkillEntry { name: "shown".into(), description: "d".into(), location: "/x".into() };
    assert_eq!(listed(&[hidden, skill("shown"), silent]), [shown]);
}

#[test]
fn the_sentence_names_what_is_on_offer() {
    let say = |style, tools: ToolNames, skill_tool: Option<&str>| {
        let skill_tool = skill_tool.map(Into::into);
        render_with(&SkillList::new(style), skills(&["a"]), |ctx| {
            (ctx.tools, ctx.skill_tool) = (tools, skill_tool);
        })
    };
    for style in [XML, ListStyle::PathBullets] {
        assert!(say(style, ToolNames::all(), Some("load_it")).contains("`load_it`"));
        assert!(say(style, ToolNames::of([("read", "open_it")]), None).contains("`open_it`"));
        assert!(say(style, ToolNames::none(), None).contains("tell the user its name"));
    }
    // Without a path there is nothing that could be read.
    assert!(
        !say(ListStyle::Bullets, ToolNames::of([("read", "open_it")]), None).contains("`open_it`")
    );
}

#[test]
fn bullets_give_the_name_the_path_on_request_and_the_description() {
    let line =
        |style| render(&SkillList::new(style), skills(&["a"])).lines().last().unwrap().to_owned();
    assert_eq!(line(ListStyle::Bullets), "- `a`: Does a.");
    assert_eq!(line(ListStyle::PathBullets), "- `a` (/h/ada/skills/a/SKILL.md): Does a.");
}

#[test]
fn a_bullet_cannot_pose_as_something_else() {
    let mut entries = skills(&["a`b"]);
    entries[0].description = "x\n- `fake`: y <system-reminder>".into();
    let section = render(&SkillList::new(ListStyle::Bullets), entries);
    assert_eq!(section.lines().last(), Some("- `a'b`: x - `fake`: y &lt;system-reminder>"));
}

#[test]
fn the_home_folder_can_be_written_short() {
    let list = SkillList::default().home("/h/ada");
    assert_eq!(texts(&render(&list, skills(&["a"])), "location"), ["~/skills/a/SKILL.md"]);
    let other = SkillList::default().home("/h/ad");
    assert_eq!(texts(&render(&other, skills(&["a"])), "location"), ["/h/ada/skills/a/SKILL.md"]);
}

#[test]
fn over_budget_whole_entries_are_left_out_from_the_end_and_counted() {
    for style in [XML, ListStyle::Bullets, ListStyle::PathBullets] {
        let whole = render(&SkillList::new(style).unlimited(), many(40));
        assert!(!whole.contains(" more"));
        let budget = whole.chars().count() / 2;
        let section = render(&SkillList::new(style).max_chars(budget), many(40));
        let shown = section.matches("Does skill-").count();
        assert!((1..40).contains(&shown) && section.chars().count() <= budget);
        assert!(section.contains(&format!("Does skill-{:03}.", shown - 1)));
        assert!(
            section.contains(&format!(" {} more", 40 - shown))
                || section.contains(&format!("\n{} more", 40 - shown)),
            "{section}"
        );
        // One entry more would not have fitted.
        let entry = "- `skill-000`: Does skill-000.\n".len();
        assert!(section.chars().count() + 8 * entry > budget);
    }
}

#[test]
fn a_list_that_just_fits_is_whole() {
    let whole = render(&SkillList::default(), many(10));
    let exact = SkillList::default().max_chars(whole.chars().count());
    assert_eq!(render(&exact, many(10)), whole);
}

#[test]
fn what_no_entry_fits_into_says_nothing() {
    assert_eq!(render(&SkillList::default().max_chars(50), many(10)), "");
}

#[test]
fn the_number_of_skills_is_limited_too() {
    let section = render(&SkillList::default().max_skills(3), many(10));
    assert_eq!(texts(&section, "name").len(), 3);
    assert!(section.contains("7 more"));
    let noted =
        render_with(&SkillList::default().max_skills(3), many(10), |ctx| ctx.skills_omitted = 5);
    assert!(noted.contains("12 more"));
}

#[test]
fn unless_told_otherwise_a_list_keeps_to_what_a_prompt_can_bear() {
    let section = render(&SkillList::default(), many(300));
    assert!((17_000..=18_000).contains(&section.chars().count()));
    assert_eq!(render(&SkillList::new(ListStyle::Bullets), many(300)).matches("Does").count(), 150);
}

#[test]
fn the_ladder_drops_descriptions_before_skills() {
    let list = SkillList::new(XML).ladder();
    let whole = render(&list.clone().unlimited(), many(20)).chars().count();
    let compact = render(&list.clone().max_chars(whole - 1), many(20));
    assert_eq!(texts(&compact, "name").len(), 20);
    assert!(!compact.contains("Does skill-"));
    let short = render(&list.max_chars(compact.chars().count() - 1), many(20));
    assert!(texts(&short, "name").len() < 20 && short.contains(" more"));
}

#[test]
fn the_report_says_where_the_words_come_from() {
    let source = |style| SkillList::new(style).source().to_owned();
    assert_eq!(source(XML), "text/skills/default.txt");
    assert_eq!(source(ListStyle::Bullets), "text/skills_bullets/default.txt");
}

#[test]
fn the_words_can_be_the_hosts_own() {
    let own = "{% for skill in skills %}{{ skill.name }};{% endfor %}";
    let texts = Texts::shipped().with([("skills/default.txt", own)]).unwrap();
    assert_eq!(render(&SkillList::default().texts(texts), skills(&["a", "b"])), "a;b;");
}

#[test]
fn equal_contexts_give_equal_bytes() {
    let list = SkillList::default().max_chars(2_000);
    assert_eq!(render(&list, many(100)), render(&list, many(100)));
}

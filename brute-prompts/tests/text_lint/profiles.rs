//! The prompts of the profiles, as a model sees them.

use brute_prompts::{Profile, PromptContext, Section, SystemPrompt};

use crate::{
    host, names,
    stacks::{Mode, OFFERS, Offer, Part, Stack, context, part},
};

/// The modes in which a profile is read.
const MODES: [Mode; 3] = [Mode::Usual, Mode::PlanAndLastStep, Mode::Minimal];

/// Returns every profile with words of its own, for each family that it tells apart.
pub(crate) fn all() -> Vec<Stack> {
    let modes = |offer| MODES.map(|mode| (offer, mode));
    OFFERS.into_iter().flat_map(modes).flat_map(|(offer, mode)| each(offer, mode)).collect()
}

/// Returns them with these tools and in this mode.
pub(crate) fn each(offer: Offer, mode: Mode) -> Vec<Stack> {
    let families = |profile| {
        let families: &[&str] =
            if profile == Profile::Fabro { &names::FAMILIES } else { &["default"] };
        families.iter().map(move |family| (profile, *family))
    };
    let profiles = Profile::ALL.into_iter().skip(1).flat_map(families);
    profiles.map(|(profile, family)| stack(profile, family, offer, mode)).collect()
}

fn stack(profile: Profile, family: &str, offer: Offer, mode: Mode) -> Stack {
    let ctx = PromptContext { tools: host::tools(offer), ..context(family, offer, mode) };
    let rendered = SystemPrompt::profile(profile).append("git_status").prepare(&ctx).unwrap();
    let sections = rendered.iter().map(under_its_module).collect();
    Stack { family: format!("{profile} {family}"), offer, mode, sections }
}

/// Returns the part under the name of the module that holds its words.
fn under_its_module(section: &Section) -> Part {
    let module = section.source.split('/').nth(1).unwrap();
    Part { name: module.into(), ..part(section) }
}

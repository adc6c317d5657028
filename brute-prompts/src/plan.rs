//! The list of modules that a system prompt stands for.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, LazyLock},
};

use crate::{
    Families, Family, Module, Profile, PromptContext, PromptDraft, PromptError, PromptMode,
    ReminderPlacement, Texts,
    beside::Beside,
    contribution::{Contributions, INTERACTION, PREFIX, SUFFIX},
    edit::{Edit, apply},
    entry::{Entry, contribute, position, retain_minimal},
    hooks::Hooks,
    module::Body,
    stacks::REMINDERS,
    text::unknown_module,
    workspace_place,
};

/// The closure that puts a prompt together.
type Builder = dyn Fn(&mut PromptDraft, &PromptContext) -> Result<(), PromptError> + Send + Sync;

/// The stacks that ship, as modules; made once, because every render starts from one.
static STACKS: LazyLock<[[Vec<Module>; 5]; 4]> = LazyLock::new(|| {
    Profile::ALL.map(|profile| {
        Family::ALL.map(|family| profile.stack(&family).iter().copied().map(module).collect())
    })
});

/// The reminders as modules.
static REMINDER_MODULES: LazyLock<[Module; 3]> =
    LazyLock::new(|| REMINDERS.map(|reminder| reminder.name.into()));

/// What a system prompt is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) base: Base,
    pub(crate) stacks: BTreeMap<Family, Vec<Module>>,
    pub(crate) families: Families,
    pub(crate) texts: Texts,
    pub(crate) edits: Vec<Edit>,
    pub(crate) contributions: Contributions,
    pub(crate) hooks: Hooks,
    pub(crate) reminders: ReminderPlacement,
    pub(crate) beside: Beside,
}

/// Where the modules come from, before the changes.
#[derive(Clone)]
pub(crate) enum Base {
    /// The stack that the profile has for the context's family.
    Stacks(Profile),
    /// The same modules for every family.
    Modules(Vec<Module>),
    /// Whatever the closure says.
    Built(Arc<Builder>),
}

impl Plan {
    /// Returns the modules for a context in order, the reminders last.
    pub(crate) fn entries(
        &self,
        ctx: &PromptContext,
        family: &Family,
    ) -> Result<Vec<Entry>, PromptError> {
        let mut entries: Vec<Entry> =
            self.modules(ctx, family)?.into_iter().map(Entry::new).collect();
        for reminder in REMINDER_MODULES.iter() {
            if position(&entries, reminder.name()).is_none() {
                entries.push(Entry::new(reminder.clone()));
            }
        }
        apply(&mut entries, &self.edits, |name| self.ensure_known(name))?;
        for name in self.beside.sections().filter(|name| position(&entries, name).is_none()) {
            self.ensure_known(name)?;
        }
        for contributed in self.contributions.of(ctx, family) {
            contribute(&mut entries, contributed);
        }
        if ctx.prompt_mode == PromptMode::Minimal {
            retain_minimal(&mut entries);
        }
        entries.sort_by_key(Entry::is_reminder);
        Ok(entries)
    }

    fn modules(&self, ctx: &PromptContext, family: &Family) -> Result<Vec<Module>, PromptError> {
        match &self.base {
            Base::Stacks(profile) => {
                let mut modules = self.stack(*profile, family);
                workspace_place::place(&mut modules, &self.edits, ctx);
                Ok(modules)
            }
            Base::Modules(modules) => Ok(modules.clone()),
            Base::Built(build) => {
                let mut draft = PromptDraft::default();
                build(&mut draft, ctx)?;
                Ok(draft.into_modules())
            }
        }
    }

    /// Returns the family's own stack, else the one that ships, which may be the default one.
    fn stack(&self, profile: Profile, family: &Family) -> Vec<Module> {
        self.stacks.get(family).map_or(shipped_stack(profile, family), Vec::as_slice).to_vec()
    }

    /// Checks every name that is fixed before a context is known.
    pub(crate) fn check(&self) -> Result<(), PromptError> {
        if matches!(self.base, Base::Built(_)) {
            return Ok(());
        }
        let own = self.stacks.keys().cloned();
        for family in Family::ALL.into_iter().chain(own) {
            for entry in self.entries(&PromptContext::default(), &family)? {
                self.ensure_named(&entry.module)?;
            }
            self.ensure_contributed(&family)?;
        }
        self.ensure_no_strays()
    }

    /// Fails where a contribution that waits for nothing but the family replaces a section that
    /// no prompt has.
    fn ensure_contributed(&self, family: &Family) -> Result<(), PromptError> {
        let contributed = self.contributions.of(&PromptContext::default(), family);
        let sections = contributed.iter().flat_map(|own| &own.sections).map(Module::name);
        sections.filter(|name| *name != INTERACTION).try_for_each(|name| self.ensure_known(name))
    }

    /// Fails unless a module of this name can be in some prompt.
    fn ensure_known(&self, name: &str) -> Result<(), PromptError> {
        let is_open = matches!(self.base, Base::Built(_));
        if is_open || self.texts.contains(name) || self.own_names().any(|own| own == name) {
            return Ok(());
        }
        Err(self.unknown(name))
    }

    /// Fails where the module stands for words that do not exist.
    fn ensure_named(&self, module: &Module) -> Result<(), PromptError> {
        match &module.body {
            Body::Named(name) if !self.texts.contains(name) => Err(self.unknown(name)),
            _ => Ok(()),
        }
    }

    fn own_names(&self) -> impl Iterator<Item = &str> {
        let base = match &self.base {
            Base::Modules(modules) => modules.as_slice(),
            Base::Stacks(_) | Base::Built(_) => &[],
        };
        let stacks = self.stacks.values().flatten();
        let edits = self.edits.iter().filter_map(Edit::module);
        base.iter().chain(stacks).chain(edits).map(Module::name)
    }

    fn unknown(&self, name: &str) -> PromptError {
        let names: BTreeSet<&str> = self.texts.modules().chain(self.own_names()).collect();
        unknown_module(name).with_known(names)
    }
}

impl Default for Base {
    fn default() -> Self {
        Self::Stacks(Profile::default())
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stacks(profile) => f.debug_tuple("Stacks").field(profile).finish(),
            Self::Modules(modules) => f.debug_tuple("Modules").field(modules).finish(),
            Self::Built(_) => f.write_str("Built"),
        }
    }
}

/// Returns the stack that ships for the family, else the default one, which stands last.
fn shipped_stack(profile: Profile, family: &Family) -> &'static [Module] {
    let stacks = &STACKS[profile as usize];
    let index = Family::ALL.iter().position(|shipped| shipped == family);
    &stacks[index.unwrap_or(stacks.len() - 1)]
}

/// Returns the module of this name in its section; the places of contributions have no words.
fn module(name: &'static str) -> Module {
    match name {
        PREFIX | SUFFIX => Module::text(name, ""),
        _ => Module::from(name).named(Profile::section(name)),
    }
}

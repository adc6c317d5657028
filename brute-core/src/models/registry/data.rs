//! The format of a table of models.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;

use super::{ModelInfo, Prices};

/// A table: what is known of the models of each provider.
pub(super) type Sections = BTreeMap<String, Section>;

/// The models of one provider.
#[derive(Debug, Deserialize)]
pub(super) struct Section {
    /// The one that is asked where nobody names one.
    #[serde(default)]
    #[cfg_attr(not(feature = "rig"), allow(dead_code, reason = "only real models are asked for"))]
    pub(super) default: Option<String>,
    pub(super) models: BTreeMap<String, Row>,
}

/// What a table says of a model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    context_window: Option<u64>,
    max_output: Option<u64>,
    knowledge_cutoff: Option<Arc<str>>,
    prices: Option<Prices>,
    can: Option<Vec<Ability>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ability {
    Tools,
    Schema,
    Reasoning,
    Images,
    Documents,
}

impl Row {
    /// Puts what this row says above what was known.
    pub(super) fn over(self, below: ModelInfo) -> ModelInfo {
        let can = |ability, before| {
            self.can.as_ref().map_or(before, |abilities| abilities.contains(&ability))
        };
        ModelInfo {
            is_known: true,
            context_window: self.context_window.unwrap_or(below.context_window),
            max_output: self.max_output.unwrap_or(below.max_output),
            tools: can(Ability::Tools, below.tools),
            schema: can(Ability::Schema, below.schema),
            reasoning: can(Ability::Reasoning, below.reasoning),
            images: can(Ability::Images, below.images),
            documents: can(Ability::Documents, below.documents),
            knowledge_cutoff: self.knowledge_cutoff.or(below.knowledge_cutoff),
            prices: self.prices.or(below.prices),
        }
    }
}

//! What the program may be asked to do.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{model::ModelArguments, user_prompt::Parts};

/// Shows the stack, takes one turn on the current directory with an offline model, and shows the
/// prompt that the model saw.
#[derive(Debug, Parser)]
#[command(name = "brute", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Does the same for a question of yours, and asks a real model if there is one
    Ask(Ask),
    /// Holds a conversation, turn by turn
    Chat(Chat),
    /// Prints the system prompt as a model would see it
    Prompt(Prompt),
    /// Prints what a model would be sent next in an exported session
    Dump(Dump),
    /// Shows which skills are found, where, and what is odd about them
    Skills(Skills),
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Skills {
    #[command(subcommand)]
    pub(crate) command: Option<SkillsCommand>,
    /// The working directory
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) cwd: PathBuf,
    /// Where skills are looked for
    #[arg(long, value_enum, default_value_t = SkillPreset::Brute)]
    pub(crate) preset: SkillPreset,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SkillsCommand {
    /// Judges skill folders by the letter of the format; fails if there is a fault
    Validate {
        /// The folders, each of one skill
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SkillPreset {
    Brute,
    Agents,
    Fabro,
    Builder,
}

#[derive(Args, Debug)]
pub(crate) struct Ask {
    /// What to ask: a text, or `@FILE`; a template with `{{ goal }}` and `{{ inputs.NAME }}`
    pub(crate) question: String,
    #[command(flatten)]
    pub(crate) parts: Parts,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Prints what the model would be sent, and calls nothing
    #[arg(long, conflicts_with_all = ["prompt_log", "export"])]
    pub(crate) dry_run: bool,
    /// Keeps what each model call is sent, without secrets, as files in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) prompt_log: Option<PathBuf>,
    /// Writes the session into this file at the end, for `dump`
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,
    /// The directory that the tools look at
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) cwd: PathBuf,
    /// Takes the turn in plan mode
    #[arg(long)]
    pub(crate) plan: bool,
}

impl Default for Ask {
    fn default() -> Self {
        Self {
            question: "What is here?".to_owned(),
            parts: Parts::default(),
            model: ModelArguments::offline(),
            dry_run: false,
            prompt_log: None,
            export: None,
            cwd: ".".into(),
            plan: false,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Chat {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// The directory that the tools look at
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) cwd: PathBuf,
    /// Goes on from the session in this file, if there is one, and keeps it there after each turn
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,
    /// Keeps what was typed in this file, for the next time; else it is forgotten
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<PathBuf>,
    /// Begins in plan mode
    #[arg(long)]
    pub(crate) plan: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Dump {
    /// The file with the session, in JSON
    pub(crate) session: PathBuf,
    /// The name of the provider, such as `anthropic`
    #[arg(long, default_value = "offline")]
    pub(crate) provider: String,
    /// The name of the model, as the provider calls it
    #[arg(long, default_value = "")]
    pub(crate) model: String,
    /// The role whose prompt is shown, where the session keeps several
    #[arg(long, value_name = "NAME")]
    pub(crate) role: Option<String>,
}

#[derive(Args, Clone, Debug)]
#[command(disable_version_flag = true)]
pub(crate) struct Prompt {
    /// In whose manner the prompt is put together: brute, fabro, fluffbuzz or builder
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(crate) profile: brute_prompts::Profile,
    /// The name of the provider, such as `anthropic`
    #[arg(long, default_value = "")]
    pub(crate) provider: String,
    /// The name of the model, as the provider calls it
    #[arg(long, default_value = "")]
    pub(crate) model: String,
    /// The working directory
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) cwd: PathBuf,
    /// The agent mode that is on, such as `plan`
    #[arg(long, value_name = "MODE")]
    pub(crate) agent: Option<String>,
    /// The agent mode that was entered just now, such as `build`
    #[arg(long, value_name = "MODE")]
    pub(crate) agent_switched: Option<String>,
    /// Renders for the last call before the step limit
    #[arg(long)]
    pub(crate) max_steps: bool,
    /// A file with the project's own rules
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// The tools on offer, as `read,search` or `edit=apply_patch`; nothing for none [default: all
    /// of the profile]
    #[arg(long, value_name = "NAMES")]
    pub(crate) tools: Option<String>,
    /// The date of today, as YYYY-MM-DD
    #[arg(long)]
    pub(crate) date: Option<String>,
    /// How much of the prompt is wanted
    #[arg(long, value_enum, default_value_t = Mode::Full)]
    pub(crate) mode: Mode,
    /// Reads the files of the agent's workspace, which is the working directory
    #[arg(long)]
    pub(crate) workspace_files: bool,
    #[command(flatten)]
    pub(crate) view: View,
}

/// How a prompt is shown, unless it is printed as it is.
#[derive(Args, Clone, Debug)]
pub(crate) struct View {
    /// Prints JSON: the sections with zone, source and size, and the whole text
    #[arg(long)]
    pub(crate) json: bool,
    /// Prints where the bytes come from and what was cut; with --json, adds it to the object
    #[arg(long)]
    pub(crate) report: bool,
    /// Compares with another one, section by section: that of a provider, or that of a directory,
    /// which has a `/` in its name; two names compare these two
    #[arg(long, value_name = "OTHER", num_args = 1..=2)]
    #[arg(conflicts_with_all = ["json", "report", "html"])]
    pub(crate) diff: Vec<String>,
    /// Writes a page for the browser into this file, and prints nothing by itself
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Mode {
    Full,
    Minimal,
    None,
}

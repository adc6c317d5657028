//! Makes models of real providers.

use brute_core::models::{self, Provider, Registry};
use tower::BoxError;

use super::{Model, ModelArguments, Service};

/// Makes a model of the provider of this name.
pub(super) fn named(name: &str, arguments: &ModelArguments) -> Result<Model, BoxError> {
    let provider = models::provider(name)?;
    let provider = match &arguments.base_url {
        Some(url) => provider.base_url(url),
        None if name == "openai_compatible" => {
            return Err("--provider openai_compatible needs --base-url URL, the address of the \
                        server, such as http://127.0.0.1:8080/v1"
                .into());
        }
        None => provider,
    };
    open(&provider, arguments, false)
}

/// Makes a model of the first provider whose key is in the environment, else the offline one.
pub(super) fn found(arguments: &ModelArguments) -> Result<Model, BoxError> {
    match models::from_env() {
        Ok(provider) => open(&provider, arguments, true),
        Err(error) if arguments.model.is_some() => {
            Err(format!("--model needs --provider NAME, or a key: {error}").into())
        }
        Err(_) => Ok(Model::offline()),
    }
}

fn open(
    provider: &Provider,
    arguments: &ModelArguments,
    is_found: bool,
) -> Result<Model, BoxError> {
    let model = arguments.model.as_deref().or(provider.default_model()).ok_or_else(|| {
        format!("{} has no model that is asked by default: name one with --model", provider.name())
    })?;
    let remote = provider.model(model)?;
    let id = remote.id().clone();
    let info = Registry::new().get(&id);
    Ok(Model { id, info, service: Service::Remote(remote), is_found })
}

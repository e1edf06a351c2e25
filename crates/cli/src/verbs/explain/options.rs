//! The options of the command, as its definition describes them.

use clap::Arg;
use shisa::explain::Explanation;

/// Every option with the verb that has it; `None` for those of every verb.
pub(super) fn all() -> Vec<(Option<String>, Arg)> {
    let mut command = crate::command();
    command.build();
    let of_all = command.get_arguments().map(|option| (None, option.clone()));
    let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
    let of_verb = verbs.flat_map(|verb| {
        let own = verb.get_arguments().filter(|option| !option.is_global_set() && !is_common(option));
        own.map(|option| (Some(verb.get_name().to_owned()), option.clone()))
    });
    of_all.chain(of_verb).filter(|(_, option)| !option.is_positional()).collect()
}

/// Whether it is an option that the command adds to every verb.
fn is_common(option: &Arg) -> bool {
    option.get_id() == "help"
}

/// The options with a name: with or without dashes, a letter only with one.
pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let long = word.strip_prefix("--").unwrap_or(word);
    let short = word.strip_prefix('-').and_then(|rest| rest.parse::<char>().ok());
    let named =
        |option: &Arg| option.get_long() == Some(long) || short.is_some() && option.get_short() == short;
    let mut found: Vec<(Explanation, Vec<String>)> = Vec::new();
    for (verb, option) in all().into_iter().filter(|(_, option)| named(option)) {
        let page = page(&option);
        let verb = verb.unwrap_or_else(|| "every verb".into());
        match found.iter_mut().find(|(other, _)| *other == page) {
            Some((_, verbs)) => verbs.push(verb),
            None => found.push((page, vec![verb])),
        }
    }
    found.into_iter().map(|(page, verbs)| page.section("Verbs", vec![verbs.join(", ")])).collect()
}

/// What an option does.
fn page(option: &Arg) -> Explanation {
    let help = option.get_long_help().or(option.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut page = Explanation::new(option.to_string(), "option", format!("{}.", help.trim_end_matches('.')));
    let values = option.get_possible_values();
    let takes_values = option.get_action().takes_values();
    let listed = values.iter().filter(|_| takes_values).map(|value| {
        let about = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
        format!("{}{about}", value.get_name())
    });
    let listed: Vec<String> = listed.collect();
    if !listed.is_empty() {
        page = page.section("Values", listed);
    }
    let defaults = option.get_default_values().iter().filter(|_| takes_values);
    let defaults: Vec<String> = defaults.map(|value| value.to_string_lossy().into_owned()).collect();
    if !defaults.is_empty() && !option.is_hide_default_value_set() {
        page = page.section("Default", vec![defaults.join(", ")]);
    }
    page
}

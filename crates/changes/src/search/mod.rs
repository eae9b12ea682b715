//! The search from two versions to the lines that make the difference: commits, hunks, lines, and what else these need.
//!
//! | file | idea |
//! |---|---|
//! | `plan` | what the user allows and forbids, and what was learnt before the search |
//! | `cause` | one cause after the other, each with everything that it needs, and its proof |
//! | `mix_company` | what changes that were found in a mix of both versions need in order to fail in the good version |
//! | `found_cause` | a cause that was found |
//! | `proof` | what is seen when an answer is tested once more |
//! | `first_answer` | where the first answer comes from; the searches for better ones start there |
//! | `at_commit` | whether an answer holds at the commit that it comes from |
//! | `traced_lines` | whether the lines of an answer are still in a later version |
//! | `fixed_cause` | a failure that was fixed before the bad version |
//! | `limited_stages` | stages that together may run a number of tests only |
//! | `stage_limits` | when the search of a stage ends, even if it might find less |
//! | `better_answer` | answers that are better proved, or easier to read, than the first one |
//! | `tests_ahead` | what will probably be tested next, for idle workers of a cluster |
//! | `again` | what was found, tested once more |
//! | `cause_part` | a part of a cause: changes of the same commit |
//! | `new_names` | the good version in the names of the bad one, if something was renamed everywhere |
//! | `whole_files` | which files make the difference, each of them whole |
//! | `version_pair` | two versions with as little as possible between them |
//! | `commits` | the first commit that fails, along the first parents and inside merged branches |
//! | `culprit_search` | the commit of a history that broke the test, or made a flaky test fail more often |
//! | `hunks` | the hunks between two versions, and the lines in them, that make the difference |
//! | `flaky_change` | the change of a commit that makes a flaky test fail more often |
//! | `definitions` | the same among very many changes, first by functions, types and declarations |
//! | `printed_lines` | of very many changes that cannot be mixed: the lines that go best with the difference of the outputs |
//! | `chosen_search` | the search that the user has chosen instead of ours |
//! | `deciding` | from the difference between two mixes to changes that fail alone |
//! | `known_changes` | what the user knows of the changes |
//! | `change_groups` | groups of changes: by directory, file, function and names, and what the user puts together |
//! | `suggestions` | what is tried first, because of what is known about the two versions |
//! | `necessary` | whether each change of an answer is necessary |
//! | `narrowed_changes` | what a search among the changes between two versions has found |
//! | `edit_forms` | an edit as it is made in the good version and undone in the bad one |
//! | `edit_search` | the single edit that decides, if code also moved or was renamed |
//! | `knowledge` | what is known of changes before they are tested |
//! | `commit_likelihood` | which commits probably broke the test, or hold what a change needs |
//! | `commit_of_change` | which commit a change comes from |

pub mod again;
mod at_commit;
mod better_answer;
pub mod cause;
pub mod cause_part;
mod change_groups;
mod chosen_search;
mod commit_likelihood;
mod commit_of_change;
pub mod commits;
mod culprit_search;
mod deciding;
mod definitions;
pub mod edit_forms;
pub mod edit_search;
mod first_answer;
mod fixed_cause;
mod flaky_change;
pub mod found_cause;
pub mod hunks;
mod knowledge;
pub(crate) mod known_changes;
pub(crate) mod limited_stages;
mod mix_company;
pub mod narrowed_changes;
mod necessary;
mod new_names;
pub mod plan;
mod printed_lines;
pub mod proof;
mod stage_limits;
mod suggestions;
mod tests_ahead;
mod traced_lines;
pub mod version_pair;
mod whole_files;

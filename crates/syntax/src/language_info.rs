//! Everything that this crate and other crates know about one language.

use crate::TextKind;

/// One language: how to recognize it, how to parse it, and what its nodes mean.
///
/// Each file in `languages/` is one constant of this type. Kinds are the names that the grammar gives to nodes.
#[derive(Clone, Copy)]
pub struct LanguageInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// Extensions of files, without the dot.
    pub(crate) extensions: &'static [&'static str],
    /// Extensions that several languages share. They belong to this one if `looks_like` says so.
    pub(crate) shared_extensions: &'static [&'static str],
    /// Whether a file with a shared extension is in this language.
    pub(crate) looks_like: fn(&[u8]) -> bool,
    /// Whole names of files.
    pub(crate) file_names: &'static [&'static str],
    /// Programs that a first line such as `#!/usr/bin/python3` names.
    pub(crate) interpreters: &'static [&'static str],
    /// Names of editor modes in a first line such as `-*- C++ -*-`, in addition to the name of the language.
    pub(crate) editor_modes: &'static [&'static str],
    /// Whether a text is clearly in this language, for files whose names tell nothing.
    pub(crate) recognizes: fn(&[u8]) -> bool,

    /// The parser. `None` if it was left out of the build.
    #[cfg(feature = "trees")]
    pub(crate) grammar: Option<GrammarSource>,
    /// Whether a text is not nested too deeply for the parser.
    #[cfg_attr(not(feature = "trees"), allow(dead_code))]
    pub(crate) can_parse: fn(&[u8]) -> bool,

    /// How to read names out of files with one of `text_kind_extensions`.
    pub(crate) text_kind: TextKind,
    /// The extensions for which `text_kind` holds. All other files are read like C.
    pub(crate) text_kind_extensions: &'static [&'static str],

    /// Kinds of functions, macros and types. Namespaces, modules and `impl` blocks are not among them, because their
    /// contents belong together no more than the contents of a file.
    pub definitions: &'static [&'static str],
    /// Kinds of definitions that only mention a type if they have no body.
    pub definitions_with_body: &'static [&'static str],
    /// Kinds of definitions that are values. Their names can be outside of them.
    pub definitions_as_values: &'static [&'static str],
    /// Kinds of nodes that give a name to the value in them, and the field with the name.
    pub naming_fields: &'static [(&'static str, &'static str)],
    /// Kinds of nodes around a definition that belong to it, such as decorators.
    pub definition_wrappers: &'static [&'static str],

    /// Kinds of nodes that only hold definitions and declarations, such as namespaces, classes and `impl` blocks.
    pub definition_groups: &'static [&'static str],

    /// Kinds of nodes with the statements of a function, a loop or a branch.
    pub bodies: &'static [&'static str],
    /// Kinds of statements whose body can be a single statement without braces.
    pub takes_single_statement: &'static [&'static str],
    /// Kinds of statements that do nothing.
    pub idle_statements: &'static [&'static str],

    /// The smallest nodes of the language: their kinds and their texts.
    pub smallest_nodes: &'static [(&'static str, &'static str)],
    /// The shortest body of a function that compiles for every return type.
    pub empty_body: &'static str,
    /// A function with one of these words before its body must contain a `return`.
    pub words_that_need_return: &'static [&'static str],
    /// Kinds of nodes that nothing else can replace, although the grammar allows it.
    pub irreplaceable: &'static [&'static str],
    /// Whether everything at the top level is a declaration.
    pub has_only_declarations_at_top: bool,
    /// Whether the type of a parameter comes before its name.
    pub has_type_before_name: bool,
    /// Whether the first parameter of a method is its object.
    pub has_object_as_parameter: bool,
    /// Whether a statement ends at the end of the line or at a semicolon.
    pub ends_statements_with_lines: bool,
    /// Whether indentation has a meaning.
    pub has_layout: bool,
    /// Whether statements form blocks by indentation. A block needs at least one statement.
    pub has_indented_blocks: bool,
    /// Whether strings can be names, because the language describes data.
    pub is_data: bool,
    /// Whether the language is C or C++.
    pub is_c_family: bool,
}

/// A grammar as its crate provides it.
#[cfg(feature = "trees")]
#[derive(Clone, Copy)]
pub(crate) struct GrammarSource {
    pub(crate) language: tree_sitter_language::LanguageFn,
    /// The description of all kinds of nodes, as JSON.
    pub(crate) node_types: &'static str,
}

impl LanguageInfo {
    /// A language about which nothing is known.
    pub(crate) const UNKNOWN: Self = Self {
        name: "",
        extensions: &[],
        shared_extensions: &[],
        looks_like: |_| false,
        file_names: &[],
        interpreters: &[],
        editor_modes: &[],
        recognizes: |_| false,
        #[cfg(feature = "trees")]
        grammar: None,
        can_parse: |_| true,
        text_kind: TextKind::CLike,
        text_kind_extensions: &[],
        definitions: &[],
        definitions_with_body: &[],
        definitions_as_values: &[],
        naming_fields: &[],
        definition_wrappers: &[],
        definition_groups: &[],
        bodies: &[],
        takes_single_statement: &[],
        idle_statements: &[],
        smallest_nodes: &[],
        empty_body: "",
        words_that_need_return: &[],
        irreplaceable: &[],
        has_only_declarations_at_top: false,
        has_type_before_name: false,
        has_object_as_parameter: false,
        ends_statements_with_lines: false,
        has_layout: false,
        has_indented_blocks: false,
        is_data: false,
        is_c_family: false,
    };
}

//! What functions and types are called in each grammar.

use howcome_syntax::Language;

/// Whether nodes of this kind are functions, macros, or types.
///
/// Namespaces, modules and `impl` blocks are not: they hold what belongs together no more than a file does.
pub(super) fn is_item(language: Language, kind: &str) -> bool {
    match language {
        Language::C | Language::Cpp => {
            matches!(kind, "function_definition" | "preproc_def" | "preproc_function_def" | "class_specifier")
                || is_c_type(kind)
        }
        Language::Go => {
            matches!(kind, "function_declaration" | "method_declaration" | "type_spec" | "type_alias")
        }
        Language::Java => matches!(
            kind,
            "class_declaration"
                | "interface_declaration"
                | "enum_declaration"
                | "record_declaration"
                | "annotation_type_declaration"
                | "method_declaration"
                | "constructor_declaration"
                | "compact_constructor_declaration"
        ),
        Language::JavaScript => {
            matches!(
                kind,
                "function_declaration"
                    | "generator_function_declaration"
                    | "class_declaration"
                    | "method_definition"
            ) || is_javascript_value(kind)
        }
        Language::Python => matches!(kind, "function_definition" | "class_definition"),
        Language::Rust => matches!(
            kind,
            "function_item" | "struct_item" | "enum_item" | "union_item" | "trait_item" | "macro_definition"
        ),
        // Of other languages we know only the syntax.
        _ => false,
    }
}

/// Types of C that are only mentioned, not declared, where they have no body.
pub(super) fn is_c_type(kind: &str) -> bool {
    matches!(kind, "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier")
}

/// Functions and classes of JavaScript that are values, so that their name may stand outside of them.
pub(super) fn is_javascript_value(kind: &str) -> bool {
    matches!(kind, "function_expression" | "generator_function" | "arrow_function" | "class")
}

/// The field of a JavaScript node that names the function which is its value.
pub(super) fn javascript_name_field(kind: &str) -> Option<&'static str> {
    match kind {
        "variable_declarator" => Some("name"),
        "assignment_expression" => Some("left"),
        "pair" => Some("key"),
        "field_definition" => Some("property"),
        _ => None,
    }
}

/// What stands around a function or a type and belongs to it.
pub(super) fn is_wrapper(kind: &str) -> bool {
    matches!(kind, "decorated_definition" | "template_declaration" | "export_statement" | "type_definition")
}

//! XML.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind, markup};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "xml",
    extensions: &[
        "xml", "svg", "xsd", "xsl", "xslt", "rss", "atom", "plist", "kml", "gpx", "dtd", "wsdl", "rdf",
        "rng", "xul", "xaml", "csproj", "vcxproj", "pom", "ui", "tei", "mathml",
    ],
    editor_modes: &["nxml"],
    recognizes: markup::is_xml,
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_xml::LANGUAGE_XML,
        node_types: tree_sitter_xml::XML_NODE_TYPES,
    }),
    can_parse: markup::is_shallow,
    text_kind: TextKind::Prose,
    text_kind_extensions: &["xml", "svg"],
    ..LanguageInfo::UNKNOWN
};

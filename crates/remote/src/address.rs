//! The address of a cluster: `grpc://HOST:PORT[/INSTANCE]`, or `grpcs://` with TLS.

use std::fmt;
use std::str::FromStr;

/// The address of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteAddress {
    /// Whether the connection is encrypted.
    pub is_encrypted: bool,
    /// The host.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The instance, for servers that have several; empty otherwise.
    pub instance: String,
}

/// Why a text is not the address of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAnAddress(String);

impl FromStr for RemoteAddress {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        let no = |why: &str| {
            NotAnAddress(format!(
                "{why}; write grpc://HOST:PORT or grpcs://HOST[:PORT], with /INSTANCE if the server has several"
            ))
        };
        let (scheme, rest) = text.split_once("://").ok_or_else(|| no("it has no grpc:// in front"))?;
        let is_encrypted = match scheme {
            "grpc" => false,
            "grpcs" => true,
            _ => return Err(no(&format!("{scheme}:// is not known"))),
        };
        let (place, instance) = rest.split_once('/').unwrap_or((rest, ""));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => {
                (host, port.parse().map_err(|_| no(&format!("`{port}` is not a port")))?)
            }
            _ if is_encrypted => (place, 443),
            _ => return Err(no("it has no port")),
        };
        let is_strange = |letter: char| letter.is_whitespace() || letter == '@';
        if host.is_empty() || host.contains(is_strange) {
            return Err(no("it has no valid host"));
        }
        let instance = instance.trim_matches('/').to_owned();
        Ok(Self { is_encrypted, host: host.to_owned(), port, instance })
    }
}

impl RemoteAddress {
    /// The address for HTTP.
    pub(crate) fn uri(&self) -> String {
        let scheme = if self.is_encrypted { "https" } else { "http" };
        format!("{scheme}://{}:{}", self.host, self.port)
    }
}

impl fmt::Display for RemoteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_encrypted { "grpcs" } else { "grpc" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)?;
        if self.instance.is_empty() { Ok(()) } else { write!(f, "/{}", self.instance) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_host_a_port_and_perhaps_an_instance() {
        for (text, shown) in [
            ("grpc://localhost:50051", "grpc://localhost:50051"),
            ("grpc://10.0.0.1:8980/main/linux/", "grpc://10.0.0.1:8980/main/linux"),
            ("grpcs://farm.example.org", "grpcs://farm.example.org:443"),
            ("grpc://[::1]:50051", "grpc://[::1]:50051"),
        ] {
            assert_eq!(text.parse::<RemoteAddress>().unwrap().to_string(), shown);
        }
        for text in ["localhost:1", "http://x:1", "grpc://x", "grpc://:1", "grpc://x:y", "grpc://a b:1"] {
            assert!(text.parse::<RemoteAddress>().is_err(), "{text}");
        }
    }
}

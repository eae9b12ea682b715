//! Who made a commit, when and why.

use super::ObjectId;
use std::fmt;

/// What people want to know about a commit. Texts are decoded as well as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitRecord {
    /// Its name.
    pub id: ObjectId,
    /// Its parents, the mainline first.
    pub parents: Vec<ObjectId>,
    /// Who wrote it.
    pub author: String,
    /// The address of the author.
    pub email: String,
    /// When it was written.
    pub date: When,
    /// The first paragraph of the message, in one line.
    pub subject: String,
}

/// A moment, and its time zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// Seconds since the beginning of 1970.
    pub seconds: i64,
    /// How many minutes the zone is ahead of UTC.
    pub offset_minutes: i32,
}

impl CommitRecord {
    /// Reads the content of a commit object. Missing fields stay empty: old importers left out many of them.
    #[must_use]
    pub fn parse(id: ObjectId, content: &[u8]) -> Self {
        let mut lines = content.split(|byte| *byte == b'\n');
        let mut parents = Vec::new();
        let (mut author, mut encoding): (&[u8], &[u8]) = (b"", b"");
        for line in lines.by_ref().take_while(|line| !line.is_empty()) {
            if let Some(parent) = line.strip_prefix(b"parent ") {
                parents.extend(ObjectId::from_hex(parent));
            } else if let Some(person) = line.strip_prefix(b"author ") {
                author = person;
            } else if let Some(name) = line.strip_prefix(b"encoding ") {
                encoding = name;
            }
        }
        let paragraph: Vec<&[u8]> = lines
            .map(<[u8]>::trim_ascii)
            .skip_while(|line| line.is_empty())
            .take_while(|line| !line.is_empty())
            .collect();
        let (name, email, date) = signature(author);
        let text = |bytes: &[u8]| decoded(bytes, encoding);
        let subject = text(&paragraph.join(&b' '));
        Self { id, parents, author: text(name), email: text(email), date, subject }
    }
}

/// `Name <address> seconds zone`.
fn signature(person: &[u8]) -> (&[u8], &[u8], When) {
    let at = |wanted: u8| person.iter().rposition(|byte| *byte == wanted).unwrap_or(person.len());
    let close = at(b'>');
    let open = person[..close].iter().position(|byte| *byte == b'<').unwrap_or(close);
    let email = person.get(open + 1..close).unwrap_or_default();
    let date = String::from_utf8_lossy(person.get(close + 1..).unwrap_or_default()).into_owned();
    let mut words = date.split_whitespace();
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
    let zone: i32 = words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
    (person[..open].trim_ascii(), email, When { seconds, offset_minutes: zone / 100 * 60 + zone % 100 })
}

fn decoded(bytes: &[u8], encoding: &[u8]) -> String {
    let latin = [&b"iso-8859-1"[..], b"iso8859-1", b"latin1", b"latin-1"];
    if latin.iter().any(|name| encoding.eq_ignore_ascii_case(name)) {
        bytes.iter().map(|byte| char::from(*byte)).collect()
    } else {
        String::from_utf8_lossy(bytes).into_owned()
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: i64 = 24 * 60 * 60;
        let local = self.seconds.saturating_add(i64::from(self.offset_minutes) * 60);
        let (year, month, day) = civil(local.div_euclid(DAY));
        let minutes = local.rem_euclid(DAY) / 60;
        let sign = if self.offset_minutes < 0 { '-' } else { '+' };
        let offset = self.offset_minutes.unsigned_abs();
        let (hours, seconds) = (minutes / 60, local.rem_euclid(60));
        write!(f, "{year:04}-{month:02}-{day:02} {hours:02}:{:02}:{seconds:02} ", minutes % 60)?;
        write!(f, "{sign}{:02}{:02}", offset / 60, offset % 60)
    }
}

/// The date of a day since the beginning of 1970, by Howard Hinnant's `civil_from_days`: years begin in March, so that the
/// leap day is the last of its year.
fn civil(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let day = day.rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(content: &[u8]) -> CommitRecord {
        CommitRecord::parse(ObjectId::from_hex(&[b'1'; 40]).unwrap(), content)
    }

    #[test]
    fn a_signature_between_the_headers_and_a_subject_of_two_lines_are_read() {
        let commit = parse(
            b"tree 1111111111111111111111111111111111111111\n\
              parent 2222222222222222222222222222222222222222\n\
              author A < B > C <a@b.example> 1709290800 -0330\ncommitter X <x@y> 1 +0000\n\
              gpgsig -----BEGIN\n \n author nobody\n -----END\n\n\nfix the\nleak\n\nat last\n",
        );
        assert_eq!(commit.subject, "fix the leak");
        assert_eq!(commit.parents.len(), 1);
        assert_eq!(commit.date.to_string(), "2024-03-01 07:30:00 -0330");
    }

    #[test]
    fn an_author_in_latin_1_keeps_the_umlaut() {
        let commit = parse(b"author J\xf6rg <j@x> 0 +0100\nencoding ISO-8859-1\n\nh\xf6her\n");
        assert_eq!((commit.author.as_str(), commit.subject.as_str()), ("Jörg", "höher"));
        assert_eq!(commit.date.to_string(), "1970-01-01 01:00:00 +0100");
    }

    #[test]
    fn a_commit_with_nothing_in_it_is_still_described() {
        for content in [&b""[..], b"\n\n", b"author\n", b"author <\n\n", b"author >< x y\n\n\xff"] {
            parse(content);
        }
        assert_eq!(parse(b"author x <y> 99999999999999999999 +99999999999\n\n").date, When::default());
        assert!(!parse(b"author x <y> 9223372036854775807 +2147483647\n\n").date.to_string().is_empty());
    }

    #[test]
    fn dates_go_back_and_forth_over_leap_days() {
        let date = |seconds| When { seconds, offset_minutes: 0 }.to_string();
        assert_eq!(date(951_782_399), "2000-02-28 23:59:59 +0000");
        assert_eq!(date(951_782_400), "2000-02-29 00:00:00 +0000");
        assert_eq!(date(-1), "1969-12-31 23:59:59 +0000");
    }
}

// A dictionary with open addressing: `+word` learns, `-word` forgets, `?word` asks at the end; prints how often it was learned.
// pass: +on +no +cat +no -cat ?no
// fail: +on +no +cat +no -on ?no
// fault: hash table corruption
// place: print_answer
// variable: slots\[13\]
// transfer: ((long *)dictionary->slots.buf.inner.ptr.pointer.pointer)[52] = ((long *)dictionary->slots.buf.inner.ptr.pointer.pointer)[0]
use std::process::exit;

const SLOTS: usize = 16;

#[derive(Clone, Debug, PartialEq)]
enum Slot {
    Empty,
    Deleted,
    Used { word: String, times: u32 },
}

struct Dictionary {
    slots: Vec<Slot>,
    probes: usize,
}

enum Command {
    Learn(String),
    Forget(String),
    Ask(String),
}

fn die(reason: &str, text: &str) -> ! {
    eprintln!("{reason}: {text}");
    exit(2)
}

fn hash(word: &str) -> usize {
    let mut sum = 0;
    for byte in word.bytes() {
        sum += byte as usize;
    }
    sum % SLOTS
}

impl Slot {
    fn holds(&self, wanted: &str) -> bool {
        match self {
            Slot::Used { word, .. } => word == wanted,
            Slot::Empty | Slot::Deleted => false,
        }
    }

    fn is_used(&self) -> bool {
        matches!(self, Slot::Used { .. })
    }
}

impl Dictionary {
    fn new() -> Dictionary {
        Dictionary { slots: vec![Slot::Empty; SLOTS], probes: 0 }
    }

    fn find(&self, word: &str) -> Option<usize> {
        let start = hash(word);
        for step in 0..SLOTS {
            let at = (start + step) % SLOTS;
            if self.slots[at].holds(word) {
                return Some(at);
            }
            if self.slots[at] == Slot::Empty {
                return None;
            }
        }
        None
    }

    fn free_slot(&mut self, word: &str) -> Option<usize> {
        let start = hash(word);
        for step in 0..SLOTS {
            let at = (start + step) % SLOTS;
            self.probes += 1;
            if !self.slots[at].is_used() {
                return Some(at);
            }
        }
        None
    }

    fn learn(&mut self, word: &str) -> bool {
        if let Some(at) = self.find(word) {
            if let Slot::Used { times, .. } = &mut self.slots[at] {
                *times += 1;
            }
            return true;
        }
        match self.free_slot(word) {
            Some(at) => {
                self.slots[at] = Slot::Used { word: word.to_string(), times: 1 };
                true
            }
            None => false,
        }
    }

    fn forget(&mut self, word: &str) -> bool {
        match self.find(word) {
            Some(at) => {
                let next = (at + SLOTS - 1) % SLOTS; // FAULT: at + 1, others may stand behind it
                let is_last = self.slots[next] == Slot::Empty;
                self.slots[at] = if is_last { Slot::Empty } else { Slot::Deleted };
                true
            }
            None => false,
        }
    }

    fn times(&self, word: &str) -> u32 {
        match self.find(word) {
            Some(at) => match &self.slots[at] {
                Slot::Used { times, .. } => *times,
                Slot::Empty | Slot::Deleted => 0,
            },
            None => 0,
        }
    }

    fn load(&self) -> usize {
        self.slots.iter().filter(|slot| slot.is_used()).count()
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn read_command(text: &str) -> Command {
    if text.len() < 2 || !is_word(&text[1..]) {
        die("not a command", text);
    }
    let word = text[1..].to_string();
    match text.as_bytes()[0] {
        b'+' => Command::Learn(word),
        b'-' => Command::Forget(word),
        b'?' => Command::Ask(word),
        _ => die("not a command", text),
    }
}

fn obey(dictionary: &mut Dictionary, command: &Command) {
    match command {
        Command::Learn(word) => {
            if !dictionary.learn(word) {
                die("the dictionary is full", word);
            }
        }
        Command::Forget(word) => {
            if !dictionary.forget(word) {
                die("not learned", word);
            }
        }
        Command::Ask(_) => {}
    }
}

fn question(commands: &[Command]) -> Option<&str> {
    match commands.last() {
        Some(Command::Ask(word)) => Some(word),
        _ => None,
    }
}

fn print_load(dictionary: &Dictionary) {
    println!("{} of {SLOTS} slots, {} probes", dictionary.load(), dictionary.probes);
}

fn print_answer(dictionary: &Dictionary, word: &str) {
    match dictionary.times(word) {
        0 => println!("{word}: never heard of it"),
        1 => println!("{word}: once"),
        times => println!("{word}: {times} times"),
    }
}

fn main() {
    let commands: Vec<Command> = std::env::args().skip(1).map(|text| read_command(&text)).collect();
    let mut dictionary = Dictionary::new();
    for command in &commands {
        obey(&mut dictionary, command);
    }
    print_load(&dictionary);
    match question(&commands) {
        Some(word) => print_answer(&dictionary, word),
        None => die("usage", "words (+WORD | -WORD)... ?WORD"),
    }
}

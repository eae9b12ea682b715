// A colony in slots: `ant` is born, `-ant` dies and leaves its slot, `@ant` becomes the leader; tells who leads in the end.
// pass: ant wasp bee @wasp -bee
// fail: ant wasp bee @wasp -wasp
// fault: stale pointer
// place: print_leader
// variable: slots\[2\]
// transfer: ((long *)colony->slots.buf.inner.ptr.pointer.pointer)[8] = ((long *)colony->slots.buf.inner.ptr.pointer.pointer)[12]
use std::process::exit;

#[derive(Clone, Debug)]
struct Member {
    name: String,
    strength: u32,
    age: u32,
}

struct Colony {
    slots: Vec<Option<Member>>,
    leader: usize,
    births: u32,
    deaths: u32,
}

#[derive(Debug)]
enum Event {
    Birth(String),
    Death(String),
    Election(String),
}

fn die(reason: &str, text: &str) -> ! {
    eprintln!("{reason}: {text}");
    exit(2)
}

fn strength_of(name: &str) -> u32 {
    name.bytes().map(|byte| u32::from(byte % 16)).sum()
}

impl Member {
    fn new(name: &str) -> Member {
        Member { name: name.to_string(), strength: strength_of(name), age: 0 }
    }
}

impl Colony {
    fn new(queen: &str) -> Colony {
        Colony { slots: vec![Some(Member::new(queen))], leader: 0, births: 1, deaths: 0 }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.as_ref().is_some_and(|member| member.name == name))
    }

    fn free_slot(&mut self) -> usize {
        match self.slots.iter().position(Option::is_none) {
            Some(index) => index,
            None => {
                self.slots.push(None);
                self.slots.len() - 1
            }
        }
    }

    fn bear(&mut self, name: &str) {
        if self.find(name).is_some() {
            die("this name is taken", name);
        }
        let index = self.free_slot();
        self.slots[index] = Some(Member::new(name));
        self.births += 1;
    }

    fn bury(&mut self, name: &str) {
        let Some(index) = self.find(name) else {
            die("nobody has this name", name);
        };
        if index == 0 {
            die("the queen does not die", name);
        }
        self.slots[index] = None; // FAULT: and the queen leads again if self.leader == index
        self.deaths += 1;
    }

    fn elect(&mut self, name: &str) {
        match self.find(name) {
            Some(index) => self.leader = index,
            None => die("nobody has this name", name),
        }
    }

    fn grow_older(&mut self) {
        for member in self.slots.iter_mut().flatten() {
            member.age += 1;
        }
    }

    fn obey(&mut self, event: &Event) {
        self.grow_older();
        match event {
            Event::Birth(name) => self.bear(name),
            Event::Death(name) => self.bury(name),
            Event::Election(name) => self.elect(name),
        }
    }

    fn living(&self) -> usize {
        self.slots.iter().flatten().count()
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn read_event(text: &str) -> Event {
    let name = text.trim_start_matches(['-', '@']);
    if !is_name(name) {
        die("not an event", text);
    }
    match text.as_bytes()[0] {
        b'-' => Event::Death(name.to_string()),
        b'@' => Event::Election(name.to_string()),
        _ => Event::Birth(name.to_string()),
    }
}

fn check(colony: &Colony) {
    if (colony.births - colony.deaths) as usize != colony.living() {
        die("somebody got lost", &colony.births.to_string());
    }
}

fn oldest(colony: &Colony) -> Option<&Member> {
    colony.slots.iter().flatten().max_by_key(|member| member.age)
}

fn strongest(colony: &Colony) -> Option<&Member> {
    colony.slots.iter().flatten().max_by_key(|member| member.strength)
}

fn print_census(colony: &Colony) {
    println!("{} born, {} dead", colony.births, colony.deaths);
    println!("{} empty slots, {} years", empty_slots(colony), years(colony));
    if let Some(member) = oldest(colony) {
        println!("the oldest is {}", member.name);
    }
    if let Some(member) = strongest(colony) {
        println!("the strongest is {} ({})", member.name, member.strength);
    }
}

fn years(colony: &Colony) -> u32 {
    colony.slots.iter().flatten().map(|member| member.age).sum()
}

fn empty_slots(colony: &Colony) -> usize {
    colony.slots.len() - colony.living()
}

fn leader(colony: &Colony) -> &Member {
    match &colony.slots[colony.leader] {
        Some(member) => member,
        None => panic!("a dead leader"),
    }
}

fn print_leader(colony: &Colony) {
    let leader = leader(colony);
    println!("{} leads, with {} years and a strength of {}", leader.name, leader.age, leader.strength);
}

fn main() {
    let events: Vec<Event> = std::env::args().skip(1).map(|text| read_event(&text)).collect();
    if events.is_empty() {
        die("usage", "colony (NAME | -NAME | @NAME)...");
    }
    let mut colony = Colony::new("queen");
    for event in &events {
        colony.obey(event);
    }
    check(&colony);
    print_census(&colony);
    print_leader(&colony);
}

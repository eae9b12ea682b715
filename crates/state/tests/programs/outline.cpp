// An outline of headings in one vector: the first argument reserves room, the others are headings, indented by dots.
// pass: 8 animals .birds ..owl .fish plants
// fail: 4 animals .birds ..owl .fish plants
// fault: C++ container invalidated
// place: print_outline
// variable: nodes\[2\]\.sibling$
// transfer: outline.nodes._M_impl._M_start[2].sibling = -1
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int none = -1;

struct Node {
    std::string title;
    int depth = 0;
    int child = none;
    int sibling = none;
    int parent = none;
};

struct Outline {
    std::vector<Node> nodes;
    std::vector<int> open;
};

[[noreturn]] void die(const std::string &reason) {
    std::cerr << reason << '\n';
    std::exit(2);
}

int read_room(const std::string &text) {
    int room = std::atoi(text.c_str());
    if (room < 1 || room > 1000) {
        die("not a number of headings: " + text);
    }
    return room;
}

void start(Outline &outline, int room) {
    outline.nodes.reserve(static_cast<std::size_t>(room));
    outline.nodes.push_back(Node());
    outline.nodes[0].title = "outline";
    outline.open.push_back(0);
}

int depth_of(const std::string &text) {
    int depth = 1;
    for (char letter : text) {
        if (letter != '.') {
            break;
        }
        depth++;
    }
    return depth;
}

std::string title_of(const std::string &text) {
    return text.substr(text.find_first_not_of('.') == std::string::npos ? 0 : text.find_first_not_of('.'));
}

Node new_node(const std::string &text, int parent) {
    Node node;
    node.title = title_of(text);
    node.depth = depth_of(text);
    node.parent = parent;
    return node;
}

int last_child(const Outline &outline, int parent) {
    int last = outline.nodes[static_cast<std::size_t>(parent)].child;
    while (last != none && outline.nodes[static_cast<std::size_t>(last)].sibling != none) {
        last = outline.nodes[static_cast<std::size_t>(last)].sibling;
    }
    return last;
}

int append(Outline &outline, const std::string &text, int parent) {
    int last = last_child(outline, parent);
    auto &link = last == none ? outline.nodes[static_cast<std::size_t>(parent)].child
                              : outline.nodes[static_cast<std::size_t>(last)].sibling;
    int index = static_cast<int>(outline.nodes.size());
    outline.nodes.push_back(new_node(text, parent));
    link = index; // FAULT: look the link up behind push_back, the vector may have moved
    return index;
}

void close_to(Outline &outline, int depth) {
    while (static_cast<int>(outline.open.size()) > depth) {
        outline.open.pop_back();
    }
}

void add(Outline &outline, const std::string &text) {
    int depth = depth_of(text);
    if (depth > static_cast<int>(outline.open.size())) {
        die("a level is left out: " + text);
    }
    close_to(outline, depth);
    outline.open.push_back(append(outline, text, outline.open.back()));
}

std::size_t longest_title(const Outline &outline) {
    std::size_t longest = 0;
    for (const Node &node : outline.nodes) {
        longest = node.title.size() > longest ? node.title.size() : longest;
    }
    return longest;
}

int deepest(const Outline &outline) {
    int depth = 0;
    for (const Node &node : outline.nodes) {
        depth = node.depth > depth ? node.depth : depth;
    }
    return depth;
}

bool parents_come_first(const Outline &outline) {
    for (std::size_t i = 1; i < outline.nodes.size(); i++) {
        if (outline.nodes[i].parent >= static_cast<int>(i)) {
            return false;
        }
    }
    return true;
}

int count_at(const Outline &outline, int depth) {
    int count = 0;
    for (const Node &node : outline.nodes) {
        count += node.depth == depth ? 1 : 0;
    }
    return count;
}

void print_levels(const Outline &outline) {
    for (int depth = 1; depth <= deepest(outline); depth++) {
        std::cout << "level " << depth << ": " << count_at(outline, depth) << '\n';
    }
}

void print_size(const Outline &outline) {
    std::cout << outline.nodes.size() - 1 << " headings, " << deepest(outline) << " levels, ";
    std::cout << longest_title(outline) << " letters at most\n" << std::flush;
}

void print_heading(const Node &node, int number) {
    for (int i = 1; i < node.depth; i++) {
        std::cout << "   ";
    }
    std::cout << number << ". " << node.title << '\n';
}

int print_children(const Outline &outline, int parent) {
    int printed = 0;
    int number = 0;
    int child = outline.nodes[static_cast<std::size_t>(parent)].child;
    while (child != none) {
        print_heading(outline.nodes[static_cast<std::size_t>(child)], ++number);
        printed += 1 + print_children(outline, child);
        child = outline.nodes[static_cast<std::size_t>(child)].sibling;
    }
    return printed;
}

void print_outline(const Outline &outline) {
    int printed = print_children(outline, 0);
    std::cout << std::flush;
    assert(printed + 1 == static_cast<int>(outline.nodes.size()));
}

} // namespace

int main(int argc, char **argv) {
    Outline outline;
    if (argc < 3) {
        die("usage: outline ROOM HEADING...");
    }
    start(outline, read_room(argv[1]));
    for (int i = 2; i < argc; i++) {
        add(outline, argv[i]);
    }
    if (!parents_come_first(outline)) {
        die("the outline is in disorder");
    }
    print_levels(outline);
    print_size(outline);
    print_outline(outline);
    return 0;
}

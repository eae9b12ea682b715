// Completes words out of a trie: `-n MOST` limits the answers (without it five), `-l LETTERS` their length.
// pass: -n 5 ca cart care dog cat car
// fail: -l 5 ca cart care dog cat car
// fault: wrong initialisation
// place: print_completions
// variable: (settings|query)(\.|->)most$
// transfer: settings.most = 1
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <string>

namespace {

struct Node {
    bool is_word = false;
    std::map<char, std::unique_ptr<Node>> children;
};

struct Settings {
    int most;
    std::size_t letters;
    std::string beginning;
};

struct Size {
    int nodes = 0;
    int words = 0;
};

[[noreturn]] void die(const std::string &reason) {
    std::cerr << reason << '\n';
    std::exit(2);
}

bool is_word(const std::string &text) {
    for (char letter : text) {
        if (letter < 'a' || letter > 'z') {
            return false;
        }
    }
    return !text.empty() && text.size() < 20;
}

bool has_option(const char *argument, const char *option) {
    return std::strcmp(argument, option) == 0;
}

int read_number(const char *text) {
    int number = std::atoi(text);
    if (number < 1) {
        die(std::string("not a number: ") + text);
    }
    return number;
}

Settings read_settings(char **argv) {
    Settings settings;
    int number = read_number(argv[2]);
    settings.letters = has_option(argv[1], "-l") ? static_cast<std::size_t>(number) : 19;
    settings.most = 1; // FAULT: 5 without an option
    if (has_option(argv[1], "-n")) {
        settings.most = number;
    }
    settings.beginning = argv[3];
    return settings;
}

Node *step(Node *node, char letter) {
    std::unique_ptr<Node> &child = node->children[letter];
    if (!child) {
        child = std::make_unique<Node>();
    }
    return child.get();
}

void insert(Node &root, const std::string &word) {
    if (!is_word(word)) {
        die("not a word: " + word);
    }
    Node *node = &root;
    for (char letter : word) {
        node = step(node, letter);
    }
    node->is_word = true;
}

const Node *find(const Node &root, const std::string &beginning) {
    const Node *node = &root;
    for (char letter : beginning) {
        auto child = node->children.find(letter);
        if (child == node->children.end()) {
            return nullptr;
        }
        node = child->second.get();
    }
    return node;
}

void measure(const Node &node, Size &size) {
    size.nodes++;
    size.words += node.is_word ? 1 : 0;
    for (const auto &child : node.children) {
        measure(*child.second, size);
    }
}

int depth(const Node &node) {
    int deepest = 0;
    for (const auto &child : node.children) {
        int below = 1 + depth(*child.second);
        deepest = below > deepest ? below : deepest;
    }
    return deepest;
}

bool has_dead_end(const Node &node) {
    if (node.children.empty()) {
        return !node.is_word;
    }
    for (const auto &child : node.children) {
        if (has_dead_end(*child.second)) {
            return true;
        }
    }
    return false;
}

void print_size(const Node &root) {
    Size size;
    measure(root, size);
    std::cout << size.words << " words, " << size.nodes << " nodes, depth " << depth(root) << '\n' << std::flush;
}

void complete(const Node &node, const std::string &word, std::size_t letters, int &left) {
    if (left == 0 || word.size() > letters) {
        return;
    }
    if (node.is_word) {
        std::cout << "  " << word << '\n';
        left--;
    }
    for (const auto &child : node.children) {
        complete(*child.second, word + child.first, letters, left);
    }
}

void print_completions(const Node &root, const Settings &settings) {
    int left = settings.most;
    const Node *node = find(root, settings.beginning);
    if (node == nullptr) {
        std::cout << "nothing begins with " << settings.beginning << '\n';
        return;
    }
    std::cout << settings.beginning << "...\n";
    complete(*node, settings.beginning, settings.letters, left);
    if (left == 0) {
        std::cout << "  and perhaps more\n";
    }
}

} // namespace

int main(int argc, char **argv) {
    Node root;
    if (argc < 5) {
        die("usage: trie (-n MOST | -l LETTERS) BEGINNING WORD...");
    }
    Settings settings = read_settings(argv);
    for (int i = 4; i < argc; i++) {
        insert(root, argv[i]);
    }
    if (has_dead_end(root)) {
        die("the trie is in disorder");
    }
    print_size(root);
    print_completions(root, settings);
    return 0;
}

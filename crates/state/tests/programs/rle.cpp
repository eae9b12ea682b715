// A run-length coder: `255a3b` describes a text, which is made and coded; prints what the runs stand for.
// pass: 3c255a2b
// fail: 3c256a2b
// fault: integer overflow
// place: print_decoded
// variable: runs\[1\]\.length$
// transfer: runs._M_impl._M_start[1].length = 0
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Run {
    char letter;
    std::uint8_t length;
};

using Runs = std::vector<Run>;

class Generator {
public:
    explicit Generator(const std::string &recipe) : recipe_(recipe) {
    }
    std::string generate();

private:
    int read_number();
    char read_letter();
    bool is_done() const {
        return at_ == recipe_.size();
    }

    std::string recipe_;
    std::size_t at_ = 0;
};

[[noreturn]] void die(const std::string &reason) {
    std::cerr << reason << '\n';
    std::exit(2);
}

int Generator::read_number() {
    int number = 0;
    while (!is_done() && std::isdigit(static_cast<unsigned char>(recipe_[at_]))) {
        number = number * 10 + (recipe_[at_++] - '0');
        if (number > 100000) {
            die("too many letters");
        }
    }
    return number;
}

char Generator::read_letter() {
    if (is_done() || !std::isalpha(static_cast<unsigned char>(recipe_[at_]))) {
        die("a letter is missing in " + recipe_);
    }
    return recipe_[at_++];
}

std::string Generator::generate() {
    std::string text;
    while (!is_done()) {
        int number = read_number();
        char letter = read_letter();
        text.append(static_cast<std::size_t>(number), letter);
    }
    return text;
}

std::size_t run_end(const std::string &text, std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && text[end] == text[begin]) {
        end++;
    }
    return end;
}

Run new_run(char letter, std::size_t length) {
    Run run;
    run.letter = letter;
    run.length = static_cast<std::uint8_t>(length); // FAULT: runs of more than 255 letters must be split
    return run;
}

Runs encode(const std::string &text) {
    Runs runs;
    std::size_t begin = 0;
    while (begin < text.size()) {
        std::size_t end = run_end(text, begin);
        runs.push_back(new_run(text[begin], end - begin));
        begin = end;
    }
    return runs;
}

bool alternate(const Runs &runs) {
    for (std::size_t i = 1; i < runs.size(); i++) {
        if (runs[i].letter == runs[i - 1].letter) {
            return false;
        }
    }
    return true;
}

std::string letters_of(const Runs &runs) {
    std::string letters;
    for (const Run &run : runs) {
        letters.push_back(run.letter);
    }
    return letters;
}

char first_letter(const Runs &runs) {
    char first = runs.front().letter;
    for (const Run &run : runs) {
        if (run.letter < first) {
            first = run.letter;
        }
    }
    return first;
}

int count_letter(const Runs &runs, char letter) {
    int count = 0;
    for (const Run &run : runs) {
        count += run.letter == letter ? 1 : 0;
    }
    return count;
}

void print_coded(const Runs &runs) {
    std::cout << runs.size() << " runs: " << letters_of(runs) << '\n';
    std::cout << "the first in the alphabet is " << first_letter(runs);
    std::cout << " in " << count_letter(runs, first_letter(runs)) << " runs\n" << std::flush;
}

std::size_t decoded_length(const Runs &runs) {
    std::size_t length = 0;
    for (const Run &run : runs) {
        length += run.length;
    }
    return length;
}

void print_run(const Run &run) {
    for (int i = 0; i < run.length && i < 8; i++) {
        std::cout << run.letter;
    }
    if (run.length > 8) {
        std::cout << "...";
    }
}

unsigned checksum(const Runs &runs) {
    unsigned sum = 7;
    for (const Run &run : runs) {
        for (int i = 0; i < run.length; i++) {
            sum = sum * 31 + static_cast<unsigned char>(run.letter);
        }
    }
    return sum % 10000;
}

void print_decoded(const Runs &runs) {
    for (const Run &run : runs) {
        print_run(run);
    }
    std::cout << '\n' << decoded_length(runs) << " letters, checksum " << checksum(runs) << '\n';
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        die("usage: rle RECIPE");
    }
    Generator generator(argv[1]);
    std::string text = generator.generate();
    if (text.empty()) {
        die("there is no text");
    }
    Runs runs = encode(text);
    if (!alternate(runs)) {
        die("the runs are in disorder");
    }
    print_coded(runs);
    print_decoded(runs);
    return 0;
}

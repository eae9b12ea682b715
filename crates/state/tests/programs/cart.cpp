// A shopping cart: `name` puts an article in, `/` takes the last one out, `name*` puts it in with a free sample and a rebate.
// pass: pen ink cap / / book*
// fail: pen ink / cap / book*
// fault: C++ container invalidated
// place: print_bill
// variable: lines_?\[1\]\.rebate$
// transfer: cart.lines_._M_impl._M_start[1].rebate = 0
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Line {
    std::string name;
    int price = 0;
    int quantity = 1;
    int rebate = 0;
};

class Cart {
public:
    void put(const std::string &name, int price);
    void put_with_sample(const std::string &name, int price);
    bool take_back();
    const std::vector<Line> &lines() const {
        return lines_;
    }
    int puts() const {
        return puts_;
    }
    int returns() const {
        return returns_;
    }

private:
    std::vector<Line> lines_;
    int puts_ = 0;
    int returns_ = 0;
};

[[noreturn]] void die(const std::string &reason) {
    std::cerr << reason << '\n';
    std::exit(2);
}

Line new_line(const std::string &name, int price) {
    Line line;
    line.name = name;
    line.price = price;
    return line;
}

void Cart::put(const std::string &name, int price) {
    lines_.push_back(new_line(name, price));
    puts_++;
}

void Cart::put_with_sample(const std::string &name, int price) {
    put(name, price);
    Line &bought = lines_.back();
    Line sample = new_line(name, 0);
    sample.quantity = 2;
    lines_.push_back(sample);
    bought.rebate = 15; // FAULT: lines_[lines_.size() - 2].rebate, the reference is stale once the vector has grown
}

bool Cart::take_back() {
    if (lines_.empty()) {
        return false;
    }
    lines_.pop_back();
    returns_++;
    return true;
}

bool is_name(const std::string &text) {
    if (text.empty() || text.size() > 12) {
        return false;
    }
    for (char letter : text) {
        if (letter < 'a' || letter > 'z') {
            return false;
        }
    }
    return true;
}

int price_of(const std::string &name) {
    int price = 0;
    for (char letter : name) {
        price = (price * 3 + letter) % 900;
    }
    return price + 100;
}

void obey(Cart &cart, const std::string &command) {
    if (command == "/") {
        if (!cart.take_back()) {
            die("there is nothing to take back");
        }
        return;
    }
    bool has_sample = command.back() == '*';
    std::string name = has_sample ? command.substr(0, command.size() - 1) : command;
    if (!is_name(name)) {
        die("not an article: " + command);
    }
    if (has_sample) {
        cart.put_with_sample(name, price_of(name));
    } else {
        cart.put(name, price_of(name));
    }
}

int pieces(const Cart &cart) {
    int sum = 0;
    for (const Line &line : cart.lines()) {
        sum += line.quantity;
    }
    return sum;
}

const Line &dearest(const Cart &cart) {
    const Line *found = &cart.lines().front();
    for (const Line &line : cart.lines()) {
        if (line.price > found->price) {
            found = &line;
        }
    }
    return *found;
}

bool is_sound(const Cart &cart) {
    for (const Line &line : cart.lines()) {
        if (line.quantity < 1 || line.price < 0 || line.rebate > 100) {
            return false;
        }
    }
    return cart.puts() >= cart.returns();
}

void print_size(const Cart &cart) {
    std::cout << pieces(cart) << " pieces, " << cart.puts() << " put in, " << cart.returns() << " taken back\n";
    std::cout << "the dearest is " << dearest(cart).name << '\n';
}

int amount(const Line &line) {
    int full = line.price * line.quantity;
    return full - full * line.rebate / 100;
}

std::string money(int cents) {
    std::string rest = std::to_string(cents % 100);
    if (rest.size() < 2) {
        rest.insert(0, "0");
    }
    return std::to_string(cents / 100) + "." + rest;
}

void print_line(const Line &line) {
    std::cout << std::left << std::setw(8) << line.name << std::right << std::setw(3) << line.quantity;
    std::cout << std::setw(8) << money(amount(line));
    if (line.rebate > 0) {
        std::cout << " (-" << line.rebate << "%)";
    }
    std::cout << '\n';
}

void print_bill(const Cart &cart) {
    int sum = 0;
    for (const Line &line : cart.lines()) {
        print_line(line);
        sum += amount(line);
    }
    std::cout << "to pay: " << money(sum) << '\n';
}

} // namespace

int main(int argc, char **argv) {
    Cart cart;
    if (argc < 2) {
        die("usage: cart (NAME | NAME* | /)...");
    }
    for (int i = 1; i < argc; i++) {
        obey(cart, argv[i]);
    }
    if (cart.lines().empty() || !is_sound(cart)) {
        die("there is nothing to pay");
    }
    print_size(cart);
    std::cout << std::flush;
    print_bill(cart);
    return 0;
}

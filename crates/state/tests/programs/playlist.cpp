// A playlist: `+title:seconds` and `+pause` line up, `-title` takes off, `skip` leaves out the first; prints what is left.
// pass: +waltz:90 +ode:180 +aria:200 skip
// fail: +pause +ode:180 +aria:200 skip
// fault: forgotten update of a count
// place: print_programme
// variable: left_$
// transfer: playlist.left_ = 3
#include <cstdlib>
#include <iostream>
#include <list>
#include <memory>
#include <string>
#include <utility>

namespace {

class Item {
public:
    virtual ~Item() = default;
    virtual int seconds() const = 0;
    virtual std::string title() const = 0;
};

class Track : public Item {
public:
    Track(const std::string &title, int seconds) : title_(title), seconds_(seconds) {
    }
    int seconds() const override {
        return seconds_;
    }
    std::string title() const override {
        return title_;
    }

private:
    std::string title_;
    int seconds_;
};

class Pause : public Item {
public:
    int seconds() const override {
        return 30;
    }
    std::string title() const override {
        return "(pause)";
    }
};

[[noreturn]] void die(const std::string &reason) {
    std::cerr << reason << '\n';
    std::exit(2);
}

class Playlist {
public:
    void line_up(std::unique_ptr<Item> item) {
        items_.push_back(std::move(item));
        left_++;
    }

    void take_off(const std::string &title) {
        for (auto item = items_.begin(); item != items_.end(); ++item) {
            if ((*item)->title() == title) {
                items_.erase(item);
                left_--;
                return;
            }
        }
        die("not on the list: " + title);
    }

    void skip() {
        if (items_.empty()) {
            die("there is nothing to skip");
        }
        if (items_.front()->title() != "(pause)") { // FAULT: always, pauses are counted, too
            left_--;
        }
        items_.pop_front();
    }

    int seconds() const {
        int sum = 0;
        for (const auto &item : items_) {
            sum += item->seconds();
        }
        return sum;
    }

    int left() const {
        return left_;
    }

    bool is_playable() const {
        for (const auto &item : items_) {
            if (item->seconds() <= 0) {
                return false;
            }
        }
        return true;
    }

    void print_titles() const {
        for (const auto &item : items_) {
            std::cout << item->title() << ' ';
        }
        std::cout << '\n' << std::flush;
    }

    const Item &longest() const {
        const Item *found = items_.front().get();
        for (const auto &item : items_) {
            if (item->seconds() > found->seconds()) {
                found = item.get();
            }
        }
        return *found;
    }

private:
    std::list<std::unique_ptr<Item>> items_;
    int left_ = 0;
};

int read_seconds(const std::string &text) {
    int seconds = std::atoi(text.c_str());
    if (seconds < 1 || seconds > 3600) {
        die("not a length: " + text);
    }
    return seconds;
}

std::unique_ptr<Item> read_item(const std::string &text) {
    if (text == "pause") {
        return std::make_unique<Pause>();
    }
    std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0) {
        die("not a track: " + text);
    }
    return std::make_unique<Track>(text.substr(0, colon), read_seconds(text.substr(colon + 1)));
}

void obey(Playlist &playlist, const std::string &command) {
    if (command == "skip") {
        playlist.skip();
    } else if (command[0] == '+') {
        playlist.line_up(read_item(command.substr(1)));
    } else if (command[0] == '-') {
        playlist.take_off(command.substr(1));
    } else {
        die("what is to be done: " + command);
    }
}

std::string clock_time(int seconds) {
    std::string rest = std::to_string(seconds % 60);
    return std::to_string(seconds / 60) + (rest.size() < 2 ? ":0" : ":") + rest;
}

int with_breaks(const Playlist &playlist) {
    int breaks = playlist.left() > 0 ? playlist.left() - 1 : 0;
    return playlist.seconds() + 5 * breaks;
}

void print_programme(const Playlist &playlist) {
    std::cout << playlist.left() << " items in " << clock_time(with_breaks(playlist)) << '\n';
    if (playlist.left() > 0) {
        std::cout << "on average " << clock_time(playlist.seconds() / playlist.left()) << '\n';
        std::cout << "the longest is " << playlist.longest().title() << '\n';
    }
}

} // namespace

int main(int argc, char **argv) {
    Playlist playlist;
    if (argc < 2) {
        die("usage: playlist (+TITLE:SECONDS | +pause | -TITLE | skip)...");
    }
    for (int i = 1; i < argc; i++) {
        obey(playlist, argv[i]);
    }
    if (!playlist.is_playable()) {
        die("there is something without a length");
    }
    playlist.print_titles();
    print_programme(playlist);
    return 0;
}

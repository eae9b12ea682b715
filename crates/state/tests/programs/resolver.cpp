// Plans installations: `name:needed,optional?` for each package; decides which can be installed and prints the plan.
// pass: app:lib,net? lib: net: doc:lib
// fail: app:lib,log? lib: net: doc:lib
// fault: wrong branch
// place: print_plan
// variable: verdict$
// transfer: *(int *)((char *)packages._M_t._M_impl._M_header._M_left + 32 + 32 + 24) = 2
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

enum class Verdict { Unknown, Install, Refuse };

struct Need {
    std::string name;
    bool is_optional = false;
};

struct Package {
    std::vector<Need> needs;
    Verdict verdict = Verdict::Unknown;
    int users = 0;
};

using Packages = std::map<std::string, Package>;

[[noreturn]] void die(const std::string &reason) {
    std::cerr << reason << '\n';
    std::exit(2);
}

Need read_need(const std::string &text) {
    Need need;
    need.is_optional = !text.empty() && text.back() == '?';
    need.name = need.is_optional ? text.substr(0, text.size() - 1) : text;
    if (need.name.empty()) {
        die("a need without a name");
    }
    return need;
}

std::vector<Need> read_needs(const std::string &text) {
    std::vector<Need> needs;
    std::size_t begin = 0;
    while (begin < text.size()) {
        std::size_t end = text.find(',', begin);
        if (end == std::string::npos) {
            end = text.size();
        }
        needs.push_back(read_need(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return needs;
}

void read_package(Packages &packages, const std::string &text) {
    std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0) {
        die("not a package: " + text);
    }
    packages[text.substr(0, colon)].needs = read_needs(text.substr(colon + 1));
}

Package *find(Packages &packages, const std::string &name) {
    auto found = packages.find(name);
    return found == packages.end() ? nullptr : &found->second;
}

Verdict judge(Packages &packages, Package &package, int depth);

bool is_met(Packages &packages, const Need &need, int depth) {
    Package *package = find(packages, need.name);
    if (package == nullptr) {
        return false;
    }
    return judge(packages, *package, depth + 1) == Verdict::Install;
}

Verdict judge(Packages &packages, Package &package, int depth) {
    if (depth > 20) {
        die("packages need each other");
    }
    if (package.verdict != Verdict::Unknown) {
        return package.verdict;
    }
    Verdict verdict = Verdict::Install;
    for (const Need &need : package.needs) {
        if (!is_met(packages, need, depth)) {
            verdict = Verdict::Refuse; // FAULT: only if !need.is_optional
        }
    }
    package.verdict = verdict;
    return verdict;
}

void judge_all(Packages &packages) {
    for (auto &entry : packages) {
        judge(packages, entry.second, 0);
    }
}

void count_users(Packages &packages) {
    for (auto &entry : packages) {
        for (const Need &need : entry.second.needs) {
            Package *package = find(packages, need.name);
            if (package != nullptr && !need.is_optional) {
                package->users++;
            }
        }
    }
}

const std::string &most_used(const Packages &packages) {
    auto most = packages.begin();
    for (auto entry = packages.begin(); entry != packages.end(); ++entry) {
        if (entry->second.users > most->second.users) {
            most = entry;
        }
    }
    return most->first;
}

int count_optional(const Packages &packages) {
    int count = 0;
    for (const auto &entry : packages) {
        for (const Need &need : entry.second.needs) {
            count += need.is_optional ? 1 : 0;
        }
    }
    return count;
}

bool is_decided(const Packages &packages) {
    for (const auto &entry : packages) {
        if (entry.second.verdict == Verdict::Unknown) {
            return false;
        }
    }
    return true;
}

std::string word_for(Verdict verdict) {
    switch (verdict) {
    case Verdict::Install:
        return "install";
    case Verdict::Refuse:
        return "refuse";
    case Verdict::Unknown:
        break;
    }
    return "think about";
}

void print_summary(const Packages &packages) {
    std::cout << count_optional(packages) << " optional needs\n";
    std::cout << packages.size() << " packages, most used: " << most_used(packages) << '\n' << std::flush;
}

void print_plan(const Packages &packages) {
    int refused = 0;
    for (const auto &entry : packages) {
        std::cout << word_for(entry.second.verdict) << ' ' << entry.first << '\n';
        refused += entry.second.verdict == Verdict::Refuse ? 1 : 0;
    }
    std::cout << refused << " refused\n";
}

} // namespace

int main(int argc, char **argv) {
    Packages packages;
    if (argc < 2) {
        die("usage: resolver NAME:NEED,OPTIONAL?...");
    }
    for (int i = 1; i < argc; i++) {
        read_package(packages, argv[i]);
    }
    judge_all(packages);
    count_users(packages);
    if (!is_decided(packages)) {
        die("there is a package without a verdict");
    }
    print_summary(packages);
    print_plan(packages);
    return 0;
}

// Books what comes and goes, and prints what is there: stock +nuts:5 +bolts:2 -nuts:3
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Entry {
    char sign;
    std::string name;
    int amount;
};

static std::vector<Entry> read(int argc, char **argv)
{
    std::vector<Entry> entries;
    for (int i = 1; i < argc; i++) {
        std::string text = argv[i];
        std::size_t colon = text.find(':');
        entries.push_back({text[0], text.substr(1, colon - 1), std::atoi(text.c_str() + colon + 1)});
    }
    return entries;
}

class Stock {
public:
    void book(const Entry &entry)
    {
        int &amount = amounts[entry.name];
        amount += entry.sign == '+' ? entry.amount : -entry.amount;
        if (amount <= 1)
            amounts.erase(entry.name);
    }

    void print() const
    {
        for (const auto &[name, amount] : amounts)
            std::cout << name << ' ' << amount << '\n';
    }

private:
    std::map<std::string, int> amounts;
};

static void book_all(Stock &stock, const std::vector<Entry> &entries)
{
    for (const Entry &entry : entries)
        stock.book(entry);
}

int main(int argc, char **argv)
{
    std::vector<Entry> entries = read(argc, argv);
    Stock stock;
    book_all(stock, entries);
    stock.print();
}

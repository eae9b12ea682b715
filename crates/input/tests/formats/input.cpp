// A cache of a fixed size.
#include <list>
#include <string>
#include <unordered_map>

namespace cache {

template <typename Key, typename Value, int Most = 16>
class Cache {
public:
    explicit Cache(std::string name) : name_(std::move(name)) {}
    virtual ~Cache() = default;

    Value *find(const Key &key)
    {
        auto at = places_.find(key);
        if (at == places_.end())
            return nullptr;
        order_.splice(order_.begin(), order_, at->second);
        return &at->second->second;
    }

    void insert(Key key, Value value)
    {
        if (order_.size() >= Most) {
            places_.erase(order_.back().first);
            order_.pop_back();
        }
        order_.emplace_front(key, std::move(value));
        places_[key] = order_.begin();
    }

private:
    std::string name_;
    std::list<std::pair<Key, Value>> order_;
    std::unordered_map<Key, decltype(order_.begin())> places_;
};

template <>
class Cache<int, int, 0> {};

} // namespace cache

int main()
{
    cache::Cache<std::string, double> prices{"prices"};
    for (const char *name : {"apple", "pear"})
        prices.insert(name, 1.5);
    auto twice = [&](double x) -> double { return x * 2; };
    try {
        if (double *price = prices.find("pear"); price && *price > 0)
            return static_cast<int>(twice(*price));
    } catch (const std::exception &) {
        throw;
    }
    return 0;
}

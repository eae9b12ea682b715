#include <vector>
#include <string>
#include <map>
#include <set>
#include <list>
#include <deque>
#include <memory>
#include <optional>
#include <variant>
#include <unordered_map>
#include <unordered_set>
#include <forward_list>
#include <array>
#include <tuple>
#include <cstdio>
struct Shape { virtual ~Shape() {} virtual double area() const = 0; int id = 1; };
struct Named { std::string label = "a label that is long enough"; virtual ~Named() {} };
struct Circle : Shape { double r = 2; double area() const override { return r * r; } };
struct Both : Shape, Named { int extra = 5; double area() const override { return 1; } };
struct Item { int id; double price; };
std::vector<int> numbers{1, 2, 3};
std::string small = "short", large = "this one does not fit into the object itself";
std::map<std::string, int> ages{{"ann", 30}, {"bob", 40}};
std::set<int> primes{2, 3, 5, 7};
std::list<Item> items{{1, 1.5}, {2, 2.5}};
std::deque<int> deque;
std::unique_ptr<Item> owned(new Item{9, 9.5});
std::shared_ptr<Item> shared = std::make_shared<Item>(Item{8, 8.5});
std::optional<int> some = 4, none;
std::variant<int, std::string, double> variant = std::string("held");
std::unordered_map<int, std::string> table{{1, "one"}, {2, "two"}};
std::unordered_set<std::string> words{"x", "y"};
std::forward_list<int> forward{7, 8};
std::array<int, 3> array{4, 5, 6};
std::tuple<int, char, double> tuple{1, 'c', 2.5};
std::pair<int, int> pair{3, 4};
std::vector<bool> flags{true, false, true};
std::vector<std::vector<std::string>> nested{{"a", "b"}, {}, {"c"}};
__attribute__((noinline)) void stop(const std::vector<int> &ref, Shape *shape, Named *named) { std::printf("%zu %d %s\n", ref.size(), shape->id, named->label.c_str()); }
int main() {
    for (int i = 0; i < 200; i++) deque.push_back(i);
    deque.pop_front();
    std::unique_ptr<Shape> circle(new Circle);
    Both *both = new Both;
    stop(numbers, circle.get(), both);
}

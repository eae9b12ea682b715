// Classes with bases, virtual functions, several bases, references, static members, enumerations, lambdas, templates.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace draw {
enum class Colour : unsigned char { Red = 1, Blue = 4 };
struct Point { int x, y; };
class Shape {
public:
    explicit Shape(Colour colour) : colour(colour) { made++; }
    virtual ~Shape() = default;
    virtual double area() const = 0;
    static int made;
protected:
    Colour colour;
};
int Shape::made = 0;
struct Tagged { long tag = 77; virtual ~Tagged() = default; virtual void poke() {} };
class Circle : public Shape {
public:
    Circle(Point centre, double radius) : Shape(Colour::Red), centre(centre), radius(radius) {}
    double area() const override { return radius * radius * 3; }
private:
    Point centre;
    double radius;
};
class Box : public Shape, public Tagged {
public:
    Box(Point low, Point high) : Shape(Colour::Blue), low(low), high(high) {}
    double area() const override { return (high.x - low.x) * (high.y - low.y); }
private:
    Point low, high;
};
template <typename T, int N> struct Stack { T items[N] = {}; int size = 0; void push(T item) { items[size++] = item; } };
}

struct Scene {
    std::vector<std::unique_ptr<draw::Shape>> shapes;
    std::string title;
    draw::Tagged *tagged = nullptr;
    draw::Point &origin;
    bool dirty = true;
    char16_t wide = u'x';
};

static draw::Point origin{10, 20};
draw::Stack<short, 4> stack;

__attribute__((noinline)) void stop(Scene &scene, const draw::Shape &first) { std::printf("%s %f\n", scene.title.c_str(), first.area()); }

int main() {
    Scene scene{{}, "a scene with a long enough title", nullptr, origin};
    scene.shapes.emplace_back(new draw::Circle({1, 2}, 1.5));
    auto *box = new draw::Box({0, 0}, {3, 4});
    scene.shapes.emplace_back(box);
    scene.tagged = box;
    stack.push(5);
    stack.push(6);
    int captured = 42;
    auto lambda = [captured, &stacked = stack] { return captured + stacked.size; };
    int result = lambda();
    stop(scene, *scene.shapes[0]);
    return result == 0;
}

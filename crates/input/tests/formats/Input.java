package shop.orders;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The orders of a customer. */
public final class Input extends Base implements Comparable<Input> {
    private static final int MOST = 0x10;
    private final List<Order> orders = new ArrayList<>();

    enum State { OPEN, CLOSED(2); State(int... codes) {} }

    record Order(String name, double price) {}

    @Override
    public int compareTo(Input other) {
        return Integer.compare(orders.size(), other.orders.size());
    }

    public <T extends Number> void add(String name, T price) throws IllegalStateException {
        if (orders.size() >= MOST) {
            throw new IllegalStateException("too many: " + MOST);
        }
        synchronized (orders) {
            orders.add(new Order(name.trim(), price.doubleValue() * 1.19));
        }
    }

    double total(Map<String, Double> discounts) {
        double sum = 0;
        for (Order order : orders) {
            Double discount = discounts.get(order.name());
            sum += discount == null ? order.price() : order.price() * (1 - discount);
        }
        return sum;
    }

    public static void main(String[] args) {
        Input input = new Input();
        try {
            for (int i = 0; i < args.length; i++) {
                input.add(args[i], i + 1L);
            }
        } catch (IllegalStateException | NullPointerException error) {
            System.err.println("error: " + error.getMessage());
        } finally {
            System.out.printf("%.2f%n", input.total(Map.of("pear", 0.5)));
        }
        Runnable end = () -> System.exit(0);
        end.run();
    }
}

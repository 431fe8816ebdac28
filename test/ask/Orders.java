// Orders that expire: nested classes, a superclass, an enum, pools of threads and a method that goes wrong once.
public class Orders {
    enum State { OPEN, PAID, EXPIRED }

    static class Base {
        State state = State.OPEN;
    }

    static class Shop {
        static class Order extends Base {
            final int price;
            String customer;
            Order(int price, String customer) {
                this.price = price;
                this.customer = customer;
            }
        }
    }

    static int total(Shop.Order order, int shipping) {
        return order.price + shipping + (order.price == 30 ? 1 : 0); // the error
    }

    static void handle(Shop.Order order) {
        order.state = order.price == 20 ? State.EXPIRED : State.PAID;
        total(order, 10);
    }

    public static void main(String[] args) throws Exception {
        Shop.Order[] orders = { new Shop.Order(10, "anna"), new Shop.Order(20, "berta"), new Shop.Order(30, null) };
        for (int i = 0; i < orders.length; i++) {
            Shop.Order order = orders[i];
            Thread t = new Thread(() -> handle(order), "pool-" + i);
            t.start();
            t.join();
        }
        System.out.println(total(orders[0], 100));
    }
}

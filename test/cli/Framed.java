// Names as long as those of frameworks.
package com.acme.framework.orders.internal;

public class Framed {
    static class Order {
        int count = 5;
    }

    static class OrderService {
        int place(Order order, int stock) {
            if (order.count > stock)
                throw new IllegalStateException("there are " + stock + " of " + order.count + " that were ordered");
            return stock - order.count;
        }
    }

    static class OrderProcessingServiceImplementation {
        int reserve(Order order) { return order.count; }
    }

    public static void main(String[] args) {
        new OrderProcessingServiceImplementation().reserve(new Order());
        new OrderService().place(new Order(), 2);
    }
}

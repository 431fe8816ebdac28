// The app.jar of the pages (commands.py). With the property `wait` it ends when standard input does.
package com.acme;

import java.util.ArrayList;
import java.util.List;

public class Acme {
    static int count;

    static String login(String name, String password) {
        return password.isEmpty() ? null : "session of " + name;
    }

    public static void main(String[] args) throws Exception {
        Account account = new Account(7711);
        Cart cart = new Cart();
        System.out.println(login("ann", "not a word") + ", pin " + (account.pin > 0 ? "set" : "missing"));
        do {
            cart.add("pen");
            cart.add("ink");
            try {
                cart.pay(account);
            } catch (IllegalStateException e) {
                System.out.println("not paid: " + e.getMessage());
            }
            count++;
        } while (Boolean.getBoolean("wait") && System.in.read() != -1);
    }
}

class Account {
    final int pin;

    Account(int pin) {
        this.pin = pin;
    }
}

class Cart {
    final List<String> items = new ArrayList<>();

    void add(String item) {
        items.add(item);
    }

    int pay(Account account) {
        if (account.pin != 1234)
            throw new IllegalStateException("wrong pin for " + items.size() + " items, see http://acme.example");
        return items.size();
    }
}

package json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A value of JSON. */
abstract class Json {
    static final Json NULL = new Null();
    static final Json TRUE = new Bool(true);
    static final Json FALSE = new Bool(false);

    enum Type {
        NULL,
        BOOLEAN,
        NUMBER,
        STRING,
        ARRAY,
        OBJECT
    }

    static Json of(boolean value) {
        return value ? TRUE : FALSE;
    }

    static Json of(long value) {
        return new Num(BigDecimal.valueOf(value));
    }

    static Json of(BigDecimal value) {
        return new Num(value);
    }

    static Json of(String value) {
        return value == null ? NULL : new Text(value);
    }

    static Array array(Json... items) {
        Array array = new Array();
        for (Json item : items)
            array.add(item);
        return array;
    }

    static Obj object() {
        return new Obj();
    }

    static Json parse(String text) {
        return Parser.parse(text);
    }

    abstract Type type();

    abstract void write(Writer out);

    /** Containers are copied, whatever is in them too. */
    Json copy() {
        return this;
    }

    private JsonException not(String wanted) {
        return new JsonException(type() + " is no " + wanted);
    }

    String text() {
        throw not("text");
    }

    BigDecimal number() {
        throw not("number");
    }

    boolean truth() {
        throw not("boolean");
    }

    Array asArray() {
        throw not("array");
    }

    Obj asObject() {
        throw not("object");
    }

    boolean isContainer() {
        return false;
    }

    @Override
    public String toString() {
        Writer writer = new Writer(0);
        write(writer);
        return writer.toString();
    }

    String pretty() {
        Writer writer = new Writer(2);
        write(writer);
        return writer.toString();
    }

    private static final class Null extends Json {
        @Override
        Type type() {
            return Type.NULL;
        }

        @Override
        void write(Writer out) {
            out.raw("null");
        }
    }

    private static final class Bool extends Json {
        private final boolean value;

        Bool(boolean value) {
            this.value = value;
        }

        @Override
        Type type() {
            return Type.BOOLEAN;
        }

        @Override
        boolean truth() {
            return value;
        }

        @Override
        void write(Writer out) {
            out.raw(value ? "true" : "false");
        }
    }

    private static final class Num extends Json {
        private final BigDecimal value;

        Num(BigDecimal value) {
            this.value = value;
        }

        @Override
        Type type() {
            return Type.NUMBER;
        }

        @Override
        BigDecimal number() {
            return value;
        }

        @Override
        void write(Writer out) {
            out.raw(value.toString());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Num && value.compareTo(((Num) other).value) == 0;
        }

        @Override
        public int hashCode() {
            return value.stripTrailingZeros().hashCode();
        }
    }

    private static final class Text extends Json {
        private final String value;

        Text(String value) {
            this.value = value;
        }

        @Override
        Type type() {
            return Type.STRING;
        }

        @Override
        String text() {
            return value;
        }

        @Override
        void write(Writer out) {
            out.quoted(value);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Text && value.equals(((Text) other).value);
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }
    }

    static final class Array extends Json {
        private final List<Json> items = new ArrayList<>();

        @Override
        Type type() {
            return Type.ARRAY;
        }

        @Override
        Array asArray() {
            return this;
        }

        @Override
        boolean isContainer() {
            return true;
        }

        List<Json> items() {
            return items;
        }

        int size() {
            return items.size();
        }

        Json get(int index) {
            return items.get(index);
        }

        Array add(Json item) {
            items.add(Objects.requireNonNull(item));
            return this;
        }

        @Override
        Json copy() {
            Array copy = new Array();
            for (Json item : items)
                copy.add(item.copy());
            return copy;
        }

        @Override
        void write(Writer out) {
            out.begin('[');
            for (Json item : items) {
                out.next();
                item.write(out);
            }
            out.end(']');
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Array && items.equals(((Array) other).items);
        }

        @Override
        public int hashCode() {
            return items.hashCode();
        }
    }

    static final class Obj extends Json {
        private final Map<String, Json> members = new LinkedHashMap<>();

        @Override
        Type type() {
            return Type.OBJECT;
        }

        @Override
        Obj asObject() {
            return this;
        }

        @Override
        boolean isContainer() {
            return true;
        }

        Map<String, Json> members() {
            return members;
        }

        /** null: there is none. */
        Json get(String name) {
            return members.get(name);
        }

        Obj put(String name, Json value) {
            members.put(name, Objects.requireNonNull(value));
            return this;
        }

        @Override
        Json copy() {
            Obj copy = new Obj();
            for (Map.Entry<String, Json> member : members.entrySet())
                copy.put(member.getKey(), member.getValue().copy());
            return copy;
        }

        @Override
        void write(Writer out) {
            out.begin('{');
            for (Map.Entry<String, Json> member : members.entrySet()) {
                out.next();
                out.name(member.getKey());
                member.getValue().write(out);
            }
            out.end('}');
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Obj && members.equals(((Obj) other).members);
        }

        @Override
        public int hashCode() {
            return members.hashCode();
        }
    }
}

/**
 * Events that share a record keep their own values, order and places: loads around stores and increments, lines,
 * labels, constants.
 */
// agent: weave=ALL
// expect: METHOD_ENTRY SharedRecords.stored(* value -
// next: METHOD_PARAM SharedRecords.stored(* value 5
// next: METHOD_PARAM SharedRecords.stored(* value 7
// next: LABEL SharedRecords.stored(* pc 0 * value 0
// next: LINE_NUMBER SharedRecords.stored(* pc 0
// next: LOCAL_LOAD SharedRecords.stored(* value 5 *name=a
// next: LOCAL_STORE SharedRecords.stored(* value 5 *name=was
// next: LOCAL_LOAD SharedRecords.stored(* value 7 *name=b
// next: LOCAL_STORE SharedRecords.stored(* value 7 *name=a
// next: LOCAL_LOAD SharedRecords.stored(* value 7 *name=a
// next: LOCAL_STORE SharedRecords.stored(* value 19 *name=a
// next: LINE_NUMBER SharedRecords.stored(
// next: LOCAL_LOAD SharedRecords.stored(* value 19 *name=a
// next: METHOD_NORMAL_EXIT SharedRecords.stored(* value 19
// expect: METHOD_ENTRY SharedRecords.incremented(
// expect: LOCAL_LOAD SharedRecords.incremented(* value 40 *name=i
// next: LOCAL_INCREMENT SharedRecords.incremented(* value 41 *name=i
// next: LOCAL_INCREMENT SharedRecords.incremented(* value 42 *name=i
// next: LOCAL_LOAD SharedRecords.incremented(* value 42 *name=i
// next: LOCAL_LOAD SharedRecords.incremented(* value 42 *name=i
// next: METHOD_NORMAL_EXIT SharedRecords.incremented(* value 3404
// expect: METHOD_ENTRY SharedRecords.chained(
// expect: LOCAL_LOAD SharedRecords.chained(* value #*:SharedRecords *name=o
// next: GET_INSTANCE_FIELD SharedRecords.chained(* value #*:SharedRecords *name=next
// next: GET_INSTANCE_FIELD_RESULT SharedRecords.chained(* value #*:SharedRecords$Last *name=next
// next: GET_INSTANCE_FIELD SharedRecords.chained(* value #*:SharedRecords$Last *name=x
// next: GET_INSTANCE_FIELD_RESULT SharedRecords.chained(* value 12 *name=x
// next: LOCAL_LOAD SharedRecords.chained(* value 3 *name=k
// expect: METHOD_ENTRY SharedRecords.wide(
// expect: LOCAL_LOAD SharedRecords.wide(* value #*:long[] *name=a
// next: LOCAL_LOAD SharedRecords.wide(* value 1 *name=i
// next: LOCAL_LOAD SharedRecords.wide(* value 9000000000 *name=v
// next: ARRAY_STORE SharedRecords.wide(* value #*:long[]
// next: ARRAY_STORE_INDEX SharedRecords.wide(* value 1
// next: ARRAY_STORE_VALUE SharedRecords.wide(* value 9000000000
// expect: METHOD_ENTRY SharedRecords.created(
// expect: NEW_OBJECT SharedRecords.created(
// next: LOCAL_LOAD SharedRecords.created(* value 8 *name=x
// next: CALL SharedRecords.created(* value - *name=<init>
// next: CALL_PARAM SharedRecords.created(* value 8
// expect: METHOD_NORMAL_EXIT SharedRecords$Last.<init>(
// next: CALL_RETURN SharedRecords.created(* value -
// next: NEW_OBJECT_CREATED SharedRecords.created(* value #*:SharedRecords$Last
// expect: METHOD_ENTRY SharedRecords.thrown(
// expect: LINE_NUMBER SharedRecords.thrown(
// next: LOCAL_LOAD SharedRecords.thrown(* value 1 *name=a
// next: LOCAL_LOAD SharedRecords.thrown(* value 0 *name=b
// next: CATCH_LABEL SharedRecords.thrown(
// next: CATCH SharedRecords.thrown(* value #*:java.lang.ArithmeticException
// expect: METHOD_ENTRY SharedRecords.own(
// expect: LINE_NUMBER SharedRecords.own(
// next: GET_INSTANCE_FIELD SharedRecords.own(* value #*:SharedRecords$Last *name=x
// next: GET_INSTANCE_FIELD_RESULT SharedRecords.own(* value 8 *name=x
// next: LOCAL_LOAD SharedRecords.own(* value 2 *name=k
// expect: GET_STATIC_FIELD SharedRecords.counted(* value 5 *name=count
// next: PUT_STATIC_FIELD SharedRecords.counted(* value 6 *name=count
// expect: METHOD_ENTRY SharedRecords.cell(
// expect: LINE_NUMBER SharedRecords.cell(
// next: LOCAL_LOAD SharedRecords.cell(* value #*:long[][] *name=a
// next: LOCAL_LOAD SharedRecords.cell(* value 1 *name=i
// next: ARRAY_LOAD SharedRecords.cell(* value #*:long[][]
// next: ARRAY_LOAD_INDEX SharedRecords.cell(* value 1
// next: ARRAY_LOAD_RESULT SharedRecords.cell(* value #*:long[]
// next: LOCAL_LOAD SharedRecords.cell(* value 2 *name=j
// next: ARRAY_LOAD SharedRecords.cell(* value #*:long[]
// next: ARRAY_LOAD_INDEX SharedRecords.cell(* value 2
// next: ARRAY_LOAD_RESULT SharedRecords.cell(* value 77
// expect: METHOD_ENTRY SharedRecords.sums(
// expect: LOCAL_LOAD SharedRecords.sums(* value 2.5 *name=a
// next: LOCAL_LOAD SharedRecords.sums(* value 0.25 *name=b
// next: LOCAL_STORE SharedRecords.sums(* value 2.75 *name=c
// expect: LOCAL_LOAD SharedRecords.sums(* value 2.75 *name=c
// next: LOCAL_LOAD SharedRecords.sums(* value 2.5 *name=a
// next: LOCAL_STORE SharedRecords.sums(* value 6.875 *name=a
// agent: weave=LOCAL
// expect: LOCAL_LOAD SharedRecords.stored(* value 5 *name=a
// next: LOCAL_STORE SharedRecords.stored(* value 5 *name=was
// next: LOCAL_LOAD SharedRecords.stored(* value 7 *name=b
// next: LOCAL_STORE SharedRecords.stored(* value 7 *name=a
// next: LOCAL_LOAD SharedRecords.stored(* value 7 *name=a
// next: LOCAL_STORE SharedRecords.stored(* value 19 *name=a
// next: LOCAL_LOAD SharedRecords.stored(* value 19 *name=a
// agent: weave=LINE+LABEL
// expect: LABEL SharedRecords.stored(* pc 0 * value 0
// next: LINE_NUMBER SharedRecords.stored(* pc 0
// next: LINE_NUMBER SharedRecords.stored(
// never: LOCAL_LOAD
public class SharedRecords {
    int x = 12;
    SharedRecords next;

    static class Last extends SharedRecords {
        Last(int x) { this.x = x; }
    }

    static int stored(int a, int b) {
        int was = a; a = b; a = a + 12;
        return a;
    }
    static int incremented(int i) { return i++ + ++i * i * 2 - 164; }
    static int chained(SharedRecords o, int k) { return o.next.x + k; }
    static void wide(long[] a, int i, long v) { a[i] = v; }
    static Object created(int x) { return new Last(x); }
    static int thrown(int a, int b) {
        try {
            return a / b;
        } catch (ArithmeticException e) {
            return -1;
        }
    }

    int own(int k) { return x + k; }
    static int count = 5;
    static int counted() { return ++count; }
    static long cell(long[][] a, int i, int j) { return a[i][j]; }
    static double sums(double a, double b) {
        double c = a + b;
        a = c * a;
        return a;
    }

    public static void main(String[] args) {
        long[] longs = new long[2];
        SharedRecords first = new SharedRecords();
        first.next = new Last(12);
        wide(longs, 0, 1);
        System.out.println(stored(5, 7) + " " + incremented(40) + " " + chained(first, 3));
        wide(longs, 1, 9_000_000_000L);
        System.out.println(longs[1] + " " + ((Last) created(8)).x + " " + thrown(1, 0));
        System.out.println(new Last(8).own(2) + " " + counted() + " " + cell(new long[][] {{}, {0, 0, 77}}, 1, 2) + " "
            + sums(2.5, 0.25));
    }
}

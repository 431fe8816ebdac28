package java.lang;

import java.lang.ref.WeakReference;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What woven code calls: one event into the buffer of the current thread, about a nanosecond when the JIT has inlined it.
 *
 * The agent defines this class into the boot loader, in a package that every class loader and module can resolve. The
 * methods are those of weaver/hooks.def: the name is the shape of the values, `_r` the variant for events behind which the program
 * may release something to another thread. They store through Unsafe into the journal (formats/journal.h, whose layout the
 * constants below repeat: test/hooks.sh compares every one with C), and leave Java only when a buffer is full or an object shows for the
 * first time.
 *
 * They never allocate (but once for a class, see `remember`), lock, load a class or call woven code. References are turned into ids before the buffer is touched,
 * since describing a new object writes records of its own.
 *
 * Where the buffer is found: the address of the thread's descriptor lives in Thread.stackSize (in Thread.holder.stackSize on
 * newer JDKs), a field that nobody reads once the thread runs. Virtual threads have no holder; they use a descriptor of
 * the carrier they are mounted on, and tell it when the thread changes.
 *
 * Object ids: the identity hash in the object header is the id (counted down from 2^31 - 1), installed by us into headers that
 * have none yet, with the unused bit below the hash set to tell ours from those that the JVM made. The garbage collector
 * carries it, and System.identityHashCode returns it. Objects that the JVM hashed first, or that are met locked before
 * they have a hash, go through a table in native code.
 */
public final class HindsightHook {
    private HindsightHook() {}

    private static final Unsafe U = Unsafe.getUnsafe();

    // struct thread_desc
    private static final long POS = 0, LIMIT = 8, OBJECT_NEXT = 16, OBJECT_END = 20, GUEST = 24, TID = 32, CELLS = 48, NUMBER = 56, BUSY = 96, SUPERS = 120, SUPERS_LEFT = 124;

    private static final int REC_OBJECT = 0xffffff01;

    // logging/hook/shared.h
    private static final int FOR_AGENT = 1;
    private static final int SETTING_STAMP = 0, SETTING_MANY = 1, SETTING_TIMED = 2, SETTING_STRINGS = 3, SETTING_HANDED_OUT = 4, SETTING_EXCEPTIONS = 5,
        SETTING_VALUES = 6, SETTING_COUNTER_ROOM = 7, SETTING_SHAPES = 8;

    // addresses of the shared counter, and of the word that says whether more than one thread records
    private static final long STAMP = setting(SETTING_STAMP), MANY = setting(SETTING_MANY);
    private static final boolean TIMED = setting(SETTING_TIMED) != 0;
    private static final boolean STRINGS = setting(SETTING_STRINGS) != 0, EXCEPTIONS = setting(SETTING_EXCEPTIONS) != 0;
    private static final boolean VALUES = setting(SETTING_VALUES) != 0; // counts and times need no ids

    // counters of data IDs that come often (logging/aggregate/counters.h): 0 none, 1 they count, else they keep the last events, of so many; data IDs from
    // COUNTER_IDS on have none. Where counters keep events, those in records have numbers too. At SHAPES stands of each record how many events
    // it holds, and whether it begins or ends a call of this(...) or super(...): in between, negated counters are not written
    private static final int COUNTER_ROOM = (int) setting(SETTING_COUNTER_ROOM), COUNTER_IDS = 1 << 22, COUNTER_BYTES = 64, COUNTER_EVENTS = 8;
    private static final boolean NUMBERED = COUNTER_ROOM > 1;
    private static final long SHAPES = setting(SETTING_SHAPES);
    private static final int RECORD_EVENTS = 7, RECORD_SUPER = 8;

    // offsets of fields of Thread; HOLDER is 0 where stackSize is in Thread itself
    private static final long HOLDER, STACK_SIZE, CARRIER, THREAD_ID;
    private static final Class<?> VIRTUAL; // null where there are no virtual threads

    // the mark word: where the hash stands, and what an unlocked header with an id of ours looks like
    private static final int SHIFT;
    private static final long HASH = 0x7fffffffL, OURS_MASK, OURS, TAG;
    private static final int JVM_HASH_MAX = 1 << 27;

    static {
        Class<?> thread = Thread.class;
        long holder = 0, stack = 0, carrier = 0;
        Class<?> virtual = null;
        try {
            stack = U.objectFieldOffset(thread, "stackSize");
        } catch (InternalError e) {
            try {
                holder = U.objectFieldOffset(thread, "holder");
                stack = U.objectFieldOffset(Class.forName("java.lang.Thread$FieldHolder"), "stackSize");
                virtual = Class.forName("java.lang.VirtualThread");
                carrier = U.objectFieldOffset(virtual, "carrierThread");
            } catch (ClassNotFoundException | InternalError f) {
                unsupported("Thread has no field stackSize");
            }
        }
        HOLDER = holder;
        STACK_SIZE = stack;
        CARRIER = carrier;
        VIRTUAL = virtual;
        THREAD_ID = U.objectFieldOffset(thread, "tid");
        int shift = findShift();
        SHIFT = shift;
        TAG = shift > 0 ? 1L << (shift - 1) : 0;
        boolean readable = shift > 0 && readableWhenLocked(shift);
        OURS_MASK = shift > 0 ? TAG | (readable ? 2 : 7) : 0;
        OURS = shift > 0 ? TAG | (readable ? 0 : 1) : 1; // 0 & x == 1 is never true: then the table takes all
    }

    /**
     * Called once by the agent, before anything is woven: runs the initializer above, and links the native methods, since the
     * JVM looks for them with Java code of its own, which may be woven later. Descriptor 0 makes them do nothing. False: this
     * JVM cannot be recorded.
     */
    static boolean ready() {
        unsupported(null);
        enter(null);
        enterGuest(null, 0, 0);
        room(0, 0);
        moreIds(0);
        tableId(null, true, 0);
        weakly(null, 0);
        describeClass(null, 0);
        describeString(null, 0, 0, 0);
        describeThrowable(null, 0, 0, false, 0);
        recordTrigger(0, 0, false, 0, 0, 0, 0);
        requestSnapshot(null, 0, 0, false);
        return STACK_SIZE != 0;
    }

    /** Where the hash stands in the mark word: seen on objects that the JVM has just hashed. 0: not found. */
    private static int findShift() {
        int found = 0;
        for (int round = 0; round < 4; round++) {
            Object o = new Object();
            long before = U.getLong(o, 0L);
            int hash = System.identityHashCode(o);
            long after = U.getLong(o, 0L);
            int at = 0;
            for (int s = 3; s <= 33 && at == 0; s++)
                if ((after >>> s & HASH) == hash && (before >>> s & HASH) == 0 && (after ^ (long) hash << s) == before)
                    at = s;
            if (at < 4 || (after & 7) != 1 || (after & 1L << (at - 1)) != 0 || (found != 0 && found != at))
                return 0;
            found = at;
        }
        Object o = new Object();
        long mark = U.getLong(o, 0L);
        int mine = 0x7fffffff; // id 0, which is never used
        if (!U.compareAndSetLong(o, 0L, mark, mark | (long) mine << found | 1L << (found - 1)) || System.identityHashCode(o) != mine)
            return 0;
        return found;
    }

    /** Does the header keep its hash while the object is locked (lightweight locking of newer JVMs)? */
    private static boolean readableWhenLocked(int shift) {
        Object o = new Object();
        int hash = System.identityHashCode(o);
        synchronized (o) {
            return (U.getLong(o, 0L) & 3) == 0 && (U.getLong(o, 0L) >>> shift & HASH) == hash;
        }
    }

    // ---- native (logging/agent/hook_natives.c) --------------------------------------------------------------------------------
    private static native long setting(int which);
    private static native void unsupported(String why);
    /** The descriptor of a platform thread, the current one or its carrier, made on first use; 0 when nothing is to be recorded. */
    private static native long enter(Thread platform);
    /** The descriptor for the virtual thread `tid` on the carrier with descriptor `desc`. */
    private static native long enterGuest(Thread virtual, long tid, long desc);
    /**
     * A new buffer: the position of the next record, which begins with data ID `id`, or 0 when it is to be dropped. With FOR_AGENT added (a descriptor's address is
     * even): also while recording is stopped, since an object that has got its id must be described.
     */
    private static native long room(long desc, int id);
    /** Reserves ids for the descriptor; false when there are none left. */
    private static native boolean moreIds(long desc);
    /** The id of an object from the exact table: negative when it was given just now (0: ids are used up); with `peek` 0 if it is not there. */
    private static native long tableId(Object o, boolean peek, long desc);
    /** A WeakReference to it, or null. */
    private static native WeakReference<Class<?>> weakly(Class<?> c, long desc);
    private static native void describeClass(Class<?> c, int id);
    private static native void describeString(String s, int id, long classId, long desc);
    /** `again`: it is thrown, and known already; only what may have changed is looked at. */
    private static native void describeThrowable(Throwable t, int id, long classId, boolean again, long desc);
    /** The events of a hook call of which one begins or ends a capture window; values that there are not are 0. */
    private static native void recordTrigger(long desc, int id, boolean release, long a, long b, long c, long e);
    /** This exception was thrown, or is about to leave its thread: freeze=. */
    private static native void requestSnapshot(Throwable t, long id, long desc, boolean uncaught);

    // ---- the thread's descriptor -------------------------------------------------------------------------------------------
    /** 0: the thread has none yet, or nothing is to be recorded. */
    @ForceInline private static long desc() {
        Thread t = Thread.currentThread();
        Object fields = t;
        if (HOLDER != 0) {
            fields = U.getReference(t, HOLDER);
            if (fields == null)
                return guest(t);
        }
        return U.getLong(fields, STACK_SIZE);
    }

    private static long descOrBegin() {
        long d = desc();
        if (d != 0)
            return d;
        Thread t = Thread.currentThread();
        Object fields = HOLDER != 0 ? U.getReference(t, HOLDER) : t;
        return fields != null ? begin(t, fields) : 0;
    }

    @DontInline private static long begin(Thread platform, Object fields) {
        long d = enter(platform);
        U.putLong(fields, STACK_SIZE, d);
        return d;
    }

    @DontInline private static long guest(Thread virtual) {
        if (virtual.getClass() != VIRTUAL)
            return 0; // a native thread that is being attached: the JVM runs the constructor of its Thread on itself
        Object carrier = U.getReference(virtual, CARRIER);
        Object fields = carrier != null ? U.getReference(carrier, HOLDER) : null;
        if (fields == null)
            return 0; // being mounted or unmounted: no code of the program runs
        long d = U.getLong(fields, STACK_SIZE);
        if (d == 0) {
            d = begin((Thread) carrier, fields);
            if (d == 0)
                return 0;
        }
        long tid = U.getLong(virtual, THREAD_ID);
        long g = U.getLong(d + GUEST);
        return g != 0 && U.getLong(g + TID) == tid ? g : enterGuest(virtual, tid, d);
    }

    // ---- stamps (design: order) --------------------------------------------------------------------------------------------
    @ForceInline private static long stamp(boolean release) {
        return release && U.getLong(null, MANY) != 0 ? U.getAndAddLong(null, STAMP, 1) : U.getLong(null, STAMP);
    }

    // ---- records -----------------------------------------------------------------------------------------------------------
    // C1 gives a frame one word for each slot of max_stack, summed along the deepest chain of inlined methods, and one for each value
    // that lives across a call, never sharing them. A program that recurses deeply must not overflow the stack for our hooks.
    // So `put` is not forced in: C1 calls it, C2 inlines it where it is hot. It is shallow (the intrinsics of Unsafe with null, not
    // their short forms), and ends with its only call, where there is no room. test/jvm/DeepRecursion.java holds this.
    // Where there are counters, what has none takes the slow way: both in line made a loop twice as long, and its counters a jump away.
    private static final long HEAD = 8 + (TIMED ? 8 : 0) + (NUMBERED ? 8 : 0);

    @ForceInline private static void head(long d, long p, int id) {
        if (TIMED)
            U.putLong(null, p + 8, System.nanoTime());
        if (COUNTER_ROOM == 0)
            return;
        int shape = U.getByte(null, SHAPES + id);
        if (NUMBERED) {
            long number = U.getLong(null, d + NUMBER);
            U.putLong(null, p + HEAD - 8, number);
            U.putLong(null, d + NUMBER, number + (shape & RECORD_EVENTS));
        }
        if (shape > RECORD_EVENTS) {
            int supers = U.getInt(null, d + SUPERS);
            if ((shape & RECORD_SUPER) != 0)
                U.putInt(null, d + SUPERS, supers + 1);
            else if (supers != U.getInt(null, d + SUPERS_LEFT))
                U.putInt(null, d + SUPERS, supers - 1);
        }
    }

    /** The counter of the data ID, 0: its events become records. Negated: unless `calm`. */
    @ForceInline private static long counter(long d, int id) {
        return COUNTER_ROOM == 0 || id >= COUNTER_IDS || d == 0 ? 0 : U.getLong(null, U.getLong(null, d + CELLS) + 8L * id);
    }

    /** No constructor is in a call of this(...) or super(...). */
    @ForceInline private static boolean calm(long d) { return U.getInt(null, d + SUPERS) == U.getInt(null, d + SUPERS_LEFT); }

    private static final long ENTRY = TIMED ? 24 : 16;

    /** The size of an entry with so many values, a power of two, as its logarithm. */
    @ForceInline private static int stride(int values) { return TIMED ? values < 2 ? 5 : 6 : values == 0 ? 4 : values < 3 ? 5 : 6; }

    /** The counter's next entry, without its values, of which there are so many. */
    @ForceInline private static long entry(long d, long counter, boolean release, int values) {
        long number = U.getLong(null, d + NUMBER);
        long e = counter + COUNTER_BYTES + ((U.getLong(null, counter) & COUNTER_ROOM - 1) << stride(values));
        U.putLong(null, e, stamp(release));
        U.putLong(null, e + 8, number);
        if (TIMED)
            U.putLong(null, e + 16, System.nanoTime());
        U.putLong(null, d + NUMBER, number + U.getLong(null, counter + COUNTER_EVENTS));
        return e + ENTRY;
    }

    /** One more record in the counter: the entry is whole before it counts. */
    @ForceInline private static void keep(long d, long counter, boolean release) {
        if (NUMBERED)
            entry(d, counter, release, 0);
        U.putLong(null, counter, U.getLong(null, counter) + 1);
    }

    @ForceInline private static void keep(long d, long counter, boolean release, long a) {
        if (NUMBERED)
            U.putLong(null, entry(d, counter, release, 1), a);
        U.putLong(null, counter, U.getLong(null, counter) + 1);
    }

    @ForceInline private static void keep(long d, long counter, boolean release, long a, long b) {
        if (NUMBERED) {
            long e = entry(d, counter, release, 2);
            U.putLong(null, e, a);
            U.putLong(null, e + 8, b);
        }
        U.putLong(null, counter, U.getLong(null, counter) + 1);
    }

    @ForceInline private static void keep(long d, long counter, boolean release, long a, long b, long c) {
        if (NUMBERED) {
            long e = entry(d, counter, release, 3);
            U.putLong(null, e, a);
            U.putLong(null, e + 8, b);
            U.putLong(null, e + 16, c);
        }
        U.putLong(null, counter, U.getLong(null, counter) + 1);
    }

    @ForceInline private static void keep(long d, long counter, boolean release, long a, long b, long c, long v) {
        if (NUMBERED) {
            long e = entry(d, counter, release, 4);
            U.putLong(null, e, a);
            U.putLong(null, e + 8, b);
            U.putLong(null, e + 16, c);
            U.putLong(null, e + 24, v);
        }
        U.putLong(null, counter, U.getLong(null, counter) + 1);
    }

    private static void put(int id, boolean release) {
        long d = desc(), p, counter = counter(d, id);
        if (COUNTER_ROOM != 0 && counter > 0) {
            keep(d, counter, release);
            return;
        }
        if (COUNTER_ROOM != 0 && counter < 0 && calm(d)) { // not one path with the other: C2 would compute -counter in both
            keep(d, -counter, release);
            return;
        }
        if (COUNTER_ROOM != 0 || d == 0 || (p = U.getLong(null, d + POS)) >= U.getLong(null, d + LIMIT)) {
            if (release)
                slowly_r(id);
            else
                slowly(id);
            return;
        }
        U.putLong(null, p, stamp(release) << 32 | id);
        head(d, p, id);
        U.putLong(null, d + POS, p + HEAD);
    }

    private static void put(int id, boolean release, long a) {
        long d = desc(), p, counter = counter(d, id);
        if (COUNTER_ROOM != 0 && counter > 0) {
            keep(d, counter, release, a);
            return;
        }
        if (COUNTER_ROOM != 0 && counter < 0 && calm(d)) { // not one path with the other: C2 would compute -counter in both
            keep(d, -counter, release, a);
            return;
        }
        if (COUNTER_ROOM != 0 || d == 0 || (p = U.getLong(null, d + POS)) >= U.getLong(null, d + LIMIT)) {
            if (release)
                slowly_r(id, a);
            else
                slowly(id, a);
            return;
        }
        U.putLong(null, p, stamp(release) << 32 | id);
        head(d, p, id);
        U.putLong(null, p + HEAD, a);
        U.putLong(null, d + POS, p + HEAD + 8);
    }

    private static void put(int id, boolean release, long a, long b) {
        long d = desc(), p, counter = counter(d, id);
        if (COUNTER_ROOM != 0 && counter > 0) {
            keep(d, counter, release, a, b);
            return;
        }
        if (COUNTER_ROOM != 0 && counter < 0 && calm(d)) { // not one path with the other: C2 would compute -counter in both
            keep(d, -counter, release, a, b);
            return;
        }
        if (COUNTER_ROOM != 0 || d == 0 || (p = U.getLong(null, d + POS)) >= U.getLong(null, d + LIMIT)) {
            if (release)
                slowly_r(id, a, b);
            else
                slowly(id, a, b);
            return;
        }
        U.putLong(null, p, stamp(release) << 32 | id);
        head(d, p, id);
        U.putLong(null, p + HEAD, a);
        U.putLong(null, p + HEAD + 8, b);
        U.putLong(null, d + POS, p + HEAD + 16);
    }

    private static void put(int id, boolean release, long a, long b, long c) {
        long d = desc(), p, counter = counter(d, id);
        if (COUNTER_ROOM != 0 && counter > 0) {
            keep(d, counter, release, a, b, c);
            return;
        }
        if (COUNTER_ROOM != 0 && counter < 0 && calm(d)) { // not one path with the other: C2 would compute -counter in both
            keep(d, -counter, release, a, b, c);
            return;
        }
        if (COUNTER_ROOM != 0 || d == 0 || (p = U.getLong(null, d + POS)) >= U.getLong(null, d + LIMIT)) {
            if (release)
                slowly_r(id, a, b, c);
            else
                slowly(id, a, b, c);
            return;
        }
        U.putLong(null, p, stamp(release) << 32 | id);
        head(d, p, id);
        U.putLong(null, p + HEAD, a);
        U.putLong(null, p + HEAD + 8, b);
        U.putLong(null, p + HEAD + 16, c);
        U.putLong(null, d + POS, p + HEAD + 24);
    }

    private static void put(int id, boolean release, long a, long b, long c, long e) {
        long d = desc(), p, counter = counter(d, id);
        if (COUNTER_ROOM != 0 && counter > 0) {
            keep(d, counter, release, a, b, c, e);
            return;
        }
        if (COUNTER_ROOM != 0 && counter < 0 && calm(d)) { // not one path with the other: C2 would compute -counter in both
            keep(d, -counter, release, a, b, c, e);
            return;
        }
        if (COUNTER_ROOM != 0 || d == 0 || (p = U.getLong(null, d + POS)) >= U.getLong(null, d + LIMIT)) {
            if (release)
                slowly_r(id, a, b, c, e);
            else
                slowly(id, a, b, c, e);
            return;
        }
        U.putLong(null, p, stamp(release) << 32 | id);
        head(d, p, id);
        U.putLong(null, p + HEAD, a);
        U.putLong(null, p + HEAD + 8, b);
        U.putLong(null, p + HEAD + 16, c);
        U.putLong(null, p + HEAD + 24, e);
        U.putLong(null, d + POS, p + HEAD + 32);
    }

    @DontInline private static void slowly(int id) { slowly(id, false, 0, 0, 0, 0, 0); }
    @DontInline private static void slowly_r(int id) { slowly(id, true, 0, 0, 0, 0, 0); }
    @DontInline private static void slowly(int id, long a) { slowly(id, false, 1, a, 0, 0, 0); }
    @DontInline private static void slowly_r(int id, long a) { slowly(id, true, 1, a, 0, 0, 0); }
    @DontInline private static void slowly(int id, long a, long b) { slowly(id, false, 2, a, b, 0, 0); }
    @DontInline private static void slowly_r(int id, long a, long b) { slowly(id, true, 2, a, b, 0, 0); }
    @DontInline private static void slowly(int id, long a, long b, long c) { slowly(id, false, 3, a, b, c, 0); }
    @DontInline private static void slowly_r(int id, long a, long b, long c) { slowly(id, true, 3, a, b, c, 0); }
    @DontInline private static void slowly(int id, long a, long b, long c, long e) { slowly(id, false, 4, a, b, c, e); }
    @DontInline private static void slowly_r(int id, long a, long b, long c, long e) { slowly(id, true, 4, a, b, c, e); }

    /** The event of the first `n` values when the thread has no descriptor yet, or its buffer no room. */
    private static void slowly(int id, boolean release, int n, long a, long b, long c, long e) {
        long d = descOrBegin(), p = next(d, id);
        if (p == 0)
            return;
        U.putLong(p, stamp(release) << 32 | id);
        head(d, p, id);
        U.putLong(p + HEAD, a); // more than `n` does no harm: behind the limit there is room for the longest record
        U.putLong(p + HEAD + 8, b);
        U.putLong(p + HEAD + 16, c);
        U.putLong(p + HEAD + 24, e);
        U.putLong(d + POS, p + HEAD + 8L * n);
    }

    /** Where the next record goes; 0 when it is to be dropped. */
    private static long next(long d, int id) {
        long p = d != 0 ? U.getLong(d + POS) : 0;
        return d != 0 && p < U.getLong(d + LIMIT) ? p : room(d, id);
    }

    @ForceInline static long bits(float f) { return Float.floatToRawIntBits(f) & 0xffffffffL; }

    // ---- object ids --------------------------------------------------------------------------------------------------------
    @ForceInline static long ref(Object o) {
        if (!VALUES || o == null)
            return 0;
        long mark = U.getLong(o, 0L);
        return (mark & OURS_MASK) == OURS ? HASH - (mark >>> SHIFT & HASH) : assignId(o);
    }

    /**
     * Near the end of the stack any call may throw StackOverflowError. Between giving an id and describing the object that would
     * leave an object nobody knows the type of; so the stack is tried first, deeper than what follows needs.
     */
    @DontInline private static int tryStack(int frames) { return frames == 0 ? 0 : tryStack(frames - 1) + 1; }

    @DontInline private static long assignId(Object o) {
        long d = descOrBegin();
        if (d == 0 || U.getByte(d + BUSY) != 0)
            return 0;
        if (o instanceof Class) {
            long known = tableClass(o);
            if (known != 0)
                return known;
        }
        tryStack(o instanceof Class ? 50 : 8);
        // The class first: describing it needs the most stack. And its id is kept: once recording stops no id is told any more, and an object
        // that has got its own must be described.
        long type = o == Class.class ? 0 : ref(o.getClass());
        if (type == 0 && o != Class.class)
            return 0;
        boolean locked = false;
        int hash = 0;
        while (SHIFT != 0) {
            long mark = U.getLong(o, 0L);
            if ((mark & OURS_MASK) == OURS)
                return HASH - (mark >>> SHIFT & HASH);
            if ((mark & 7) != 1) { // locked: the header may be elsewhere
                hash = System.identityHashCode(o);
                if ((U.getLong(o, 0L) & 7) == 1)
                    continue; // not any more: the header tells
                locked = true;
                break;
            }
            if ((mark >>> SHIFT & HASH) != 0)
                break; // hashed by the JVM
            int id = U.getInt(d + OBJECT_NEXT);
            if (id == U.getInt(d + OBJECT_END)) {
                if (!moreIds(d))
                    break;
                continue;
            }
            if (U.compareAndSetLong(o, 0L, mark, mark | (HASH - id) << SHIFT | TAG)) {
                U.putInt(d + OBJECT_NEXT, id + 1);
                describe(o, id, type != 0 ? type : id, d);
                return id;
            }
        }
        // what a locked header hides is known from the hash, since ours are the great ones
        boolean maybeOurs = locked && hash > JVM_HASH_MAX && HASH - hash < setting(SETTING_HANDED_OUT);
        long id = tableId(o, maybeOurs, d);
        if (id == 0)
            return maybeOurs ? HASH - hash : 0;
        if (id < 0) {
            id = -id;
            describe(o, (int) id, type != 0 ? type : id, d);
        }
        if (o instanceof Class && SHIFT != 0)
            remember((Class<?>) o, (int) id, d);
        return id;
    }

    // Classes in the exact table. Every object that is met asks for the id of its class, and the JVM has hashed most of those first: its
    // archive holds class objects with a hash, and method types hash classes. A slot is claimed by its id and never changes; the place is
    // where the hash says. Weakly, that a class can still go.
    private static final int CLASS_SLOTS = 1 << 13, CLASS_TRIES = 8;
    private static final long CLASS_IDS = U.allocateMemory(4 * CLASS_SLOTS); // ints; offsets in arrays have other types on other JDKs
    private static final WeakReference<?>[] classes = new WeakReference<?>[CLASS_SLOTS];

    static { U.setMemory(CLASS_IDS, 4 * CLASS_SLOTS, (byte) 0); }

    /** The id of a class in the exact table if it is remembered, else 0. */
    @SuppressWarnings("unchecked")
    private static long tableClass(Object c) {
        int at = (int) (U.getLong(c, 0L) >>> SHIFT);
        for (int end = at + CLASS_TRIES; at != end; at++) {
            int slot = at & CLASS_SLOTS - 1, id = U.getInt(CLASS_IDS + 4L * slot);
            if (id == 0)
                return 0;
            WeakReference<?> r = classes[slot]; // null: it will be there soon
            if (r != null && ((WeakReference<Object>) r).refersTo(c))
                return id;
        }
        return 0;
    }

    private static void remember(Class<?> c, int id, long d) {
        long mark = U.getLong(c, 0L);
        if ((mark & 7) != 1)
            return; // locked: its hash may be elsewhere
        WeakReference<Class<?>> r = weakly(c, d);
        int at = (int) (mark >>> SHIFT);
        for (int end = at + CLASS_TRIES; r != null && at != end; at++) {
            int slot = at & CLASS_SLOTS - 1;
            long place = CLASS_IDS + 4L * slot;
            if (U.getInt(place) == 0 && U.compareAndSetInt(null, place, 0, id)) {
                U.storeFence();
                classes[slot] = r;
                return;
            }
        }
    }

    /** The id of what is thrown, described with what it has got since it was met. */
    static long refAgain(Object t) {
        long x = ref(t), d = descOrBegin();
        if (EXCEPTIONS && d != 0 && t != null && U.getByte(d + BUSY) == 0)
            describeThrowable((Throwable) t, (int) x, ref(t.getClass()), true, d);
        return x;
    }

    /** For HindsightHookTrigger. */
    static void trigger(int id, boolean release, long a, long b, long c) { trigger(id, release, a, b, c, 0); }

    static void trigger(int id, boolean release, long a, long b, long c, long e) {
        long d = descOrBegin();
        if (d != 0)
            recordTrigger(d, id, release, a, b, c, e);
    }

    /** Thread.dispatchUncaughtException calls it when the agent has put that there (freeze=uncaught). */
    public static void uncaught(Throwable t) { snapshotAtThrow(t, true); }

    /** For native code (freeze=CLASS). */
    private static void snapshotAtThrow(Throwable t, boolean uncaught) {
        long d = descOrBegin();
        if (d != 0)
            requestSnapshot(t, refAgain(t), d, uncaught);
    }

    /** For native code: the id of an object, described on first sight. */
    private static long idOf(Object o) { return ref(o); }

    /** What is known of an object without asking it anything; written before the event that shows it. */
    private static void describe(Object o, int id, long type, long d) {
        if (o instanceof Class)
            describeClass((Class<?>) o, id);
        if (STRINGS && o instanceof String)
            describeString((String) o, id, type, d);
        else
            record(id, type, d);
        if (EXCEPTIONS && o instanceof Throwable)
            describeThrowable((Throwable) o, id, type, false, d);
    }

    private static void record(int id, long classId, long d) {
        long p = U.getLong(d + POS);
        if (p >= U.getLong(d + LIMIT))
            p = room(d | FOR_AGENT, 0);
        if (p == 0)
            return;
        U.putLong(p, U.getLong(STAMP) << 32 | REC_OBJECT & 0xffffffffL);
        U.putLong(p + 8, id & 0xffffffffL | classId << 32);
        U.putLong(d + POS, p + 16);
    }

    // ---- hooks.def -----------------------------------------------------------------------------------------------------------
    @ForceInline public static void v(int id) { put(id, false); }
    @ForceInline public static void v_r(int id) { put(id, true); }
    @ForceInline public static void i(int a, int id) { put(id, false, a); }
    @ForceInline public static void i_r(int a, int id) { put(id, true, a); }
    @ForceInline public static void j(long a, int id) { put(id, false, a); }
    @ForceInline public static void j_r(long a, int id) { put(id, true, a); }
    @ForceInline public static void f(float a, int id) { put(id, false, bits(a)); }
    @ForceInline public static void f_r(float a, int id) { put(id, true, bits(a)); }
    @ForceInline public static void d(double a, int id) { put(id, false, Double.doubleToRawLongBits(a)); }
    @ForceInline public static void d_r(double a, int id) { put(id, true, Double.doubleToRawLongBits(a)); }
    @ForceInline public static void l(Object a, int id) { put(id, false, ref(a)); }
    @ForceInline public static void l_r(Object a, int id) { put(id, true, ref(a)); }
    @ForceInline public static void ii(int a, int b, int id) { put(id, false, a, b); }
    @ForceInline public static void ii_r(int a, int b, int id) { put(id, true, a, b); }
    @ForceInline public static void il(int a, Object b, int id) { put(id, false, a, ref(b)); }
    @ForceInline public static void il_r(int a, Object b, int id) { put(id, true, a, ref(b)); }
    @ForceInline public static void li(Object a, int b, int id) { put(id, false, ref(a), b); }
    @ForceInline public static void li_r(Object a, int b, int id) { put(id, true, ref(a), b); }
    @ForceInline public static void ll(Object a, Object b, int id) { put(id, false, ref(a), ref(b)); }
    @ForceInline public static void ll_r(Object a, Object b, int id) { put(id, true, ref(a), ref(b)); }
    @ForceInline public static void lj(Object a, long b, int id) { put(id, false, ref(a), b); }
    @ForceInline public static void lj_r(Object a, long b, int id) { put(id, true, ref(a), b); }
    @ForceInline public static void lf(Object a, float b, int id) { put(id, false, ref(a), bits(b)); }
    @ForceInline public static void lf_r(Object a, float b, int id) { put(id, true, ref(a), bits(b)); }
    @ForceInline public static void ld(Object a, double b, int id) { put(id, false, ref(a), Double.doubleToRawLongBits(b)); }
    @ForceInline public static void ld_r(Object a, double b, int id) { put(id, true, ref(a), Double.doubleToRawLongBits(b)); }
    @ForceInline public static void iii(int a, int b, int c, int id) { put(id, false, a, b, c); }
    @ForceInline public static void iii_r(int a, int b, int c, int id) { put(id, true, a, b, c); }
    @ForceInline public static void ili(int a, Object b, int c, int id) { put(id, false, a, ref(b), c); }
    @ForceInline public static void ili_r(int a, Object b, int c, int id) { put(id, true, a, ref(b), c); }
    @ForceInline public static void ill(int a, Object b, Object c, int id) { put(id, false, a, ref(b), ref(c)); }
    @ForceInline public static void ill_r(int a, Object b, Object c, int id) { put(id, true, a, ref(b), ref(c)); }
    @ForceInline public static void id(int a, double b, int id) { put(id, false, a, Double.doubleToRawLongBits(b)); }
    @ForceInline public static void id_r(int a, double b, int id) { put(id, true, a, Double.doubleToRawLongBits(b)); }
    @ForceInline public static void ij(int a, long b, int id) { put(id, false, a, b); }
    @ForceInline public static void ij_r(int a, long b, int id) { put(id, true, a, b); }
    @ForceInline public static void dd(double a, double b, int id) { put(id, false, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b)); }
    @ForceInline public static void dd_r(double a, double b, int id) { put(id, true, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b)); }
    @ForceInline public static void jj(long a, long b, int id) { put(id, false, a, b); }
    @ForceInline public static void jj_r(long a, long b, int id) { put(id, true, a, b); }
    @ForceInline public static void lli(Object a, Object b, int c, int id) { put(id, false, ref(a), ref(b), c); }
    @ForceInline public static void lli_r(Object a, Object b, int c, int id) { put(id, true, ref(a), ref(b), c); }
    @ForceInline public static void lll(Object a, Object b, Object c, int id) { put(id, false, ref(a), ref(b), ref(c)); }
    @ForceInline public static void lll_r(Object a, Object b, Object c, int id) { put(id, true, ref(a), ref(b), ref(c)); }
    @ForceInline public static void ddd(double a, double b, double c, int id) { put(id, false, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), Double.doubleToRawLongBits(c)); }
    @ForceInline public static void ddd_r(double a, double b, double c, int id) { put(id, true, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), Double.doubleToRawLongBits(c)); }
    @ForceInline public static void jjj(long a, long b, long c, int id) { put(id, false, a, b, c); }
    @ForceInline public static void jjj_r(long a, long b, long c, int id) { put(id, true, a, b, c); }
    @ForceInline public static void lii(Object a, int b, int c, int id) { put(id, false, ref(a), b, c); }
    @ForceInline public static void lii_r(Object a, int b, int c, int id) { put(id, true, ref(a), b, c); }
    @ForceInline public static void lij(Object a, int b, long c, int id) { put(id, false, ref(a), b, c); }
    @ForceInline public static void lij_r(Object a, int b, long c, int id) { put(id, true, ref(a), b, c); }
    @ForceInline public static void lif(Object a, int b, float c, int id) { put(id, false, ref(a), b, bits(c)); }
    @ForceInline public static void lif_r(Object a, int b, float c, int id) { put(id, true, ref(a), b, bits(c)); }
    @ForceInline public static void lid(Object a, int b, double c, int id) { put(id, false, ref(a), b, Double.doubleToRawLongBits(c)); }
    @ForceInline public static void lid_r(Object a, int b, double c, int id) { put(id, true, ref(a), b, Double.doubleToRawLongBits(c)); }
    @ForceInline public static void lil(Object a, int b, Object c, int id) { put(id, false, ref(a), b, ref(c)); }
    @ForceInline public static void lil_r(Object a, int b, Object c, int id) { put(id, true, ref(a), b, ref(c)); }
    @ForceInline public static void lili(Object a, int b, Object c, int e, int id) { put(id, false, ref(a), b, ref(c), e); }
    @ForceInline public static void lili_r(Object a, int b, Object c, int e, int id) { put(id, true, ref(a), b, ref(c), e); }
    @ForceInline public static void llll(Object a, Object b, Object c, Object e, int id) { put(id, false, ref(a), ref(b), ref(c), ref(e)); }
    @ForceInline public static void llll_r(Object a, Object b, Object c, Object e, int id) { put(id, true, ref(a), ref(b), ref(c), ref(e)); }

    /** A throw: the exception may have got a cause, or suppressed ones, since it was met. */
    public static void thrown(Object t, int id) { put(id, false, refAgain(t)); }
    public static void thrown_r(Object t, int id) { thrown(t, id); stamp(true); }

    /** An array of arrays just made: itself, then breadth first each owner with its elements. Dimensions left open are null. */
    public static void multi(Object array, int id) {
        put(id, false, ref(array));
        for (int depth = 0; owners(array, depth, id + 1, false); depth++) {}
    }
    public static void multi_r(Object array, int id) { multi(array, id); stamp(true); }

    /** Shows the arrays of arrays `depth` levels down; false when there are none. */
    static boolean owners(Object array, int depth, int id, boolean trigger) {
        if (!holdsArrays(array))
            return false;
        Object[] elements = (Object[]) array;
        if (depth > 0) {
            boolean any = false;
            for (Object e : elements)
                any |= owners(e, depth - 1, id, trigger);
            return any;
        }
        show(array, id, trigger);
        for (Object e : elements)
            show(e, id + 1, trigger);
        return true;
    }

    private static void show(Object o, int id, boolean trigger) {
        if (trigger)
            trigger(id, false, ref(o), 0, 0);
        else
            put(id, false, ref(o));
    }

    /** By type alone, and without calling a method that could be woven. */
    private static boolean holdsArrays(Object a) {
        return a instanceof Object[][] || a instanceof int[][] || a instanceof long[][] || a instanceof byte[][]
            || a instanceof char[][] || a instanceof short[][] || a instanceof boolean[][] || a instanceof float[][]
            || a instanceof double[][];
    }
}

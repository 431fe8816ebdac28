package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * The hooks of data IDs that begin or end a capture window (logstart=, logend=): they always leave Java, since native code
 * must take the stamp at which the window begins or ends and write the event as one. Joined values may be split there.
 */
public final class HindsightHookTrigger {
    private HindsightHookTrigger() {}

    @DontInline public static void v(int id) { HindsightHook.trigger(id, false, 0, 0, 0); }
    @DontInline public static void v_r(int id) { HindsightHook.trigger(id, true, 0, 0, 0); }
    @DontInline public static void i(int a, int id) { HindsightHook.trigger(id, false, a, 0, 0); }
    @DontInline public static void i_r(int a, int id) { HindsightHook.trigger(id, true, a, 0, 0); }
    @DontInline public static void j(long a, int id) { HindsightHook.trigger(id, false, a, 0, 0); }
    @DontInline public static void j_r(long a, int id) { HindsightHook.trigger(id, true, a, 0, 0); }
    @DontInline public static void f(float a, int id) { HindsightHook.trigger(id, false, HindsightHook.bits(a), 0, 0); }
    @DontInline public static void f_r(float a, int id) { HindsightHook.trigger(id, true, HindsightHook.bits(a), 0, 0); }
    @DontInline public static void d(double a, int id) { HindsightHook.trigger(id, false, Double.doubleToRawLongBits(a), 0, 0); }
    @DontInline public static void d_r(double a, int id) { HindsightHook.trigger(id, true, Double.doubleToRawLongBits(a), 0, 0); }
    @DontInline public static void l(Object a, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), 0, 0); }
    @DontInline public static void l_r(Object a, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), 0, 0); }
    @DontInline public static void ii(int a, int b, int id) { HindsightHook.trigger(id, false, a, b, 0); }
    @DontInline public static void ii_r(int a, int b, int id) { HindsightHook.trigger(id, true, a, b, 0); }
    @DontInline public static void il(int a, Object b, int id) { HindsightHook.trigger(id, false, a, HindsightHook.ref(b), 0); }
    @DontInline public static void il_r(int a, Object b, int id) { HindsightHook.trigger(id, true, a, HindsightHook.ref(b), 0); }
    @DontInline public static void li(Object a, int b, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), b, 0); }
    @DontInline public static void li_r(Object a, int b, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), b, 0); }
    @DontInline public static void ll(Object a, Object b, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), HindsightHook.ref(b), 0); }
    @DontInline public static void ll_r(Object a, Object b, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), HindsightHook.ref(b), 0); }
    @DontInline public static void lj(Object a, long b, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), b, 0); }
    @DontInline public static void lj_r(Object a, long b, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), b, 0); }
    @DontInline public static void lf(Object a, float b, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), HindsightHook.bits(b), 0); }
    @DontInline public static void lf_r(Object a, float b, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), HindsightHook.bits(b), 0); }
    @DontInline public static void ld(Object a, double b, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), Double.doubleToRawLongBits(b), 0); }
    @DontInline public static void ld_r(Object a, double b, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), Double.doubleToRawLongBits(b), 0); }
    @DontInline public static void iii(int a, int b, int c, int id) { HindsightHook.trigger(id, false, a, b, c); }
    @DontInline public static void iii_r(int a, int b, int c, int id) { HindsightHook.trigger(id, true, a, b, c); }
    @DontInline public static void ili(int a, Object b, int c, int id) { HindsightHook.trigger(id, false, a, HindsightHook.ref(b), c); }
    @DontInline public static void ili_r(int a, Object b, int c, int id) { HindsightHook.trigger(id, true, a, HindsightHook.ref(b), c); }
    @DontInline public static void ill(int a, Object b, Object c, int id) { HindsightHook.trigger(id, false, a, HindsightHook.ref(b), HindsightHook.ref(c)); }
    @DontInline public static void ill_r(int a, Object b, Object c, int id) { HindsightHook.trigger(id, true, a, HindsightHook.ref(b), HindsightHook.ref(c)); }
    @DontInline public static void id(int a, double b, int id) { HindsightHook.trigger(id, false, a, Double.doubleToRawLongBits(b), 0); }
    @DontInline public static void id_r(int a, double b, int id) { HindsightHook.trigger(id, true, a, Double.doubleToRawLongBits(b), 0); }
    @DontInline public static void ij(int a, long b, int id) { HindsightHook.trigger(id, false, a, b, 0); }
    @DontInline public static void ij_r(int a, long b, int id) { HindsightHook.trigger(id, true, a, b, 0); }
    @DontInline public static void dd(double a, double b, int id) { HindsightHook.trigger(id, false, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), 0); }
    @DontInline public static void dd_r(double a, double b, int id) { HindsightHook.trigger(id, true, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), 0); }
    @DontInline public static void jj(long a, long b, int id) { HindsightHook.trigger(id, false, a, b, 0); }
    @DontInline public static void jj_r(long a, long b, int id) { HindsightHook.trigger(id, true, a, b, 0); }
    @DontInline public static void lli(Object a, Object b, int c, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), HindsightHook.ref(b), c); }
    @DontInline public static void lli_r(Object a, Object b, int c, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), HindsightHook.ref(b), c); }
    @DontInline public static void lll(Object a, Object b, Object c, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), HindsightHook.ref(b), HindsightHook.ref(c)); }
    @DontInline public static void lll_r(Object a, Object b, Object c, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), HindsightHook.ref(b), HindsightHook.ref(c)); }
    @DontInline public static void ddd(double a, double b, double c, int id) { HindsightHook.trigger(id, false, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), Double.doubleToRawLongBits(c)); }
    @DontInline public static void ddd_r(double a, double b, double c, int id) { HindsightHook.trigger(id, true, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), Double.doubleToRawLongBits(c)); }
    @DontInline public static void jjj(long a, long b, long c, int id) { HindsightHook.trigger(id, false, a, b, c); }
    @DontInline public static void jjj_r(long a, long b, long c, int id) { HindsightHook.trigger(id, true, a, b, c); }
    @DontInline public static void lii(Object a, int b, int c, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), b, c); }
    @DontInline public static void lii_r(Object a, int b, int c, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), b, c); }
    @DontInline public static void lij(Object a, int b, long c, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), b, c); }
    @DontInline public static void lij_r(Object a, int b, long c, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), b, c); }
    @DontInline public static void lif(Object a, int b, float c, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), b, HindsightHook.bits(c)); }
    @DontInline public static void lif_r(Object a, int b, float c, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), b, HindsightHook.bits(c)); }
    @DontInline public static void lid(Object a, int b, double c, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), b, Double.doubleToRawLongBits(c)); }
    @DontInline public static void lid_r(Object a, int b, double c, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), b, Double.doubleToRawLongBits(c)); }
    @DontInline public static void lil(Object a, int b, Object c, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), b, HindsightHook.ref(c)); }
    @DontInline public static void lil_r(Object a, int b, Object c, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), b, HindsightHook.ref(c)); }
    @DontInline public static void lili(Object a, int b, Object c, int e, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), b, HindsightHook.ref(c), e); }
    @DontInline public static void lili_r(Object a, int b, Object c, int e, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), b, HindsightHook.ref(c), e); }
    @DontInline public static void llll(Object a, Object b, Object c, Object e, int id) { HindsightHook.trigger(id, false, HindsightHook.ref(a), HindsightHook.ref(b), HindsightHook.ref(c), HindsightHook.ref(e)); }
    @DontInline public static void llll_r(Object a, Object b, Object c, Object e, int id) { HindsightHook.trigger(id, true, HindsightHook.ref(a), HindsightHook.ref(b), HindsightHook.ref(c), HindsightHook.ref(e)); }
    @DontInline public static void thrown(Object a, int id) { HindsightHook.trigger(id, false, HindsightHook.refAgain(a), 0, 0); }
    @DontInline public static void thrown_r(Object a, int id) { HindsightHook.trigger(id, true, HindsightHook.refAgain(a), 0, 0); }
    @DontInline public static void multi(Object a, int id) { multi(a, false, id); }
    @DontInline public static void multi_r(Object a, int id) { multi(a, true, id); }

    private static void multi(Object array, boolean release, int id) {
        HindsightHook.trigger(id, release, HindsightHook.ref(array), 0, 0);
        for (int depth = 0; HindsightHook.owners(array, depth, id + 1, true); depth++) {}
    }
}

package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * The hooks of HindsightHook, not inlined: for methods with so many of them that the JIT would give up on the method
 * (C1 above about 150). A call costs a few nanoseconds more than an inlined hook, and far less than the interpreter.
 */
public final class HindsightHookOutline {
    private HindsightHookOutline() {}

    @DontInline public static void v(int id) { HindsightHook.v(id); }
    @DontInline public static void v_r(int id) { HindsightHook.v_r(id); }
    @DontInline public static void i(int a, int id) { HindsightHook.i(a, id); }
    @DontInline public static void i_r(int a, int id) { HindsightHook.i_r(a, id); }
    @DontInline public static void j(long a, int id) { HindsightHook.j(a, id); }
    @DontInline public static void j_r(long a, int id) { HindsightHook.j_r(a, id); }
    @DontInline public static void f(float a, int id) { HindsightHook.f(a, id); }
    @DontInline public static void f_r(float a, int id) { HindsightHook.f_r(a, id); }
    @DontInline public static void d(double a, int id) { HindsightHook.d(a, id); }
    @DontInline public static void d_r(double a, int id) { HindsightHook.d_r(a, id); }
    @DontInline public static void l(Object a, int id) { HindsightHook.l(a, id); }
    @DontInline public static void l_r(Object a, int id) { HindsightHook.l_r(a, id); }
    @DontInline public static void ii(int a, int b, int id) { HindsightHook.ii(a, b, id); }
    @DontInline public static void ii_r(int a, int b, int id) { HindsightHook.ii_r(a, b, id); }
    @DontInline public static void il(int a, Object b, int id) { HindsightHook.il(a, b, id); }
    @DontInline public static void il_r(int a, Object b, int id) { HindsightHook.il_r(a, b, id); }
    @DontInline public static void li(Object a, int b, int id) { HindsightHook.li(a, b, id); }
    @DontInline public static void li_r(Object a, int b, int id) { HindsightHook.li_r(a, b, id); }
    @DontInline public static void ll(Object a, Object b, int id) { HindsightHook.ll(a, b, id); }
    @DontInline public static void ll_r(Object a, Object b, int id) { HindsightHook.ll_r(a, b, id); }
    @DontInline public static void lj(Object a, long b, int id) { HindsightHook.lj(a, b, id); }
    @DontInline public static void lj_r(Object a, long b, int id) { HindsightHook.lj_r(a, b, id); }
    @DontInline public static void lf(Object a, float b, int id) { HindsightHook.lf(a, b, id); }
    @DontInline public static void lf_r(Object a, float b, int id) { HindsightHook.lf_r(a, b, id); }
    @DontInline public static void ld(Object a, double b, int id) { HindsightHook.ld(a, b, id); }
    @DontInline public static void ld_r(Object a, double b, int id) { HindsightHook.ld_r(a, b, id); }
    @DontInline public static void iii(int a, int b, int c, int id) { HindsightHook.iii(a, b, c, id); }
    @DontInline public static void iii_r(int a, int b, int c, int id) { HindsightHook.iii_r(a, b, c, id); }
    @DontInline public static void ili(int a, Object b, int c, int id) { HindsightHook.ili(a, b, c, id); }
    @DontInline public static void ili_r(int a, Object b, int c, int id) { HindsightHook.ili_r(a, b, c, id); }
    @DontInline public static void ill(int a, Object b, Object c, int id) { HindsightHook.ill(a, b, c, id); }
    @DontInline public static void ill_r(int a, Object b, Object c, int id) { HindsightHook.ill_r(a, b, c, id); }
    @DontInline public static void id(int a, double b, int id) { HindsightHook.id(a, b, id); }
    @DontInline public static void id_r(int a, double b, int id) { HindsightHook.id_r(a, b, id); }
    @DontInline public static void ij(int a, long b, int id) { HindsightHook.ij(a, b, id); }
    @DontInline public static void ij_r(int a, long b, int id) { HindsightHook.ij_r(a, b, id); }
    @DontInline public static void dd(double a, double b, int id) { HindsightHook.dd(a, b, id); }
    @DontInline public static void dd_r(double a, double b, int id) { HindsightHook.dd_r(a, b, id); }
    @DontInline public static void jj(long a, long b, int id) { HindsightHook.jj(a, b, id); }
    @DontInline public static void jj_r(long a, long b, int id) { HindsightHook.jj_r(a, b, id); }
    @DontInline public static void lli(Object a, Object b, int c, int id) { HindsightHook.lli(a, b, c, id); }
    @DontInline public static void lli_r(Object a, Object b, int c, int id) { HindsightHook.lli_r(a, b, c, id); }
    @DontInline public static void lll(Object a, Object b, Object c, int id) { HindsightHook.lll(a, b, c, id); }
    @DontInline public static void lll_r(Object a, Object b, Object c, int id) { HindsightHook.lll_r(a, b, c, id); }
    @DontInline public static void ddd(double a, double b, double c, int id) { HindsightHook.ddd(a, b, c, id); }
    @DontInline public static void ddd_r(double a, double b, double c, int id) { HindsightHook.ddd_r(a, b, c, id); }
    @DontInline public static void jjj(long a, long b, long c, int id) { HindsightHook.jjj(a, b, c, id); }
    @DontInline public static void jjj_r(long a, long b, long c, int id) { HindsightHook.jjj_r(a, b, c, id); }
    @DontInline public static void lii(Object a, int b, int c, int id) { HindsightHook.lii(a, b, c, id); }
    @DontInline public static void lii_r(Object a, int b, int c, int id) { HindsightHook.lii_r(a, b, c, id); }
    @DontInline public static void lij(Object a, int b, long c, int id) { HindsightHook.lij(a, b, c, id); }
    @DontInline public static void lij_r(Object a, int b, long c, int id) { HindsightHook.lij_r(a, b, c, id); }
    @DontInline public static void lif(Object a, int b, float c, int id) { HindsightHook.lif(a, b, c, id); }
    @DontInline public static void lif_r(Object a, int b, float c, int id) { HindsightHook.lif_r(a, b, c, id); }
    @DontInline public static void lid(Object a, int b, double c, int id) { HindsightHook.lid(a, b, c, id); }
    @DontInline public static void lid_r(Object a, int b, double c, int id) { HindsightHook.lid_r(a, b, c, id); }
    @DontInline public static void lil(Object a, int b, Object c, int id) { HindsightHook.lil(a, b, c, id); }
    @DontInline public static void lil_r(Object a, int b, Object c, int id) { HindsightHook.lil_r(a, b, c, id); }
    @DontInline public static void lili(Object a, int b, Object c, int e, int id) { HindsightHook.lili(a, b, c, e, id); }
    @DontInline public static void lili_r(Object a, int b, Object c, int e, int id) { HindsightHook.lili_r(a, b, c, e, id); }
    @DontInline public static void llll(Object a, Object b, Object c, Object e, int id) { HindsightHook.llll(a, b, c, e, id); }
    @DontInline public static void llll_r(Object a, Object b, Object c, Object e, int id) { HindsightHook.llll_r(a, b, c, e, id); }
    @DontInline public static void thrown(Object a, int id) { HindsightHook.thrown(a, id); }
    @DontInline public static void thrown_r(Object a, int id) { HindsightHook.thrown_r(a, id); }
    @DontInline public static void multi(Object a, int id) { HindsightHook.multi(a, id); }
    @DontInline public static void multi_r(Object a, int id) { HindsightHook.multi_r(a, id); }
}

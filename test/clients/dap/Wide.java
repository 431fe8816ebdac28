// More names on a line, breakpoints at a place and causes of an exception than one would think of.
public class Wide {
    static int sum(int from) {
        from++; // all of them
        int a = from + 0, b = from + 1, c = from + 2, d = from + 3, e = from + 4, f = from + 5;
        int g = from + 6, h = from + 7;
        int i = from + 8, j = from + 9, k = from + 10, l = from + 11, m = from + 12, n = from + 13;
        int o = from + 14, p = from + 15;
        int q = from + 16, r = from + 17, s = from + 18, t = from + 19, u = from + 20, v = from + 21;
        int w = from + 22, x = from + 23;
        int y = from + 24, z = from + 25, A = from + 26, B = from + 27, C = from + 28, D = from + 29;
        int E = from + 30, F = from + 31;
        int G = from + 32, H = from + 33, I = from + 34, J = from + 35, K = from + 36, L = from + 37;
        int M = from + 38, N = from + 39;
        int O = from + 40, P = from + 41, Q = from + 42, R = from + 43, S = from + 44, T = from + 45;
        int U = from + 46, V = from + 47;
        int W = from + 48, X = from + 49, Y = from + 50, Z = from + 51;
        return a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y+z+A+B+C+D+E+F+G+H+I+J+K+L+M+N+O+P+Q+R+S+T+U+V+W+X+Y+Z;
    }
    static RuntimeException caused(int depth) {
        return new RuntimeException("cause " + depth, depth == 0 ? null : caused(depth - 1));
    }
    public static void main(String[] args) {
        System.out.println(sum(1));
        try {
            throw caused(25);
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }
}

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import org.apache.catalina.Context;

/** A Tomcat with one servlet. Its argument is its directory. Prints its port; ends with its standard input. */
public class Tomcat {
    public static void main(String[] args) throws Exception {
        org.apache.catalina.startup.Tomcat server = new org.apache.catalina.startup.Tomcat();
        Shop shop = new Shop();
        server.setBaseDir(args[0]);
        server.setPort(0);
        server.getConnector().setProperty("address", "127.0.0.1");
        server.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = server.addContext("", new File(args[0]).getAbsolutePath());
        org.apache.catalina.startup.Tomcat.addServlet(context, "shop", new HttpServlet() {
            @Override protected void doGet(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                response.setContentType("text/plain");
                response.getWriter().write(shop.order(request.getQueryString()));
            }
        });
        context.addServletMappingDecoded("/order", "shop");
        server.start();
        System.out.println("port " + server.getConnector().getLocalPort());
        while (System.in.read() >= 0) { }
        server.stop();
        server.destroy();
    }
}

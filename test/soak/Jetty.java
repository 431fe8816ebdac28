import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;

/** A Jetty with one handler. Prints its port; ends with its standard input. */
public class Jetty {
    public static void main(String[] args) throws Exception {
        Server server = new Server();
        Shop shop = new Shop();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new AbstractHandler() {
            @Override public void handle(String target, Request base, HttpServletRequest request,
                    HttpServletResponse response) throws IOException {
                response.setContentType("text/plain");
                response.getWriter().write(shop.order(request.getQueryString()));
                base.setHandled(true);
            }
        });
        server.start();
        System.out.println("port " + connector.getLocalPort());
        while (System.in.read() >= 0) { }
        server.stop();
    }
}

package io.sluice.loadtest.experiments.peer;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;

/** The paths of items and orders, with the same answers as {@link ItemHandler}'s. */
public final class ItemServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Endpoint endpoint;

    private ItemServlet(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Answers a request on its thread. */
    @FunctionalInterface
    private interface Endpoint {
        void answer(HttpServletRequest request, HttpServletResponse response)
                throws SQLException, IOException;
    }

    /** Creates the servlets by their paths. */
    public static Map<String, HttpServlet> all(ItemDatabase database) {
        return Map.of(
                "/rows/*", new ItemServlet((request, response) ->
                        write(response, database.item(Long.parseLong(request.getPathInfo().substring(1))))),
                "/rows", new ItemServlet((request, response) ->
                        database.hundred(after(request), response.getOutputStream())),
                "/export", new ItemServlet((request, response) ->
                        database.tenThousand(after(request), response.getOutputStream())),
                "/orders", new ItemServlet((request, response) ->
                        write(response, database.insert(ItemJson.order(request.getInputStream())))));
    }

    private static long after(HttpServletRequest request) {
        return Long.parseLong(request.getParameter("after"));
    }

    private static void write(HttpServletResponse response, Answer answer) throws IOException {
        var body = answer.body().getBytes(StandardCharsets.US_ASCII);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(Answer.JSON);
        try {
            endpoint.answer(request, response);
        } catch (SQLException e) {
            throw new IOException(e); // which Tomcat answers with 500
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        doGet(request, response);
    }
}

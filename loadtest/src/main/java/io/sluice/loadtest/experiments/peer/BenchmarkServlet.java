package io.sluice.loadtest.experiments.peer;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One of the benchmark endpoints. Delays and queries block the request's thread. */
public final class BenchmarkServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final int MIXED_MILLIS = 50;

    private final transient Endpoint endpoint;

    private BenchmarkServlet(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Computes the response to a request. */
    @FunctionalInterface
    private interface Endpoint {
        Answer answer(HttpServletRequest request) throws Exception;
    }

    /** Creates the servlets by their paths. */
    public static Map<String, HttpServlet> all(SleepyDatabase database) {
        return Map.of(
                "/benchmark/hello", new BenchmarkServlet(_ -> Answer.HELLO),
                "/benchmark/cpu", new BenchmarkServlet(request -> Answer.fibonacci(number(request, "n"))),
                "/benchmark/cpu-heavy",
                new BenchmarkServlet(request -> Answer.primes(number(request, "limit"))),
                "/benchmark/latency", new BenchmarkServlet(request -> {
                    int millis = number(request, "ms");
                    Thread.sleep(millis); // blocks the request's thread, as usual in such a server
                    return Answer.delayed(millis);
                }),
                "/benchmark/mixed", new BenchmarkServlet(_ -> {
                    var answer = Answer.mixed(MIXED_MILLIS);
                    Thread.sleep(MIXED_MILLIS); // as above
                    return answer;
                }),
                "/benchmark/jdbc",
                new BenchmarkServlet(request -> database.sleep(number(request, "ms"))));
    }

    private static int number(HttpServletRequest request, String name) {
        return Integer.parseInt(request.getParameter(name));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            var answer = endpoint.answer(request);
            var body = answer.body().getBytes(StandardCharsets.US_ASCII);
            response.setContentType(answer.type());
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        } catch (Exception e) {
            throw new IOException(e); // which Tomcat answers with 500
        }
    }
}

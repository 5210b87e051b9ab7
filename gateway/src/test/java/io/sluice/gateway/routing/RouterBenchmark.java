package io.sluice.gateway.routing;

import io.netty.handler.codec.http.HttpMethod;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of finding a route among few or many. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class RouterBenchmark {
    @Param({"10", "500"})
    int routes;

    private Router router;
    private String literal;
    private String template;
    private String deep;
    private String none;
    /** A path without a route. Each segment is a literal of some route and a capture of another one. */
    private String deadEnd;

    @Setup
    public void setup() {
        router = new Router(IntStream.range(0, routes).boxed().flatMap(i -> Stream.of(
                route("/service%03d/health".formatted(i)), route("/service%03d/{id}".formatted(i)),
                route("/{a}/item%03d/{b}/end".formatted(i)),
                route("/api/v1/tenants/tenant%03d/projects/main/issues/{id}".formatted(i)))).toList());
        int last = routes - 1;
        literal = "/service%03d/health".formatted(last);
        template = "/service%03d/4711".formatted(last);
        deep = "/api/v1/tenants/tenant%03d/projects/main/issues/4711".formatted(last);
        none = "/nothing/of/the/kind";
        deadEnd = "/service%03d/item%03d/4711/nowhere".formatted(last, last);
    }

    private static Route route(String path) {
        return new Route(path, PathTemplate.parse(path), Set.of(Method.GET), "test", _ -> { });
    }

    @Benchmark
    public RouteMatch literal() {
        return router.find(HttpMethod.GET, literal);
    }

    @Benchmark
    public RouteMatch template() {
        return router.find(HttpMethod.GET, template);
    }

    @Benchmark
    public RouteMatch deep() {
        return router.find(HttpMethod.GET, deep);
    }

    @Benchmark
    public RouteMatch none() {
        return router.find(HttpMethod.GET, none);
    }

    @Benchmark
    public RouteMatch deadEnd() {
        return router.find(HttpMethod.GET, deadEnd);
    }
}

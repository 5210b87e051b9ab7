package io.sluice.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouterTest {
    private final Router router = new Router(routes("/", "/a", "/a/b", "/a/{x}", "/a/{x}/c", "/a/{x}/{y}/d",
            "/a/b/e", "/f/**", "/f/g", "/f/{x}/h", "/{x}/y", "/größe/😀", "/m/{a}/{b}/{c}/{d}/{e}/**"));

    @ParameterizedTest
    @CsvSource({
        "/,                 /,               x,",
        "/a,                /a,              x,",
        "/a/b,              /a/b,            x,",
        "/a/B,              /a/{x},          x, B",
        "/a/bb,             /a/{x},          x, bb",
        "/a/b/c,            /a/{x}/c,        x, b",
        "/a/b/e,            /a/b/e,          x,",
        "/a/b/e/d,          /a/{x}/{y}/d,    y, e",
        "/a/a%2Fb,          /a/{x},          x, a/b",
        "/a/100%25,         /a/{x},          x, 100%",
        "/a/%252F,          /a/{x},          x, %2F",
        "/a/y,              /a/{x},          x, y",
        "/z/y,              /{x}/y,          x, z",
        "/f,                /f/**,           **, ''",
        "/f/,               /f/**,           **, ''",
        "/f/g,              /f/g,            x,",
        "/f/g/,             /f/**,           **, g/",
        "/f/g/h,            /f/{x}/h,        x, g",
        "/f/g/h/i%2Fj,      /f/**,           **, g/h/i/j",
        "/f/y,              /f/**,           **, y",
        "/größe/😀,          /größe/😀,        x,",
        "/m/1/2/3/4/5,      /m/{a}/{b}/{c}/{d}/{e}/**,    e, 5",
        "/m/1/2/3/4/5/6/7,  /m/{a}/{b}/{c}/{d}/{e}/**,    **, 6/7",
    })
    void findsTheMostLiteralRoute(String path, String template, String name, String captured) {
        RouteMatch match = router.find(HttpMethod.GET, path);

        assertThat(match.route().name()).isEqualTo(template);
        assertThat(match.capture(name)).isEqualTo(captured);
    }

    @ParameterizedTest
    @CsvSource({"/b", "/a/", "/a/b/", "/a/b/c/", "/a//c", "/größe", "/A", "/m/1/2/3/4", "/z/y/", "/z/"})
    void findsNothingForOtherPaths(String path) {
        RouteMatch match = router.find(HttpMethod.GET, path);

        assertThat(match.route()).isNull();
        assertThat(match.allowed()).isNull();
    }

    @Test
    void answersHeadWithTheRouteForGetUnlessThereIsOneForHead() {
        Route get = route("/a", Method.GET);
        Route head = route("/a", Method.HEAD);

        assertThat(new Router(List.of(get)).find(HttpMethod.HEAD, "/a").route()).isSameAs(get);
        assertThat(new Router(List.of(get, head)).find(HttpMethod.HEAD, "/a").route()).isSameAs(head);
        assertThat(new Router(List.of(head, get)).find(HttpMethod.HEAD, "/a").route()).isSameAs(head);
        assertThat(new Router(List.of(head, get)).find(HttpMethod.GET, "/a").route()).isSameAs(get);
    }

    @Test
    void mismatchOfTheMethodListsTheAllowedOnes() {
        var methods = new Router(List.of(route("/a", Method.GET), route("/{x}", Method.PUT),
                route("/b", Method.POST)));

        assertThat(methods.find(HttpMethod.DELETE, "/a").allowed())
                .containsExactlyInAnyOrder(Method.OPTIONS, Method.GET, Method.HEAD, Method.PUT);
        assertThat(methods.find(HttpMethod.OPTIONS, "/b").allowed())
                .containsExactlyInAnyOrder(Method.OPTIONS, Method.POST, Method.PUT);
        assertThat(methods.find(HttpMethod.valueOf("BREW"), "/c").allowed())
                .containsExactlyInAnyOrder(Method.OPTIONS, Method.PUT);
        assertThat(methods.find(HttpMethod.TRACE, "/c/d").allowed()).isNull();
    }

    @Test
    void takesALessLiteralRouteWhereTheOtherIsForOtherMethods() {
        Route put = route("/{x}", Method.PUT);

        assertThat(new Router(List.of(route("/a", Method.GET), put)).find(HttpMethod.PUT, "/a").route())
                .isSameAs(put);
    }

    @Test
    void takesTheRouteForAnyMethodWhereNoneOfThePathNamesIt() {
        Route any = route("/a", Method.ANY);
        Route get = route("/a", Method.GET);
        Route query = route("/a", new Method("QUERY"));
        for (List<Route> routes : List.of(List.of(any, get, query), List.of(query, get, any))) {
            var tried = new Router(routes);

            assertThat(tried.find(HttpMethod.GET, "/a").route()).isSameAs(get);
            assertThat(tried.find(HttpMethod.HEAD, "/a").route()).isSameAs(get);
            assertThat(tried.find(HttpMethod.valueOf("QUERY"), "/a").route()).isSameAs(query);
            assertThat(tried.find(HttpMethod.POST, "/a").route()).isSameAs(any);
            assertThat(tried.find(HttpMethod.OPTIONS, "/a").route()).isSameAs(any);
            assertThat(tried.find(HttpMethod.valueOf("*"), "/a").route()).isSameAs(any);
            RouteMatch trace = tried.find(HttpMethod.TRACE, "/a");
            assertThat(trace.route()).isNull();
            assertThat(trace.allowed()).extracting(Method::name)
                    .containsExactly("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY");
        }
    }

    @Test
    void takesALessLiteralRouteForAnyMethodWhereTheOtherNamesOthers() {
        Route any = route("/**", Method.ANY);
        var tried = new Router(List.of(route("/a", Method.GET), any));

        assertThat(tried.find(HttpMethod.valueOf("PURGE"), "/a").route()).isSameAs(any);
        assertThat(tried.find(HttpMethod.HEAD, "/a").route()).isNotSameAs(any);
    }

    @Test
    void findsEachOfManyNeighbours() {
        var many = new Router(IntStream.range(0, 500)
                .mapToObj(i -> route("/s" + i + "/{x}", Method.GET)).toList());

        for (int i = 0; i < 500; i++) {
            assertThat(many.find(HttpMethod.GET, "/s" + i + "/y").route().name())
                    .isEqualTo("/s" + i + "/{x}");
        }
        assertThat(many.find(HttpMethod.GET, "/s500/y").route()).isNull();
        assertThat(many.find(HttpMethod.GET, "//y").route()).isNull();
    }

    @RepeatedTest(200)
    void agreesWithALineByLineComparison(RepetitionInfo repetition) {
        var random = new Random(repetition.getCurrentRepetition());
        List<Route> routes = random.ints(1 + random.nextInt(12), 0, Integer.MAX_VALUE)
                .mapToObj(seed -> randomRoute(new Random(seed)))
                .filter(unseen()).toList();
        var tried = new Router(routes);
        for (int i = 0; i < 200; i++) {
            String path = randomPath(random);
            Method method = any(random);
            RouteMatch match = tried.find(HttpMethod.valueOf(method.name()), path);
            List<Route> samePath = routes.stream().filter(route -> matches(route, path)).toList();

            Route expected = samePath.stream().filter(route -> serves(route, method))
                    .min((a, b) -> compare(a, b, method)).orElse(null);
            assertThat(match.route()).as("%s %s of %s", method, path, routes).isSameAs(expected);
            if (expected == null) {
                assertThat(match.allowed()).isEqualTo(samePath.isEmpty() ? null : allowed(samePath));
            }
        }
    }

    private static Collection<Route> routes(String... templates) {
        return Arrays.stream(templates).map(template -> route(template, Method.GET)).toList();
    }

    private static Route route(String template, Method... methods) {
        return new Route(template, PathTemplate.parse(template), Set.of(methods), "test", _ -> { });
    }

    private static Route randomRoute(Random random) {
        var template = new StringBuilder();
        int segments = random.nextInt(4);
        for (int i = 0; i < segments; i++) {
            boolean capture = random.nextInt(3) == 0;
            template.append('/').append(capture ? "{c" + i + "}" : "ab".charAt(random.nextInt(2)));
        }
        if (template.isEmpty() || random.nextInt(4) == 0) {
            template.append(random.nextBoolean() ? "/**" : template.isEmpty() ? "/" : "");
        }
        return route(template.toString(), any(random));
    }

    private static Method any(Random random) {
        return Method.STANDARD.get(random.nextInt(Method.STANDARD.size()));
    }

    private static Predicate<Route> unseen() {
        var seen = new HashSet<String>();
        return route -> seen.add(route.path().shape() + route.methods());
    }

    private static String randomPath(Random random) {
        var path = new StringBuilder();
        for (int segments = random.nextInt(5); segments > 0; segments--) {
            path.append('/').append("abc".charAt(random.nextInt(3)));
        }
        return path.isEmpty() || random.nextInt(5) == 0 ? path + "/" : path.toString();
    }

    private static boolean matches(Route route, String path) {
        String regex = route.name().equals("/") ? "/" : route.name().replaceAll("\\{\\w+}", "[^/]+")
                .replaceFirst("/\\*\\*$", "(/.*)?");
        return path.matches(regex);
    }

    private static boolean serves(Route route, Method method) {
        return route.methods().contains(method)
                || method == Method.HEAD && route.methods().contains(Method.GET);
    }

    /**
     * Compares routes segment by segment: literals come before captures, captures before rests, shorter
     * before longer.
     */
    private static int compare(Route a, Route b, Method method) {
        int byShape = rank(a).compareTo(rank(b));
        return byShape != 0 ? byShape : a.methods().contains(method) ? -1 : 1;
    }

    private static String rank(Route route) {
        return route.path().segments().stream().map(segment -> switch (segment) {
            case PathTemplate.Literal _ -> "1";
            case PathTemplate.Capture _ -> "2";
            case PathTemplate.Rest _ -> "3";
        }).collect(Collectors.joining());
    }

    private static Set<Method> allowed(List<Route> routes) {
        Set<Method> allowed = new HashSet<>(Set.of(Method.OPTIONS));
        for (Method method : Method.STANDARD) {
            if (routes.stream().anyMatch(route -> serves(route, method))) {
                allowed.add(method);
            }
        }
        return allowed;
    }
}

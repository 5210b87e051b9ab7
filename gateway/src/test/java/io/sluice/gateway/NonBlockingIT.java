package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import io.sluice.config.HandlerConfig;
import io.sluice.config.read.Plugins;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.gateway.metrics.EventLoopMonitor;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Every kind of route, as slow as it can be, on one event loop. The watchdog would find a wait on the loop,
 * and the loop's budget would find computation.
 */
class NonBlockingIT {
    private static final String ROUTES = """
            include classpath("demo.conf")
            sluice.server { worker-threads = 1, blocked-loop-warning = 1200ms }
            sluice.routes {
              nb-blocking { path = "/nb/blocking", handler = delay, mode = blocking, pool = jdbc }
              nb-timer { path = "/nb/timer", handler = delay }
              nb-publish {
                path = "/nb/topics/{topic}", methods = [GET], handler = publish, topics = demo
              }
              nb-files { path = "/nb/files/**", handler = files, directory = "%s/lib", pool = jdbc }
              nb-sieve { path = "/nb/sieve", handler = cpu, algorithm = sieve, pool = compute }
              nb-openapi { path = "/nb/openapi.json", handler = openapi }
              nb-presence { path = "/nb/present/{topic}", handler = presence, topics = nb }
              nb-proxy { path = "/nb/proxied", handler = proxy, upstream = nb }
            }
            sluice.topics.nb.presence {}
            sluice.upstreams.nb.endpoints = ["http://127.0.0.1:%d"]
            """;

    private static final Duration BUDGET = Duration.ofMillis(10);
    private static final int TRIES = 20;

    /** The targets with their kinds. Each takes longer than the watchdog allows, if its kind can. */
    private static final List<String> TARGETS = List.of(
            "text /benchmark/hello",
            "json /benchmark/json",
            "echo /echo",
            "index /",
            "cpu /nb/sieve?n=10000000",
            "delay /nb/blocking?ms=1500",
            "delay /nb/timer?ms=1500",
            "query /benchmark/jdbc?ms=1500",
            "query /reports/revenue",
            "files /nb/files/jrt-fs.jar",
            "proxy /nb/proxied?ms=1500",
            "publish /nb/topics/a",
            "openapi /nb/openapi.json",
            "presence /nb/present/a");

    /** Covers routes whose response ends; WebSockets and event streams have tests of their own. */
    @Test
    void noKindOfRouteBlocksAnEventLoop() throws Exception {
        assertThat(TARGETS).extracting(target -> target.split(" ")[0])
                .containsAll(Arrays.stream(HandlerConfig.class.getPermittedSubclasses())
                        .filter(Class::isRecord).map(Plugins::name)
                        .filter(kind -> !kind.equals("events")).toList());
        var warnings = new LoggedEvents();
        warnings.start();
        var logger = (Logger) LoggerFactory.getLogger(EventLoopMonitor.class);
        logger.addAppender(warnings);
        try (var upstream = RunningGateway.start(
                "sluice.routes.slow { path = /nb/proxied, handler = delay }");
                var gateway = RunningGateway.start(
                        ROUTES.formatted(System.getProperty("java.home"), upstream.port()))) {
            gateway.loopBudget().requireBelow(BUDGET,
                    () -> assertThat(statuses(gateway)).containsOnly(200));
            Set<Object> blocking = routes(warnings);
            // A wait on the loop causes a warning for its route in each try. A pause of the machine does not.
            for (int tries = 0; tries < TRIES && !blocking.isEmpty(); tries++) {
                warnings.list.clear();
                assertThat(statuses(gateway)).containsOnly(200);
                blocking.retainAll(routes(warnings));
            }
            assertThat(blocking).isEmpty();
        } finally {
            logger.detachAppender(warnings);
        }
    }

    /** Returns the routes that warnings name. */
    private static Set<Object> routes(LoggedEvents warnings) {
        return warnings.list.stream().map(warning -> warning.getArgumentArray()[1])
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static List<Integer> statuses(RunningGateway gateway) {
        return IntStream.range(0, 2).boxed()
                .flatMap(_ -> TARGETS.stream().map(target -> target.split(" ")[1]))
                .map(target -> gateway.client().sendAsync(gateway.request(target).build(),
                        java.net.http.HttpResponse.BodyHandlers.ofString()))
                .toList().stream().map(answer -> answer.join().statusCode()).toList();
    }
}

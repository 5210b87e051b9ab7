package io.sluice.gateway.bus;

import static eu.rekawek.toxiproxy.model.ToxicDirection.DOWNSTREAM;
import static eu.rekawek.toxiproxy.model.ToxicDirection.UPSTREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import eu.rekawek.toxiproxy.Proxy;
import io.sluice.gateway.Containers;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.offload.SteadyClient;
import io.sluice.gateway.topic.EventLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Faults of the network between a gateway and Redis, caused by toxiproxy, while messages are published and
 * followed by a socket and an event stream.
 */
class BusToxiproxyIT {
    private static final String END = "end.";
    /** The delay of each command by a slow network, in milliseconds. */
    private static final int LATENCY = 300;
    private static BadRedisNetwork network;
    private static RunningGateway gateway;

    /** Kinds of network failures, and the answers to messages by which the gateway notices them. */
    enum Trouble {
        /** Answers are late, but in time. */
        SLOW(200, "\"id\"") {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.toxics().latency("latency", UPSTREAM, LATENCY);
            }
        },
        /** Answers come when the time for them is over. */
        TOO_SLOW(503, "may or may not have the message: it has not answered in time") {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.toxics().latency("latency", DOWNSTREAM, 1500);
            }
        },
        /** Less passes than is published. */
        NARROW(503, "in time") {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.toxics().bandwidth("to", UPSTREAM, 10);
                proxy.toxics().bandwidth("from", DOWNSTREAM, 10);
            }
        },
        /** Connections are reset, new ones as well. */
        RESET(503, "not connected") {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.toxics().resetPeer("reset", DOWNSTREAM, 0);
            }
        },
        /** Connections end amid a message, new ones as well. */
        CUT(503, "") {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.toxics().limitData("limit", DOWNSTREAM, 5000);
            }
        },
        /** The port is closed. */
        DOWN(503, "not connected") {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.disable();
            }
        };

        final int status;
        final String words;

        Trouble(int status, String words) {
            this.status = status;
            this.words = words;
        }

        abstract void begin(Proxy proxy) throws IOException;
    }

    /** The messages of a subscriber, by their numbers and in their order, and its notices. */
    private static final class Follower {
        final List<Integer> numbers = new ArrayList<>();
        final CompletableFuture<Void> ended = new CompletableFuture<>();
        int notices;

        /** Reads texts, each of which has a message or a notice. */
        Follower(Callable<String> next) {
            Thread.ofVirtual().start(() -> {
                try {
                    for (String text = next.call(); !text.contains(END); text = next.call()) {
                        if (text.contains("@")) {
                            numbers.add(NumberedMessages.number(text.substring(text.indexOf('@') + 1)));
                        } else {
                            notices++;
                        }
                    }
                    ended.complete(null);
                } catch (Throwable e) {
                    ended.completeExceptionally(e);
                }
            });
        }

        /** Waits for the last message. None was doubled; none can be missing, as Redis keeps them all. */
        void awaitEnd() throws Exception {
            ended.get(60, TimeUnit.SECONDS);
            assertThat(numbers).as("numbers").doesNotHaveDuplicates();
            assertThat(notices).as("notices that messages may be missing").isZero();
        }
    }

    @BeforeAll
    static void start() {
        network = Containers.startOrSkip(BadRedisNetwork::new);
        gateway = RunningGateway.start(config(network.url()));
    }

    private static String config(String url) {
        return """
                sluice {
                  server.worker-threads = 2
                  buses.redis { url = "%s", connect-timeout = 1s, publish-timeout = 1s }
                  topics.news { bus = redis, history {} }
                  routes {
                    subscribe { path = "/ws/{topic}", handler = ws-topic, topics = news }
                    events { path = "/events/{topic}", handler = events, topics = news }
                    publish { path = "/topics/{topic}", handler = publish, topics = news, deadline = 10s }
                    text { path = /text, handler = text, text = hi }
                  }
                }
                """.formatted(url);
    }

    @AfterAll
    static void stop() {
        if (network != null) {
            gateway.close();
            network.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostOrDoubledAndNothingWaitsForRedis(Trouble trouble) throws Exception {
        awaitConnected();
        try (var socket = SocketClient.connect(gateway, "/ws/" + trouble + "?after=");
                var events = new EventLines(gateway, "/events/" + trouble);
                var hello = new SteadyClient(gateway.port(), "/text", 4);
                var messages = new NumberedMessages(gateway, "/topics/" + trouble, 500)) {
            assertThat(socket.next()).contains("\"id\"");
            var followers = List.of(new Follower(socket::next), new Follower(() -> events.next("data: ")));
            awaitAnswers(messages, 0, 200, "");

            long begin = System.nanoTime();
            trouble.begin(network.proxy());
            awaitAnswers(messages, messages.next(), trouble.status, trouble.words);
            var beside = hello.between(begin, System.nanoTime());
            assertThat(beside).extracting(SteadyClient.Answered::status).containsOnly(200);
            assertThat(shareOfQuick(beside)).isGreaterThan(0.25);
            network.heal();
            awaitAnswers(messages, messages.next(), 200, "");

            messages.finish();
            assertThat(gateway.post("/topics/" + trouble, END).statusCode()).isEqualTo(200);
            assertThat(messages.statuses()).as("answers").isSubsetOf(200, 503);
            for (Follower follower : followers) {
                follower.awaitEnd();
                assertThat(follower.numbers).as("numbers").containsAll(messages.answered(200, ""));
                assertThat(messages.answered(503, "has not taken")).as("refused")
                        .doesNotContainAnyElementsOf(follower.numbers);
            }
        } finally {
            network.heal();
        }
    }

    /** A read of the history at full size takes longer than an answer may take. */
    @Test
    void aBacklogIsReadOverANarrowNetwork() throws Exception {
        awaitConnected();
        try (var direct = RunningGateway.start(config(network.directUrl()));
                var socket = connected("/ws/backlog?after=")) {
            awaitConnected(direct);
            assertThat(socket.next()).contains("\"id\"");
            network.proxy().disable();
            String padding = "." + "x".repeat(20_000);
            for (int i = 0; i < 20; i++) {
                assertThat(direct.post("/topics/backlog", "@" + i + padding).statusCode()).isEqualTo(200);
            }
            assertThat(direct.post("/topics/backlog", END).statusCode()).isEqualTo(200);
            network.proxy().toxics().bandwidth("from", DOWNSTREAM, 200);
            network.proxy().enable();

            var follower = new Follower(socket::next);
            follower.awaitEnd();
            assertThat(follower.numbers).hasSize(20);
        } finally {
            network.heal();
        }
    }

    /** Returns the share of the answers that took less than Redis; small if event loops waited for it. */
    private static double shareOfQuick(List<SteadyClient.Answered> answers) {
        return (double) answers.stream().filter(answer ->
                answer.answered() - answer.asked() < TimeUnit.MILLISECONDS.toNanos(LATENCY)).count()
                / answers.size();
    }

    /** The bus may not answer in time at first. */
    private static SocketClient connected(String target) {
        return await().atMost(Duration.ofSeconds(60)).ignoreExceptionsInstanceOf(CompletionException.class)
                .until(() -> SocketClient.connect(gateway, target), Objects::nonNull);
    }

    private static void awaitConnected() {
        awaitConnected(gateway);
    }

    private static void awaitConnected(RunningGateway gateway) {
        await().atMost(Duration.ofSeconds(60)).until(() ->
                gateway.getAdmin("/buses").body().contains("\"connected\":true"));
    }

    /** Waits until ten messages from this number on have such an answer. */
    private static void awaitAnswers(NumberedMessages messages, int from, int status, String words) {
        await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20)).until(() ->
                messages.answered(status, words).stream().filter(number -> number >= from).count() >= 10);
    }
}

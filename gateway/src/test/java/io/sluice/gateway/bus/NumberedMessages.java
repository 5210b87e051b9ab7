package io.sluice.gateway.bus;

import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Publishes messages with consecutive numbers at a steady rate, whatever becomes of them. */
final class NumberedMessages implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The answers by the numbers of the messages; those without an answer are not in it. */
    private final Map<Integer, Answer> answers = new ConcurrentHashMap<>();
    private final RunningGateway gateway;
    private final String target;
    private final String padding;
    private final Thread thread;
    private volatile int next;
    private volatile boolean closed;

    private record Answer(int status, String body) {
    }

    NumberedMessages(RunningGateway gateway, String target, int size) {
        this.gateway = gateway;
        this.target = target;
        padding = "." + "x".repeat(size);
        thread = Thread.ofVirtual().start(this::publish);
    }

    private void publish() {
        while (!closed) {
            int number = next;
            next = number + 1;
            gateway.client().sendAsync(gateway.request(target).timeout(Duration.ofSeconds(60))
                    .POST(BodyPublishers.ofString("@" + number + padding)).build(), BodyHandlers.ofString())
                    .whenComplete((answer, failure) -> answers.put(number, answer(answer, failure)));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static Answer answer(HttpResponse<String> answer, Throwable failure) {
        return failure == null ? new Answer(answer.statusCode(), answer.body())
                : new Answer(0, failure.toString());
    }

    /** Returns the number in a message. */
    static int number(String data) {
        return Integer.parseInt(data.substring(0, data.indexOf('.')));
    }

    /** Returns the number of the next message. */
    int next() {
        return next;
    }

    /** Returns the numbers of the messages whose answer has this status, and these words in it. */
    Set<Integer> answered(int status, String words) {
        return answers.entrySet().stream().filter(answer -> answer.getValue().status == status
                && answer.getValue().body.contains(words)).map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    /** Returns the statuses of all answers. */
    Set<Integer> statuses() {
        return answers.values().stream().map(Answer::status).collect(Collectors.toSet());
    }

    /** Publishes no more, and waits until every message has its answer. */
    void finish() throws InterruptedException {
        closed = true;
        thread.join();
        await().atMost(Duration.ofSeconds(60)).until(() -> answers.size() == next);
    }

    @Override
    public void close() {
        closed = true;
    }
}

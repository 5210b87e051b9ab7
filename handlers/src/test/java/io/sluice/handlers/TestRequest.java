package io.sluice.handlers;

import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.Future;
import io.sluice.handlers.ClientRequest.Answer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** A request from both ends: its client's, and its handler's. */
final class TestRequest {
    private final CompletableFuture<Exchange> exchange = new CompletableFuture<>();
    private final CompletableFuture<Void> handled = new CompletableFuture<>();
    private final Served served;
    private final ClientRequest client;

    /**
     * Begins one.
     *
     * @param server starts a server of one handler
     */
    TestRequest(Function<RouteHandler, Served> server, String method, int bodyLength, RouteHandler handler) {
        served = server.apply(asked -> handle(asked, handler));
        client = served.begin(method, bodyLength);
    }

    private void handle(Exchange asked, RouteHandler handler) throws Exception {
        exchange.complete(asked);
        try {
            handler.handle(asked);
        } catch (AssertionError e) {
            handled.completeExceptionally(e);
        } finally {
            handled.complete(null);
        }
    }

    // --- the client

    TestRequest send(String... pieces) {
        for (String piece : pieces) {
            client.send(piece);
            served.settle();
        }
        return this;
    }

    TestRequest end() {
        client.end();
        served.settle();
        return this;
    }

    /** The answer, when the handler has returned. */
    Answer answer() {
        until(handled::isDone);
        handled.join();
        return client.answer();
    }

    /** The status, when the head of the answer has come. */
    int awaitHead() {
        return client.awaitHead();
    }

    void leave() {
        client.leave();
        served.settle();
    }

    // --- the handler

    /** What the handler has got. */
    Exchange exchange() {
        until(exchange::isDone);
        return exchange.join();
    }

    /** Does something on the event loop. */
    void onLoop(Consumer<Exchange> step) {
        Exchange asked = exchange();
        Future<?> done = asked.eventLoop().submit(() -> step.accept(asked));
        until(done::isDone);
        if (!done.isSuccess()) {
            throw new AssertionError(done.cause());
        }
    }

    /** Does something on a thread that is no event loop. */
    <T> T elsewhere(Function<Exchange, T> step) {
        Exchange asked = exchange();
        var task = new FutureTask<>(() -> step.apply(asked));
        Thread.ofVirtual().start(task);
        try {
            return task.get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Does something on the event loop, or on another thread. */
    void on(boolean loop, Consumer<Exchange> step) {
        if (loop) {
            onLoop(step);
        } else {
            elsewhere(exchange -> {
                step.accept(exchange);
                return null;
            });
        }
    }

    /** Waits for a condition. */
    void until(Callable<Boolean> condition) {
        await().pollInSameThread().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(() -> {
            served.settle();
            return condition.call();
        });
    }

    /** Lets time pass. */
    TestRequest pass(Duration time) {
        served.pass(time);
        return this;
    }
}

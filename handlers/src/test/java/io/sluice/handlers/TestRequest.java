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

/** A request, controlled at both ends: the client's and the handler's. */
final class TestRequest {
    private final CompletableFuture<Exchange> exchange = new CompletableFuture<>();
    private final CompletableFuture<Void> handled = new CompletableFuture<>();
    private final Served served;
    private final ClientRequest client;

    /**
     * Begins a request.
     *
     * @param server starts a server with one handler
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

    /** Returns the answer, when the handler has returned. */
    Answer answer() {
        until(handled::isDone);
        handled.join();
        return client.answer();
    }

    /** Returns the status, when the head of the answer has arrived. */
    int awaitHead() {
        return client.awaitHead();
    }

    void leave() {
        client.leave();
        served.settle();
    }

    // --- the handler

    /** Returns the handler's exchange. */
    Exchange exchange() {
        until(exchange::isDone);
        return exchange.join();
    }

    /** Runs a step on the event loop. */
    void onLoop(Consumer<Exchange> step) {
        Exchange asked = exchange();
        Future<?> done = asked.eventLoop().submit(() -> step.accept(asked));
        until(done::isDone);
        if (!done.isSuccess()) {
            throw new AssertionError(done.cause());
        }
    }

    /** Runs a step on another thread than the event loop's, and returns its result. */
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

    /** Runs a step on the event loop, or on another thread. */
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

    /** Advances the clock. */
    TestRequest pass(Duration time) {
        served.pass(time);
        return this;
    }
}

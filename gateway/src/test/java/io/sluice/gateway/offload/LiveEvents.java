package io.sluice.gateway.offload;

import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of server-sent events. */
public final class LiveEvents implements Flow.Subscriber<String>, AutoCloseable {
    static final String END = "end";

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final CompletableFuture<HttpResponse<Void>> response;
    private String event = "";

    public LiveEvents(RunningGateway gateway, String target, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.request(target).build().uri())
                .header("Accept", "text/event-stream");
        if (headers.length > 0) {
            request.headers(headers);
        }
        response = gateway.client().sendAsync(request.build(),
                HttpResponse.BodyHandlers.fromLineSubscriber(this));
    }

    /** The next event or comment, its lines joined; {@link #END} behind the last one. */
    String nextOrComment() throws InterruptedException {
        String next = events.poll(90, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no event within 90 s");
        }
        return next;
    }

    /** The next event. */
    public String next() throws InterruptedException {
        String next = nextOrComment();
        while (next.startsWith(":")) {
            next = nextOrComment();
        }
        return next;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String line) {
        if (line.isEmpty()) {
            events.add(event);
            event = "";
        } else if (line.startsWith(":")) {
            events.add(line);
        } else if (!line.startsWith("retry: ")) {
            event = event.isEmpty() ? line : event + '\n' + line;
        }
    }

    @Override
    public void onError(Throwable failure) {
        events.add("error: " + failure);
    }

    @Override
    public void onComplete() {
        events.add(END);
    }

    /** Closes the connection. */
    void leave() {
        response.cancel(true);
    }

    @Override
    public void close() {
        leave();
    }
}

package io.sluice.handlers.live;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Deadline;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One run of a query: an exchange whose response becomes an event. */
final class LiveRun extends ExchangeWrapper {
    private static final AsciiString TRUNCATED = AsciiString.cached("truncated");
    private static final AsciiString ROW_LIMIT = AsciiString.cached("row-limit");

    private final Deadline deadline;
    private final int maxSize;
    private final Outcome outcome;
    private final ResultEvent event;
    private final AtomicBoolean given = new AtomicBoolean();
    private Runnable onAbort = () -> { };
    private boolean aborted;
    private boolean over;

    /** Receives the end of a run, once, on its event loop. */
    interface Outcome {

        /** The query has a result, owned by the receiver. */
        void succeeded(ResultEvent.Whole result);

        /** The query has failed. */
        void failed(Throwable cause);
    }

    /**
     * A run that has not begun.
     *
     * @param maxSize the largest size of the result in bytes
     */
    LiveRun(LiveRequest request, Deadline deadline, int maxSize, Outcome outcome) {
        super(request);
        this.deadline = deadline;
        this.maxSize = maxSize;
        this.outcome = outcome;
        event = new ResultEvent(request.alloc(), maxSize);
    }

    /** Begins the run, which may end at once. On its event loop. */
    void begin(RouteHandler query) {
        proceed(query);
    }

    /** Ends the run, whose outcome does not matter any more. On its event loop. */
    void abort() {
        over = true;
        cancel();
    }

    private void cancel() {
        event.close();
        aborted = true;
        Runnable action = onAbort;
        onAbort = () -> { };
        action.run();
    }

    @Override
    public void proceed(RouteHandler next) {
        onLoop(() -> {
            if (!over) {
                try {
                    next.handle(this);
                } catch (Throwable e) {
                    fail(e);
                }
            }
        });
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public void onAbort(Runnable action) {
        if (aborted) {
            action.run();
        } else {
            Runnable earlier = onAbort;
            onAbort = () -> {
                earlier.run();
                action.run();
            };
        }
    }

    @Override
    public boolean respond(FullHttpResponse response) {
        try {
            boolean first = given.compareAndSet(false, true);
            if (first && add(response.content())) {
                end(response.headers(), response.headers());
            }
            return first;
        } catch (Throwable e) { // no memory for the event
            fail(e);
            return true;
        } finally {
            response.release();
        }
    }

    @Override
    public @Nullable ResponseStream stream(HttpResponse head) {
        return given.compareAndSet(false, true) ? new Pieces(head.headers()) : null;
    }

    /** Returns false if the result is too large, which ends the run. */
    private boolean add(ByteBuf piece) {
        boolean fits = event.add(piece);
        if (!fits) {
            onLoop(() -> {
                end(new HttpException(HttpResponseStatus.INTERNAL_SERVER_ERROR,
                        "the result is too large (expected: at most " + maxSize + " bytes)"));
                cancel();
            });
        }
        return fits;
    }

    private void end(HttpHeaders headers, HttpHeaders trailers) {
        onLoop(() -> {
            boolean truncated = trailers.contains(TRUNCATED, "true", true);
            ResultEvent.Whole whole;
            try {
                whole = over ? null : event.end(headers.get(HttpHeaderNames.ETAG),
                        truncated ? headers.get(ROW_LIMIT) : null);
            } catch (Throwable e) { // no memory for the event
                end(e);
                return;
            }
            if (whole != null) {
                over = true;
                outcome.succeeded(whole);
            }
        });
    }

    @Override
    public void fail(Throwable cause) {
        onLoop(() -> end(cause));
    }

    private void end(Throwable cause) {
        event.close();
        if (!over) {
            over = true;
            outcome.failed(cause);
        }
    }

    /** A response in pieces. A client that reads at any rate is not known here, so it is always writable. */
    private final class Pieces implements ResponseStream {
        private final HttpHeaders headers;
        /** Indicates whether the result has become too large. */
        private boolean full;

        Pieces(HttpHeaders headers) {
            this.headers = headers;
        }

        @Override
        public void write(ByteBuf content) {
            try {
                full = full || !add(content);
            } catch (Throwable e) { // no memory for the event
                full = true;
                LiveRun.this.fail(e);
            } finally {
                content.release();
            }
        }

        @Override
        public void flush() {
            // The event is sent whole.
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void onWritable(Runnable action) {
            // It always is.
        }

        @Override
        public void end(HttpHeaders trailers) {
            if (!full) {
                LiveRun.this.end(headers, trailers);
            }
        }
    }
}

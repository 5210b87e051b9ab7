package io.sluice.handlers.query;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.WorkScope;
import io.sluice.offload.spill.Spill;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the part of a response's body that is on disk, as FileBody does with files. Workers read pieces of it
 * whenever the client reads, and never wait for the client. Only refusals are retried, since the deadline of
 * their tasks is that of the exchange. Confined to the event loop, except for {@link #readPieces}.
 */
final class SpilledBody {
    /** The bytes that a worker reads before other tasks get their turn. */
    private static final long TURN = 1 << 20;

    private final Exchange exchange;
    private final ResponseStream stream;
    private final Spill spill;
    private final Offload readers;
    private final HttpHeaders trailers;
    private long position;
    /** Null unless a worker is reading. */
    private @Nullable Future<Long> reading;
    private boolean over;

    /**
     * Creates a body whose head has been sent.
     *
     * @param spill owned by the body from here on
     * @param trailers end the body
     */
    SpilledBody(Exchange exchange, ResponseStream stream, Spill spill, Offload readers,
                HttpHeaders trailers) {
        this.exchange = exchange;
        this.stream = stream;
        this.spill = spill;
        this.readers = readers;
        this.trailers = trailers;
    }

    void send() {
        stream.onWritable(this::proceed);
        exchange.onAbort(this::stop);
        proceed();
    }

    private void proceed() {
        if (over || reading != null || !stream.isWritable()) {
            return;
        }
        if (position == spill.size()) {
            stop();
            stream.end(trailers);
        } else {
            read();
        }
    }

    private void read() {
        Future<Long> pieces = readers.submit(exchange.clientNetwork(), exchange.deadline(),
                exchange.eventLoop(), this::readPieces);
        reading = pieces;
        pieces.addListener(done -> {
            if (over) {
                return;
            }
            reading = null;
            if (done.isSuccess()) {
                position = pieces.getNow();
                proceed();
            } else if (done.cause() instanceof Refused refused && refused.reason() != Refused.Reason.CLOSED) {
                // The response has begun, so it is not failed but continued later, until its deadline.
                exchange.eventLoop().schedule(this::proceed, refused.retryAfter().toMillis(),
                        TimeUnit.MILLISECONDS);
            } else {
                exchange.fail(done.cause());
            }
        });
    }

    /** Reads and writes pieces until the client is slower than the disk. On a worker. */
    private long readPieces(WorkScope scope) {
        spill.retain(); // throws if the response ended while this task was queued
        try {
            long at = position;
            long until = Math.min(spill.size(), at + TURN);
            while (at < until && stream.isWritable() && !scope.isAbandoned()) {
                ByteBuf piece = spill.read(exchange.alloc(), at);
                at += piece.readableBytes();
                stream.write(piece);
            }
            return at;
        } finally {
            spill.release();
        }
    }

    private void stop() {
        if (!over) {
            over = true;
            if (reading != null) {
                reading.cancel(false);
            }
            spill.release();
        }
    }
}

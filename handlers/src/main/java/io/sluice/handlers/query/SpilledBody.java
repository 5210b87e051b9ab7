package io.sluice.handlers.query;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.PieceReads;
import io.sluice.handlers.ResponseStream;
import io.sluice.offload.Offload;
import io.sluice.offload.WorkScope;
import io.sluice.offload.spill.Spill;

/**
 * Sends the part of a response's body that is on disk. Workers read pieces of it whenever the client reads,
 * and never wait for the client. Confined to the event loop, except for {@link #readPieces}.
 */
final class SpilledBody {
    private final Exchange exchange;
    private final ResponseStream stream;
    private final Spill spill;
    private final PieceReads reads;
    private final HttpHeaders trailers;
    private long position;
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
        reads = new PieceReads(exchange, readers, this::readPieces, this::proceed);
        this.trailers = trailers;
    }

    void send() {
        stream.onWritable(this::proceed);
        exchange.onAbort(this::stop);
        proceed();
    }

    private void proceed() {
        if (over || reads.isReading() || !stream.isWritable()) {
            return;
        }
        if (position == spill.size()) {
            stop();
            stream.end(trailers);
        } else {
            reads.begin(position, spill.size());
        }
    }

    private void proceed(long from) {
        position = from;
        proceed();
    }

    /** Reads and writes pieces until the client is slower than the disk. On a worker. */
    private long readPieces(long from, long until, WorkScope scope) {
        spill.retain(); // throws if the response ended while this task was queued
        try {
            long at = from;
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
            reads.stop();
            spill.release();
        }
    }
}

package io.sluice.handlers.files;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.WorkScope;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sends a part of a file as the body of a response, in pieces that the kernel sends or workers read. Each
 * piece follows when the client has read the one before, so a slow client holds no worker and, if workers
 * read, no open file. Confined to the event loop, except for {@link #readPieces}.
 */
final class FileBody extends AbstractReferenceCounted {
    /** The bytes that the kernel sends before other connections get their turn. */
    private static final long MAX_SENT = 1 << 20;
    private static final int MAX_READ = 64 * 1024;
    /** The bytes that a worker reads before other tasks get their turn, if the client is as fast. */
    private static final long TURN = 1 << 20;
    /** The time to wait if a file cannot be read or reopened at the moment. */
    private static final Duration UNTIL_RETRIED = Duration.ofSeconds(1);

    private final Exchange exchange;
    private final Offload pool;
    private final HttpResponse head;
    private final ServedFile file;
    private final long end;
    private long position;

    private boolean zeroCopy;
    @SuppressWarnings("NullAway.Init") // set by send(), before all other uses
    private ResponseStream stream;
    /** The latest piece that the kernel sends or has sent; null if there is none. */
    private @Nullable FileRegion sent;
    /** The read of a worker; null if there is none. */
    private @Nullable Future<Long> reading;
    private boolean over;

    /**
     * Creates a body.
     *
     * @param pool reads pieces that the kernel does not send
     * @param head the response's head, with the length of the part
     * @param file owned by the body from here on
     */
    FileBody(Exchange exchange, Offload pool, HttpResponse head, ServedFile file, ByteRange part) {
        this.exchange = exchange;
        this.pool = pool;
        this.head = head;
        this.file = file;
        position = part.from();
        end = part.to();
    }

    /** Sends it as the response. The exchange owns it from here on; the file is closed at its end. */
    void send(boolean mayZeroCopy) {
        zeroCopy = mayZeroCopy;
        ResponseStream begun = exchange.stream(head);
        if (begun == null) {
            release();
            return;
        }
        stream = begun;
        stream.onWritable(this::proceed);
        exchange.onAbort(this::stop);
        proceed();
    }

    private void proceed() {
        if (over || reading != null || !stream.isWritable()) {
            return;
        }
        if (sent != null && sent.transferred() < sent.count()) {
            sendFailed();
        } else if (position == end) {
            stop();
            stream.end();
        } else if (!zeroCopy || !sendPiece()) {
            read();
        }
    }

    /** Fails the exchange if the file is the reason; if the client has disconnected, it ends by itself. */
    private void sendFailed() {
        EOFException fault = file.fault(position);
        if (fault != null) {
            exchange.fail(fault);
        }
    }

    private boolean sendPiece() {
        FileRegion piece = file.piece(position, Math.min(MAX_SENT, end - position));
        if (piece == null) {
            return false;
        }
        if (!stream.sendFile(piece)) {
            piece.release();
            zeroCopy = false;
            return false;
        }
        sent = piece;
        position += piece.count();
        return true;
    }

    private void read() {
        var begun = new AtomicBoolean();
        Future<Long> piece = pool.submit(exchange.clientNetwork(), exchange.deadline(),
                exchange.eventLoop(), scope -> begun.getAndSet(true) ? position : readPieces(scope));
        reading = piece;
        piece.addListener(done -> {
            if (over) {
                return;
            }
            reading = null;
            if (done.isSuccess()) {
                position = piece.getNow();
                proceed();
            } else {
                readLater(done.cause(), begun);
            }
        });
    }

    /**
     * Continues later, until the deadline: the response has begun, so it should not be failed.
     *
     * @param begun whether the read has begun, which then may still write; set here so that it does not begin
     */
    private void readLater(Throwable obstacle, AtomicBoolean begun) {
        Duration wait = switch (obstacle) {
            case Refused refused when refused.reason() != Refused.Reason.CLOSED -> refused.retryAfter();
            case DeadlineExceeded _ when !begun.getAndSet(true) -> UNTIL_RETRIED; // the pool's, in the queue
            case HttpException e when e.worthRetrying() -> UNTIL_RETRIED;
            default -> null;
        };
        if (wait == null) {
            exchange.fail(obstacle);
        } else {
            exchange.eventLoop().schedule(this::proceed, wait.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Reads and writes pieces until the client is slower than the disk. On a worker. */
    private long readPieces(WorkScope scope) throws IOException {
        long at = position;
        long until = Math.min(end, at + TURN);
        OpenFile open = file.open();
        try {
            do {
                ByteBuf piece = open.read(exchange.alloc(), at, (int) Math.min(MAX_READ, until - at));
                at += piece.readableBytes();
                stream.write(piece);
            } while (at < until && stream.isWritable() && !scope.isAbandoned());
            return at;
        } finally {
            file.giveBack(open);
        }
    }

    private void stop() {
        if (!over) {
            over = true;
            if (reading != null) {
                reading.cancel(false);
            }
            release();
        }
    }

    @Override
    protected void deallocate() {
        file.close();
    }

    @Override
    public FileBody touch(Object hint) {
        return this;
    }
}

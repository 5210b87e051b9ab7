package io.sluice.handlers.files;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.AbstractReferenceCounted;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.PieceReads;
import io.sluice.handlers.ResponseStream;
import io.sluice.offload.Offload;
import io.sluice.offload.WorkScope;
import java.io.EOFException;
import java.io.IOException;
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

    private final Exchange exchange;
    private final PieceReads reads;
    private final HttpResponse head;
    private final ServedFile file;
    private final long end;
    private long position;

    private boolean zeroCopy;
    @SuppressWarnings("NullAway.Init") // set by send(), before all other uses
    private ResponseStream stream;
    /** The latest piece that the kernel sends or has sent; null if there is none. */
    private @Nullable FileRegion sent;
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
        reads = new PieceReads(exchange, pool, this::readPieces, this::proceed);
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
        if (over || reads.isReading() || !stream.isWritable()) {
            return;
        }
        if (sent != null && sent.transferred() < sent.count()) {
            sendFailed();
        } else if (position == end) {
            stop();
            stream.end();
        } else if (!zeroCopy || !sendPiece()) {
            reads.begin(position, end);
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

    private void proceed(long from) {
        position = from;
        proceed();
    }

    /** Reads and writes pieces until the client is slower than the disk. On a worker. */
    private long readPieces(long from, long until, WorkScope scope) throws IOException {
        long at = from;
        OpenFile open = file.open();
        try {
            while (at < until && stream.isWritable() && !scope.isAbandoned()) {
                ByteBuf piece = open.read(exchange.alloc(), at, (int) Math.min(MAX_READ, until - at));
                at += piece.readableBytes();
                stream.write(piece);
            }
            return at;
        } finally {
            file.giveBack(open);
        }
    }

    private void stop() {
        if (!over) {
            over = true;
            reads.stop();
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

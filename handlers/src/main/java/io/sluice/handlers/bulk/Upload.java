package io.sluice.handlers.bulk;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Exchange.BodyReader;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.http.OffloadedBody;
import io.sluice.offload.Offload;
import io.sluice.offload.spill.Spill;
import io.sluice.offload.spill.SpillException;
import io.sluice.offload.spill.SpillSpace;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores a body while it arrives: its last 64 KiB in memory, the rest on disk. While the disk is written to,
 * 64 KiB more may arrive, and what has been read of the connection; then the client waits. Confined to the
 * event loop.
 */
final class Upload implements BodyReader {
    /** In bytes. */
    private static final int PIECE = 64 * 1024;

    private final Exchange exchange;
    private final SpillSpace space;
    private final Offload disk;
    private final Consumer<Upload> whenWhole;
    private ByteBuf tail;
    /** Null while all is in memory. */
    private @Nullable Spill spill;
    /** The owner of tail and spill once the body has ended; null before. */
    private @Nullable UploadedBody body;
    private boolean writing;
    private boolean ended;
    private boolean over;

    /**
     * Creates an empty upload.
     *
     * @param disk the pool that writes to disk
     * @param whenWhole gets this when the body has ended
     */
    Upload(Exchange exchange, SpillSpace space, Offload disk, Consumer<Upload> whenWhole) {
        this.exchange = exchange;
        this.space = space;
        this.disk = disk;
        this.whenWhole = whenWhole;
        tail = exchange.alloc().buffer(PIECE / 8);
    }

    @Override
    public boolean takesMemory(int bytes) {
        return !over && tail.maxFastWritableBytes() < bytes;
    }

    @Override
    public boolean content(ByteBuf content) {
        try {
            if (over) {
                return true;
            }
            tail.writeBytes(content);
        } catch (Throwable e) { // such as no memory
            fail(e);
        } finally {
            content.release();
        }
        proceed();
        return over || tail.readableBytes() < PIECE;
    }

    @Override
    public void end(HttpHeaders trailers) {
        ended = true;
        proceed();
    }

    private void proceed() {
        if (writing || over) {
            return;
        }
        try {
            if (tail.readableBytes() >= PIECE && !ended) {
                write();
            } else if (ended) {
                whenWhole.accept(this);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void fail(Throwable cause) {
        release();
        exchange.fail(cause);
    }

    private void write() {
        Spill to = spill == null ? space.begin(exchange.clientNetwork()) : spill;
        spill = to;
        ByteBuf next = exchange.alloc().buffer(PIECE / 8);
        var piece = new OffloadedBody(tail);
        tail.release();
        tail = next;
        writing = true;
        Future<?> written = disk.submit(exchange.clientNetwork(), exchange.deadline(), exchange.eventLoop(),
                _ -> piece.read(bytes -> {
                    to.retain(); // throws if the exchange ended while this task was queued
                    try {
                        to.write(bytes);
                        return to.size(); // not the spill: the pool would release that if the task is late
                    } finally {
                        to.release();
                    }
                }));
        written.addListener(_ -> {
            piece.drop();
            writing = false;
            if (over) {
                return;
            }
            if (!written.isSuccess()) {
                fail(written.cause() instanceof SpillException full
                        ? HttpException.tryAgain("there is no room for the body", full) : written.cause());
                return;
            }
            proceed();
            if (!ended) {
                exchange.resumeBody();
            }
        });
    }

    /** Returns the whole body, once, for one worker. It is dropped when the upload is released. */
    UploadedBody whole() {
        var whole = new UploadedBody(spill, tail, exchange.alloc());
        body = whole;
        return whole;
    }

    /** Frees memory and disk, once; a worker that uses them goes on until it has ended. */
    void release() {
        if (over) {
            return;
        }
        over = true;
        if (body != null) {
            body.drop();
        } else {
            tail.release();
            ReferenceCountUtil.release(spill);
        }
    }
}

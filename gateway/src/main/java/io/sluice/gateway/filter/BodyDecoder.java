package io.sluice.gateway.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.Decompressor;
import io.netty.handler.codec.compression.Decompressor.Status;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.limits.PieceCollector;
import io.sluice.handlers.HttpException;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a whole body, one coding after another, in turns of about half a millisecond. The bytes that a turn
 * reads and those that it writes are bounded, as a few bytes can stand for millions, and millions for none.
 * Confined to an event loop.
 */
final class BodyDecoder implements AutoCloseable {
    /** The bytes of a turn, read and written. */
    private static final int TURN = 128 * 1024;
    /** The initial size of the result in bytes. */
    private static final int FIRST = 1024;
    /** The bytes that the decoder gets at a time. */
    private static final int SLICE = 8 * 1024;
    /** The costs of a piece of output, and of the end of a gzip member, in bytes besides its own. */
    private static final int CALL_COST = 1024;
    /** The cost of a byte of input: a slice may consist of hundreds of empty frames. */
    private static final int INPUT_COST = 2;

    private final ByteBufAllocator alloc;
    private final ClientNetwork client;
    private final long limit;
    private final Deque<RequestCoding> left;
    /** The length of the body as received, which its owner keeps. */
    private final long received;
    private ByteBuf input;
    private PieceCollector output;
    /** Null between two codings. */
    private @Nullable Decompressor decoder;

    /**
     * Creates a decoder.
     *
     * @param client the one for which the result counts
     * @param body owned by the decoder from here on
     * @param codings in the order in which they were applied
     * @param limit the largest result of each coding in bytes
     */
    BodyDecoder(ByteBufAllocator alloc, ClientNetwork client, ByteBuf body, List<RequestCoding> codings,
                long limit) {
        this.alloc = alloc;
        this.client = client;
        this.limit = limit;
        input = body;
        received = body.readableBytes();
        output = new PieceCollector(alloc, client, FIRST, received);
        left = new ArrayDeque<>(codings);
    }

    /**
     * Decodes some of the body.
     *
     * @return the decoded body, owned by this; null if more turns are needed
     * @throws HttpException 400 for a malformed body, 413 for one that is too large, 503 if memory is short
     */
    @Nullable ByteBuf turn() {
        try {
            int budget = TURN;
            while (budget > 0) {
                if (decoder == null && (left.isEmpty() || !input.isReadable())) {
                    return input;
                }
                budget -= step(decoder == null ? begin() : decoder);
            }
            return null;
        } catch (DecompressionException e) {
            throw malformed(e);
        }
    }

    private Decompressor begin() {
        if (!left.getLast().canBe(input)) {
            throw malformed(null);
        }
        Decompressor begun = left.getLast().decoder(alloc);
        decoder = begun;
        return begun;
    }

    /** Gives or takes one buffer, or ends a coding; returns the work in bytes. */
    private int step(Decompressor running) {
        Status status = running.status();
        if (status == Status.NEED_OUTPUT) {
            return CALL_COST + write(running.takeOutput());
        }
        if (status == Status.NEED_INPUT && input.isReadable()) {
            int length = Math.min(SLICE, input.readableBytes());
            running.addInput(input.readRetainedSlice(length));
            return INPUT_COST * length;
        }
        if (status == Status.NEED_INPUT && !left.getLast().hasEnd()) {
            running.endOfInput(); // throws if the input is cut off
        } else if (status == Status.NEED_INPUT || input.isReadable()) {
            throw malformed(null);
        }
        endCoding(running);
        return CALL_COST;
    }

    private int write(ByteBuf piece) {
        try {
            int length = piece.readableBytes();
            if (output.size() + length > limit) {
                throw new HttpException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                        "the decoded body is too large (expected: at most " + limit + " bytes)");
            }
            if (DirectMemory.isShort()) {
                throw HttpException.tryAgain("the gateway is short of memory for the body", null);
            }
            output.write(piece);
            return length;
        } finally {
            piece.release();
        }
    }

    private void endCoding(Decompressor ended) {
        ended.close();
        decoder = null;
        left.removeLast();
        input.release();
        input = output.whole();
        output = new PieceCollector(alloc, client, FIRST, received + input.readableBytes());
    }

    private HttpException malformed(@Nullable Throwable cause) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST,
                "body (expected: " + left.getLast() + ", whole and valid)", cause);
    }

    /** Releases everything. */
    @Override
    public void close() {
        Decompressor running = decoder;
        decoder = null;
        if (running != null) {
            running.close();
        }
        input.release();
        output.whole().release();
    }
}

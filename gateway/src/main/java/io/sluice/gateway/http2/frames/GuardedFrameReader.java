package io.sluice.gateway.http2.frames;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.StreamException;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.sluice.gateway.limits.DirectMemory;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames one by one while the connection's turn lasts, and wraps the listener in a guard. Netty passes
 * one listener for the preface and another one after it.
 */
final class GuardedFrameReader implements Http2FrameReader {
    /** The places of a frame's type, flags and stream in its header, in bytes. */
    private static final int TYPE = 3;
    private static final int FLAGS = 4;
    private static final int STREAM = 5;

    private final Http2FrameReader reader;
    private final ClientConduct conduct;
    private final IntPredicate isIdle;
    private final BooleanSupplier mayContinue;
    private final UnaryOperator<Http2FrameListener> guard;
    private @Nullable Http2FrameListener listener;
    @SuppressWarnings("NullAway.Init") // set with the listener
    private Http2FrameListener guarded;
    private boolean inHeaderBlock;
    /** The highest id of a stream with HEADERS that have been read. Streams of clients have odd ids. */
    private int lastHead;
    /** Indicates whether the connection had an error; further input is dropped. */
    private boolean failed;

    /**
     * Creates a reader in front of another one.
     *
     * @param isIdle returns whether a client's stream has not been opened yet
     * @param mayContinue returns whether another frame may be read now
     */
    GuardedFrameReader(Http2FrameReader reader, ClientConduct conduct, IntPredicate isIdle,
                       BooleanSupplier mayContinue, UnaryOperator<Http2FrameListener> guard) {
        this.reader = reader;
        this.conduct = conduct;
        this.isIdle = isIdle;
        this.mayContinue = mayContinue;
        this.guard = guard;
    }

    @Override
    public void readFrame(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener to)
            throws Http2Exception {
        if (listener != to) {
            listener = to;
            guarded = guard.apply(to);
        }
        if (failed) {
            input.skipBytes(input.readableBytes());
            return;
        }
        for (int length = next(input); length <= input.readableBytes() && mayContinue.getAsBoolean();
                length = next(input)) {
            ByteBuf frame = input.readSlice(length);
            if (isOfHeaderBlock(frame)) {
                inHeaderBlock = !new Http2Flags(frame.getUnsignedByte(FLAGS)).endOfHeaders();
                if (inHeaderBlock && DirectMemory.isShort()) {
                    conduct.complain("memory is short for a request of several frames");
                }
            }
            read(ctx, frame);
        }
    }

    private void read(ChannelHandlerContext ctx, ByteBuf frame) throws Http2Exception {
        try {
            conduct.requireCalm(); // here, as the listener does not get frames that the reader itself refuses
            int stream = frame.getInt(STREAM) & Integer.MAX_VALUE;
            if (frame.getByte(TYPE) == Http2FrameTypes.HEADERS && stream % 2 == 1) {
                lastHead = Math.max(lastHead, stream);
            }
            reader.readFrame(ctx, frame, guarded);
        } catch (StreamException e) {
            if (isIdle.test(e.streamId())) { // which must not be reset (RFC 9113 section 6.4)
                failed = true;
                throw Http2Exception.connectionError(e.error(), e, "an error on an idle stream");
            }
            throw e;
        } catch (Http2Exception e) {
            failed = true;
            throw e;
        }
    }

    /** Returns the last stream of which a head has arrived, at least its first frame; 0 before the first. */
    int lastHead() {
        return lastHead;
    }

    /**
     * Returns whether the head of a request has arrived in part, or its trailers.
     *
     * @param input that has not been read
     */
    boolean isWithinHead(ByteBuf input) {
        return inHeaderBlock || isOfHeaderBlock(input.slice());
    }

    /**
     * Drops the head of a request or trailers that have arrived in part, and all further input.
     *
     * @param input that has not been read
     * @return whether there were any, and no error before
     */
    boolean refusePartialHead(ByteBuf input) {
        if (failed || !isWithinHead(input)) {
            return false;
        }
        failed = true;
        reader.close(); // releases its fields
        return true;
    }

    /**
     * Returns whether the header of a stream's DATA frame has arrived.
     *
     * @param input that has not been read
     */
    static boolean isData(ByteBuf input, int stream) {
        return input.readableBytes() >= Http2CodecUtil.FRAME_HEADER_LENGTH
                && input.getByte(input.readerIndex() + TYPE) == Http2FrameTypes.DATA
                && (input.getInt(input.readerIndex() + STREAM) & Integer.MAX_VALUE) == stream;
    }

    private static boolean isOfHeaderBlock(ByteBuf frame) {
        byte type = frame.readableBytes() > TYPE ? frame.getByte(TYPE) : Http2FrameTypes.PING;
        return type == Http2FrameTypes.HEADERS || type == Http2FrameTypes.CONTINUATION;
    }

    /**
     * Returns the length of the next frame in bytes (RFC 9113 section 4.1), or of its header if the frame is
     * too large.
     */
    private int next(ByteBuf input) {
        if (input.readableBytes() < Http2CodecUtil.FRAME_HEADER_LENGTH) {
            return Http2CodecUtil.FRAME_HEADER_LENGTH;
        }
        int payload = input.getUnsignedMedium(input.readerIndex());
        return Http2CodecUtil.FRAME_HEADER_LENGTH
                + (payload > configuration().frameSizePolicy().maxFrameSize() ? 0 : payload);
    }

    @Override
    public Configuration configuration() {
        return reader.configuration();
    }

    @Override
    public void close() {
        reader.close();
    }
}

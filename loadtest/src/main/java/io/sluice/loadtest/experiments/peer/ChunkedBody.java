package io.sluice.loadtest.experiments.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;

/**
 * A streamed body, in chunks that are sent when they are full. Blocks while the channel is not writable, so
 * that a slow client slows the writer down: it must not be written on the channel's event loop. The end of
 * the body is the caller's to send.
 */
final class ChunkedBody extends OutputStream {

    private static final int CHUNK = 32 * 1_024;

    private final Channel channel;
    private ByteBuf chunk;

    ChunkedBody(Channel channel) {
        this.channel = channel;
        chunk = channel.alloc().buffer(CHUNK);
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            int some = Math.min(length - done, chunk.writableBytes());
            chunk.writeBytes(bytes, offset + done, some);
            done += some;
            if (!chunk.isWritable()) {
                flush();
            }
        }
    }

    @Override
    public void flush() throws IOException {
        ChannelFuture sent = channel.writeAndFlush(new DefaultHttpContent(chunk));
        chunk = channel.alloc().buffer(CHUNK);
        try {
            if (!channel.isWritable()) {
                sent.await();
            }
        } catch (InterruptedException e) {
            throw (InterruptedIOException) new InterruptedIOException().initCause(e);
        }
        if (sent.isDone() && !sent.isSuccess()) {
            throw new IOException("client gone", sent.cause());
        }
    }

    /** Sends what is left. */
    @Override
    public void close() throws IOException {
        try {
            if (chunk.isReadable()) {
                flush();
            }
        } finally {
            chunk.release();
        }
    }
}

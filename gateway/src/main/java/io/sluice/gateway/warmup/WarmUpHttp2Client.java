package io.sluice.gateway.warmup;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.io.IOException;

/**
 * A warm-up client for HTTP/2 with prior knowledge (RFC 9113 section 3.3). What it sends fits into the
 * initial flow-control windows, and the gateway updates them before it responds.
 */
final class WarmUpHttp2Client extends WarmUpClient {
    private static final byte[] PREFACE = ByteBufUtil.getBytes(Http2CodecUtil.connectionPrefaceBuf());
    private static final int FIRST_STREAM = 1;
    private static final ByteBuf NOTHING = Unpooled.EMPTY_BUFFER;

    @SuppressWarnings("NullAway.Init") // set by greet(), like the decoder
    private DefaultHttp2HeadersEncoder encoder;
    @SuppressWarnings("NullAway.Init")
    private DefaultHttp2HeadersDecoder decoder;
    private int stream;
    /** Received bytes for which no WINDOW_UPDATE of the connection has been sent. */
    private int received;

    /** A frame (RFC 9113 section 4.1). */
    private record Frame(int type, int flags, int stream, ByteBuf payload) {
        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    WarmUpHttp2Client(int port) {
        super(port);
    }

    @Override
    void greet() throws IOException {
        // Header fields as browsers send them: Huffman-coded at first, then indexed.
        encoder = new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, false, 16, 0);
        decoder = new DefaultHttp2HeadersDecoder();
        stream = FIRST_STREAM - 2;
        received = 0;
        send(PREFACE);
        send(Http2FrameTypes.SETTINGS, 0, 0, NOTHING);
    }

    @Override
    int exchange(WarmUpRequest request) throws IOException {
        stream += 2;
        try {
            ByteBuf head = Unpooled.buffer();
            encoder.encodeHeaders(stream, request.head(), head);
            if (request.body().length == 0) {
                send(Http2FrameTypes.HEADERS, Http2Flags.END_HEADERS | Http2Flags.END_STREAM, stream, head);
            } else {
                send(Http2FrameTypes.HEADERS, Http2Flags.END_HEADERS, stream, head);
                send(Http2FrameTypes.DATA, Http2Flags.END_STREAM, stream,
                        Unpooled.wrappedBuffer(request.body()));
            }
            return answer(request);
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
    }

    private int answer(WarmUpRequest request) throws IOException, Http2Exception {
        int status = 0;
        boolean last = false;
        boolean ended = false;
        while (!ended) {
            Frame frame = read();
            switch (frame.type) {
                case Http2FrameTypes.HEADERS -> status = Integer.parseInt(
                        decoder.decodeHeaders(frame.stream, frame.payload).status().toString());
                case Http2FrameTypes.DATA -> received(frame.payload.readableBytes());
                case Http2FrameTypes.SETTINGS -> acknowledge(frame);
                case Http2FrameTypes.GO_AWAY -> {
                    last = true;
                    if (frame.payload.readInt() < stream) { // not processed (RFC 9113 section 6.8)
                        if (stream == FIRST_STREAM) {
                            throw new IOException("a connection was refused before its first request");
                        }
                        close();
                        return request(request);
                    }
                }
                case Http2FrameTypes.RST_STREAM -> throw new IOException("a stream was reset");
                default -> { }
            }
            ended = frame.stream == stream && frame.has(Http2Flags.END_STREAM);
        }
        if (last) {
            close();
        }
        return status;
    }

    /** Updates the connection's window, but not for each frame, which would be treated as a flood. */
    private void received(int bytes) throws IOException {
        received += bytes;
        if (received > Http2CodecUtil.DEFAULT_WINDOW_SIZE / 2) {
            send(Http2FrameTypes.WINDOW_UPDATE, 0, 0, Unpooled.copyInt(received));
            received = 0;
        }
    }

    private void acknowledge(Frame settings) throws IOException {
        if (!settings.has(Http2Flags.ACK)) {
            send(Http2FrameTypes.SETTINGS, Http2Flags.ACK, 0, NOTHING);
        }
    }

    private void send(int type, int flags, int stream, ByteBuf payload) throws IOException {
        ByteBuf frame = Unpooled.buffer(Http2CodecUtil.FRAME_HEADER_LENGTH + payload.readableBytes())
                .writeMedium(payload.readableBytes()).writeByte(type).writeByte(flags).writeInt(stream)
                .writeBytes(payload);
        send(ByteBufUtil.getBytes(frame));
    }

    private Frame read() throws IOException {
        ByteBuf head = read(Http2CodecUtil.FRAME_HEADER_LENGTH);
        int length = head.readUnsignedMedium();
        return new Frame(head.readUnsignedByte(), head.readUnsignedByte(), head.readInt(), read(length));
    }

    private ByteBuf read(int length) throws IOException {
        var bytes = new byte[length];
        in().readFully(bytes);
        return Unpooled.wrappedBuffer(bytes);
    }
}

package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP/2 client that sends any frames and reads the gateway's. */
final class FrameClient implements AutoCloseable {
    static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final RawClient socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder hpack = new DefaultHttp2HeadersDecoder(false);
    /** The fields of each HEADERS frame that was read. HPACK requires that they are decoded in order. */
    private final Map<Frame, Map<String, String>> decoded = new IdentityHashMap<>();
    /** Frames that were read while another one was awaited. */
    private final List<Frame> passed = new ArrayList<>();

    private FrameClient(RawClient socket) throws IOException {
        this.socket = socket;
        in = new DataInputStream(new BufferedInputStream(socket.socket().getInputStream()));
    }

    /** An answer on a stream. */
    record Answer(Map<String, String> headers, byte[] content) {
        int status() {
            return Integer.parseInt(headers.get(":status"));
        }

        String body() {
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    /** Starts on a socket on which the client has sent its preface already. */
    static FrameClient open(RawClient socket) throws IOException {
        return new FrameClient(socket);
    }

    /** Connects, and exchanges prefaces. */
    static FrameClient connect(HandlerServer server, int... settings) throws IOException {
        return greet(new RawClient(server.port()), settings);
    }

    /** Sends the client's preface, and awaits the server's. */
    static FrameClient greet(RawClient socket, int... settings) throws IOException {
        socket.send(PREFACE);
        var client = new FrameClient(socket).send(Frame.settings(settings));
        Frame first = client.read();
        assertThat(first.is(Frame.SETTINGS) && !first.has(Frame.ACK)).as(first.toString()).isTrue();
        client.await(Frame.SETTINGS, 0);
        client.passed.clear();
        return client.send(new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]));
    }

    RawClient socket() {
        return socket;
    }

    FrameClient send(Frame... frames) throws IOException {
        var all = new ByteArrayOutputStream();
        for (Frame frame : frames) {
            all.writeBytes(frame.bytes());
        }
        socket.send(all.toByteArray());
        return this;
    }

    /** Sends frames in one write. Any thread. */
    synchronized void sendNow(Frame... frames) {
        try {
            send(frames);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a HEADERS frame with literal fields in this order, given as names and values by turns. */
    static Frame headers(int stream, boolean end, String... fields) {
        return new Frame(Frame.HEADERS, Frame.END_HEADERS | (end ? Frame.END_STREAM : 0), stream,
                block(fields));
    }

    /** Returns the fields of a request, followed by others. */
    static String[] request(String method, String path, String... more) {
        String[] fields = {":method", method, ":scheme", "http", ":path", path, ":authority", "a"};
        String[] all = Arrays.copyOf(fields, fields.length + more.length);
        System.arraycopy(more, 0, all, fields.length, more.length);
        return all;
    }

    static Frame get(int stream, String path, String... more) {
        return headers(stream, true, request("GET", path, more));
    }

    static Frame post(int stream, String path, String... more) {
        return headers(stream, false, request("POST", path, more));
    }

    static Frame data(int stream, boolean end, String text) {
        return new Frame(Frame.DATA, end ? Frame.END_STREAM : 0, stream,
                text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static byte[] block(String... fields) {
        var block = new ByteArrayOutputStream();
        for (int i = 0; i < fields.length; i++) {
            if (i % 2 == 0) {
                block.write(0); // literal without indexing, new name
            }
            byte[] text = fields[i].getBytes(StandardCharsets.ISO_8859_1);
            writeLength(block, text.length);
            block.writeBytes(text);
        }
        return block.toByteArray();
    }

    /** Writes an integer with a prefix of 7 bits (RFC 7541 section 5.1). */
    private static void writeLength(ByteArrayOutputStream block, int length) {
        if (length < 127) {
            block.write(length);
            return;
        }
        block.write(127);
        int rest = length - 127;
        for (; rest >= 128; rest >>= 7) {
            block.write(rest & 127 | 128);
        }
        block.write(rest);
    }

    /** Reads the next frame of any type. */
    Frame read() throws IOException {
        Frame frame = Frame.read(in);
        if (frame.is(Frame.HEADERS)) {
            decoded.put(frame, decode(frame));
        }
        return frame;
    }

    /** Returns the next frame of a type on a stream. Frames before it are kept for later calls. */
    Frame await(int type, int stream) throws IOException {
        for (var all = passed.iterator(); all.hasNext(); ) {
            Frame frame = all.next();
            if (frame.is(type) && frame.stream() == stream) {
                all.remove();
                return frame;
            }
        }
        for (Frame frame = read(); ; frame = read()) {
            if (frame.is(type) && frame.stream() == stream) {
                return frame;
            }
            if (frame.stream() == stream && frame.is(Frame.RST_STREAM) || frame.is(Frame.GOAWAY)
                    && frame.error() != Frame.NO_ERROR) {
                throw new AssertionError("instead of " + type + " on " + stream + ": " + frame);
            }
            passed.add(frame);
        }
    }

    int resetOf(int stream) throws IOException {
        return await(Frame.RST_STREAM, stream).number();
    }

    /** Returns the answer on a stream, up to the end of its body. */
    Answer answer(int stream) throws IOException {
        Frame head = await(Frame.HEADERS, stream);
        Map<String, String> headers = headers(head);
        if (headers.get(":status").startsWith("1")) {
            return new Answer(headers, new byte[0]);
        }
        return new Answer(headers, head.has(Frame.END_STREAM) ? new byte[0] : body(stream));
    }

    /** Returns the body of an answer whose head has been read. */
    byte[] body(int stream) throws IOException {
        var content = new ByteArrayOutputStream();
        for (boolean more = true; more; ) {
            Frame data = await(Frame.DATA, stream);
            content.writeBytes(data.payload());
            more = !data.has(Frame.END_STREAM);
        }
        return content.toByteArray();
    }

    Map<String, String> headers(Frame head) {
        return decoded.get(head);
    }

    private Map<String, String> decode(Frame head) {
        var headers = new TreeMap<String, String>();
        try {
            hpack.decodeHeaders(head.stream(), Unpooled.wrappedBuffer(head.payload())).forEach(field ->
                    assertThat(headers.put(field.getKey().toString(), field.getValue().toString()))
                            .as(field.getKey().toString()).isNull());
        } catch (Http2Exception e) {
            throw new AssertionError(e);
        }
        return headers;
    }

    /** Returns the error code of the connection's GOAWAY, and checks that the connection ends. */
    int goAway() throws IOException {
        return lastFrame().error();
    }

    /** Returns the connection's GOAWAY, and checks that the connection ends. */
    Frame lastFrame() throws IOException {
        for (Frame frame = read(); ; frame = read()) {
            if (frame.is(Frame.GOAWAY)) {
                assertThat(in.readAllBytes()).isEmpty();
                return frame;
            }
        }
    }

    /** Sends frames and a request, whose answer shows that the connection still works. */
    void assertAlive(int stream, Frame... before) throws IOException {
        send(before).send(get(stream, "/"));
        assertThat(answer(stream).body()).isEqualTo("hello");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

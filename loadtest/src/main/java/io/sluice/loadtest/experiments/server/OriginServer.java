package io.sluice.loadtest.experiments.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The origin behind proxies that are measured: plain Netty on two event loops. It answers with bodies of a
 * few sizes, drops uploads, echoes WebSocket messages, and has a path of a limited capacity.
 */
public final class OriginServer {

    /** The path of the answer of a few bytes. */
    public static final String HELLO = "/hello";
    /** The path of an answer of 10,000 bytes. */
    public static final String TEN_KILOBYTES = "/10k";
    /** The path of an answer of 1,000,000 bytes. */
    public static final String MEGABYTE = "/1m";
    /** The path of answers of any length, to be followed by it in bytes. */
    public static final String BYTES = "/bytes/";
    /** The path that answers with the length of the request's body in decimal. */
    public static final String UPLOAD = "/upload";
    /** The path of answers that each occupy a worker. */
    public static final String WORK_PATH = "/work";
    /** The path of WebSockets that echo. */
    public static final String ECHO = "/ws/echo";
    /**
     * The concurrent requests to {@link #WORK_PATH} unless another number is given; further ones wait in a
     * queue without a limit.
     */
    public static final int WORKERS = 50;
    /** The time of each, unless another is given, to which a timer of the event loop adds up to 1 ms. */
    public static final Duration WORK = Duration.ofMillis(100);

    private static final int LOOPS = 2;
    private static final WebSocketServerProtocolConfig SOCKETS = WebSocketServerProtocolConfig.newBuilder()
            .websocketPath(ECHO)
            .build();

    private OriginServer() {}

    /**
     * Serves a free port of 127.0.0.1, whose number it prints as the gateway does. Arguments are the number
     * of workers, and the time of their work in ms.
     */
    public static void main(String[] args) throws InterruptedException {
        var workers = new OriginWorkers(
                Integer.parseInt(args[0]), Duration.ofMillis(Long.parseLong(args[1])));
        BarePort.serve(0, LOOPS, pipeline -> pipeline.addLast(
                new HttpServerCodec(), new WebSocketServerProtocolHandler(SOCKETS),
                new OriginHandler(workers)));
    }

    /** A body of the letter x, in direct memory, that is never released. */
    static ByteBuf body(int length) {
        var letters = new byte[length];
        Arrays.fill(letters, (byte) 'x');
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer(length).writeBytes(letters));
    }

    /** The command that runs the server, in a JVM with the gateway's options. */
    static List<String> command(int workers, Duration work) {
        return JavaCommand.of("--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), OriginServer.class.getName(),
                Integer.toString(workers), Long.toString(work.toMillis()));
    }
}

package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/** The answer of a {@link FakeExchange}, as far as its client has it. Given from any thread. */
public final class FakeAnswer implements ResponseStream {
    private final FakeExchange exchange;
    private final AtomicBoolean given = new AtomicBoolean();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private volatile HttpResponse head;
    private volatile HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private volatile boolean begun;
    private volatile boolean headSent;
    private volatile boolean whole;
    private volatile int largestPiece;
    private volatile boolean closed;
    /** Bytes that the client takes at once, and those that it takes now. */
    private volatile int window = Integer.MAX_VALUE;
    private volatile long room = window;
    private volatile Runnable onWritable = () -> { };

    FakeAnswer(FakeExchange exchange) {
        this.exchange = exchange;
    }

    // --- the client's view

    /** Whether all of it has come. */
    public boolean isWhole() {
        return whole;
    }

    /** The status; 0 while there is no answer. */
    public int status() {
        return head == null ? 0 : head.status().code();
    }

    /** Whether the client has the head, maybe without any of the body. */
    public boolean isHeadSent() {
        return headSent;
    }

    /** The headers of an answer that there is. */
    public HttpHeaders headers() {
        return head.headers();
    }

    /** The fields behind a streamed body that has ended. */
    public HttpHeaders trailers() {
        return trailers;
    }

    /** The body so far. */
    public byte[] bytes() {
        return body.toByteArray();
    }

    /** The body so far, as UTF-8. */
    public String text() {
        return body.toString(StandardCharsets.UTF_8);
    }

    /** The length of the longest piece so far, in bytes. */
    public int largestPiece() {
        return largestPiece;
    }

    /** The client takes so many bytes at once, and more when it {@linkplain #readOn() reads on}. */
    public void takeAtOnce(int bytes) {
        window = bytes;
        room = bytes;
    }

    /** The client takes nothing more until it {@linkplain #readOn() reads on}. */
    public void stopReading() {
        room = 0;
    }

    /** The client takes more again. On the event loop. */
    public void readOn() {
        exchange.times().progress();
        room = window;
        wakeWriter();
    }

    /** Wakes the writer, for nothing if the client does not take more. On the event loop. */
    public void wakeWriter() {
        exchange.attempt(onWritable::run);
    }

    // --- the exchange's view

    boolean hasBegun() {
        return begun;
    }

    /** Whether the caller may answer: the first one may. */
    boolean claim() {
        return given.compareAndSet(false, true);
    }

    boolean respond(FullHttpResponse response) {
        if (!claim()) {
            response.release();
            return false;
        }
        exchange.loop().run(() -> send(response));
        return true;
    }

    private void send(FullHttpResponse response) {
        try {
            if (!exchange.isOver() && prepare(response)) {
                append(response.content());
                finish();
            }
        } finally {
            response.release();
        }
    }

    ResponseStream stream(HttpResponse answer) {
        if (!claim()) {
            return null;
        }
        begun = true;
        exchange.times().progress();
        exchange.loop().run(() -> {
            if (!exchange.isOver() && prepare(answer)) {
                exchange.times().look();
            }
        });
        return this;
    }

    /** Has filters edit the head; cuts the answer off where one fails. */
    private boolean prepare(HttpResponse answer) {
        try {
            exchange.edit(answer);
            head = answer;
        } catch (RuntimeException e) {
            cutOff();
        }
        return head != null;
    }

    void fail(Throwable cause) {
        if (claim()) {
            HttpResponseStatus status = cause instanceof HttpException http ? http.status()
                    : HttpResponseStatus.INTERNAL_SERVER_ERROR;
            String detail = cause instanceof HttpException ? cause.getMessage() : status.reasonPhrase();
            var problem = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                    Unpooled.copiedBuffer(detail, StandardCharsets.UTF_8));
            if (cause instanceof HttpException http) {
                problem.headers().add(http.headers());
            }
            exchange.loop().run(() -> send(problem));
        } else if (begun) {
            exchange.loop().run(this::cutOff);
        }
    }

    private void cutOff() {
        if (!exchange.isOver()) {
            exchange.end();
            exchange.abort();
        }
    }

    private void finish() {
        headSent = true;
        whole = true;
        exchange.end();
    }

    // --- the writer's view

    @Override
    public void write(ByteBuf content) {
        largestPiece = Math.max(largestPiece, content.readableBytes());
        if (!closed && !exchange.isOver()) {
            append(content);
            exchange.times().progress();
        }
        content.release();
    }

    @Override
    public void flush() {
        headSent = true;
    }

    private void append(ByteBuf content) {
        if (!isHeadOnly()) {
            headSent = true;
            body.writeBytes(ByteBufUtil.getBytes(content));
            room -= content.readableBytes();
        }
    }

    private boolean isHeadOnly() {
        return exchange.request().method().equals(HttpMethod.HEAD);
    }

    @Override
    public boolean isWritable() {
        return room > 0 || exchange.isOver();
    }

    @Override
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    @Override
    public void end(HttpHeaders behind) {
        Trailers.requireValid(behind);
        if (!closed) {
            closed = true;
            trailers = behind;
            exchange.loop().run(this::endInLength);
        }
    }

    private void endInLength() {
        if (exchange.isOver()) {
            return;
        }
        if (isHeadOnly() || HttpUtil.getContentLength(head, (long) body.size()) == body.size()) {
            finish();
        } else {
            cutOff();
        }
    }
}

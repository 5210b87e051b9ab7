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
import io.sluice.handlers.message.Trailers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/** The answer of a {@link FakeExchange}, as its client has received it so far. Any thread may write it. */
public final class FakeResponse implements ResponseStream {
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
    /** The number of bytes that the client reads at once, and the rest of them now. */
    private volatile int window = Integer.MAX_VALUE;
    private volatile long room = window;
    private volatile Runnable onWritable = () -> { };

    FakeResponse(FakeExchange exchange) {
        this.exchange = exchange;
    }

    // --- the client's view

    /** Returns whether the client has received all of the answer. */
    public boolean isWhole() {
        return whole;
    }

    /** Returns the status; 0 before the answer begins. */
    public int status() {
        return head == null ? 0 : head.status().code();
    }

    /** Returns whether the client has received the head, maybe without any of the body. */
    public boolean isHeadSent() {
        return headSent;
    }

    /** Returns the headers of the answer, which must have begun. */
    public HttpHeaders headers() {
        return head.headers();
    }

    /** Returns the trailers of a streamed body that has ended. */
    public HttpHeaders trailers() {
        return trailers;
    }

    /** Returns the received part of the body. */
    public byte[] bytes() {
        return body.toByteArray();
    }

    /** Returns the received part of the body, as UTF-8. */
    public String text() {
        return body.toString(StandardCharsets.UTF_8);
    }

    /** Returns the length of the longest piece so far, in bytes. */
    public int largestPiece() {
        return largestPiece;
    }

    /** Sets the number of bytes that the client reads before it pauses until {@link #readOn()}. */
    public void takeAtOnce(int bytes) {
        window = bytes;
        room = bytes;
    }

    /** Stops the client's reading until {@link #readOn()}. */
    public void stopReading() {
        room = 0;
    }

    /** Lets the client read again. On the event loop. */
    public void readOn() {
        exchange.times().progress();
        room = window;
        wakeWriter();
    }

    /** Wakes the writer, without effect on the client's reading. On the event loop. */
    public void wakeWriter() {
        exchange.attempt(onWritable::run);
    }

    // --- the exchange's view

    boolean hasBegun() {
        return begun;
    }

    /** Returns whether the caller may answer, which only the first caller may. */
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

    /** Has filters edit the head; cuts the answer off if one of them fails. */
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

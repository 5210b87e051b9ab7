package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.offload.Deadline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** An exchange without a request, which keeps what it is answered. */
final class RecordedExchange implements Exchange, ResponseStream {
    final List<FullHttpResponse> responses = new ArrayList<>();
    final ByteBuf body = PooledByteBufAllocator.DEFAULT.buffer();
    volatile HttpResponse head;
    volatile int largestPiece;
    volatile boolean ended;
    volatile boolean gone;
    volatile boolean writable = true;
    /** Each piece fills it: {@link #becomeWritable()} takes one more. */
    volatile boolean narrow;
    volatile Runnable onWritable;
    volatile Runnable onAbort;
    volatile Throwable failure;
    /** Null where none is needed. */
    EventExecutor loop;
    /** Holds up whoever writes until it is complete. */
    volatile CompletableFuture<Void> compression = CompletableFuture.completedFuture(null);

    private final Deadline deadline;
    private final CountDownLatch firstPiece = new CountDownLatch(1);

    RecordedExchange(Duration time) {
        deadline = Deadline.after(time);
    }

    void awaitPiece() throws InterruptedException {
        if (!firstPiece.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("nothing was written");
        }
    }

    void becomeWritable() {
        writable = true;
        onWritable.run();
    }

    void release() {
        responses.forEach(FullHttpResponse::release);
        body.release();
    }

    @Override
    public ByteBufAllocator alloc() {
        return PooledByteBufAllocator.DEFAULT;
    }

    @Override
    public String caller() {
        return null;
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public boolean respond(FullHttpResponse response) {
        responses.add(response);
        return true;
    }

    @Override
    public ResponseStream stream(HttpResponse begun) {
        head = begun;
        return gone ? null : this;
    }

    @Override
    public void write(ByteBuf content) {
        firstPiece.countDown();
        compression.join();
        largestPiece = Math.max(largestPiece, content.readableBytes());
        body.writeBytes(content);
        content.release();
        writable &= !narrow;
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public HttpRequest request() {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public String path() {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public String pathParameter(String name) {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public String queryParameter(String name) {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public boolean hasBody() {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public String requestId() {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public InetSocketAddress clientAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public EventExecutor eventLoop() {
        return loop;
    }

    @Override
    public void readBody(Consumer<ByteBuf> action) {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public void streamBody(BodyReader reader) {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public void resumeBody() {
        throw new AssertionError("not asked for in these tests");
    }

    @Override
    public void onAbort(Runnable action) {
        onAbort = action;
    }

    @Override
    public void fail(Throwable cause) {
        failure = cause;
        onAbort.run();
    }
}

package io.sluice.handlers.query;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.ResponseStream;
import java.util.concurrent.CompletableFuture;

/** An exchange that delays each write of its streamed answer, as compression does. */
final class Compressing extends ExchangeWrapper {
    final CompletableFuture<Void> begun = new CompletableFuture<>();
    final CompletableFuture<Void> done = new CompletableFuture<>();

    Compressing(Exchange wrapped) {
        super(wrapped);
    }

    @Override
    public ResponseStream stream(HttpResponse head) {
        ResponseStream stream = super.stream(head);
        return new ResponseStream() {
            @Override
            public void write(ByteBuf content) {
                begun.complete(null);
                done.join();
                stream.write(content);
            }

            @Override
            public void flush() {
                stream.flush();
            }

            @Override
            public boolean isWritable() {
                return stream.isWritable();
            }

            @Override
            public void onWritable(Runnable action) {
                stream.onWritable(action);
            }

            @Override
            public void end(HttpHeaders trailers) {
                stream.end(trailers);
            }
        };
    }
}

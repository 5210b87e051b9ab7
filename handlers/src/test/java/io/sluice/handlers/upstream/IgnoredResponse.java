package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;

/** A reader that ignores the response. */
class IgnoredResponse implements ResponseReader {

    @Override
    public void informational(HttpResponse head) {
    }

    @Override
    public void head(HttpResponse head) {
    }

    @Override
    public void switched(HttpResponse head, SwitchedConnection connection) {
    }

    @Override
    public void content(ByteBuf piece) {
        piece.release();
    }

    @Override
    public void end(HttpHeaders trailers) {
    }

    @Override
    public void readComplete() {
    }

    @Override
    public void writable() {
    }

    @Override
    public void failed(UpstreamException cause) {
    }
}

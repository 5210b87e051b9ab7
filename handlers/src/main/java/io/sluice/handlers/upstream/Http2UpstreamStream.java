package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception.HeaderListSizeException;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.http2.ClientConnection;
import io.sluice.handlers.upstream.http2.RequestFields;
import io.sluice.handlers.upstream.http2.ResponseFields;
import io.sluice.handlers.upstream.http2.StreamEvents;
import java.util.List;

/**
 * One request and its response on a connection of HTTP/2. The endpoint may send the next 64 KiB of a body
 * only when the reader has taken the last ones. Confined to the event loop.
 */
final class Http2UpstreamStream implements UpstreamStream, StreamEvents {
    private static final HttpVersion HTTP_2 = new HttpVersion("HTTP", 2, 0, true);
    private static final int UNKNOWN = -1;

    private final Endpoint endpoint;
    private final ClientConnection connection;
    private final CountedRequest counted;
    private final boolean reused;
    /** The frame codec's stream; null before the request. */
    private Http2Stream stream;
    /** The reader of the response; null before the request and after the end. */
    private ResponseReader reader;
    private boolean toHead;
    private boolean requestEnded;
    private boolean responseBegun;
    /** The bytes of the body that are still to come; {@link #UNKNOWN} without a Content-Length. */
    private long left = UNKNOWN;
    private boolean paused;
    /** The bytes that have arrived since the pause, for which the endpoint has no credit yet. */
    private int withheld;
    /** Whether the endpoint does not read as fast as the request is written. */
    private boolean blocked;

    Http2UpstreamStream(Endpoint endpoint, ClientConnection connection) {
        this.endpoint = endpoint;
        this.connection = connection;
        counted = new CountedRequest(endpoint);
        reused = connection.isReused();
    }

    // --- the request

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public boolean mayBeRefused() {
        return true;
    }

    @Override
    public void send(UpstreamRequest request, ResponseReader to) {
        reader = to;
        toHead = request.method().equals(HttpMethod.HEAD);
        requestEnded = !request.hasBody();
        counted.begin();
        Http2Headers head = RequestFields.head(request.method(), endpoint.url().secure(), request.authority(),
                request.target());
        RequestFields.add(request.headers(), head);
        if (request.length() > 0) {
            head.addLong(HttpHeaderNames.CONTENT_LENGTH, request.length());
        }
        stream = connection.send(head, requestEnded, this);
    }

    @Override
    public void write(ByteBuf piece) {
        if (reader == null || requestEnded || !piece.isReadable()) {
            piece.release();
        } else {
            connection.write(stream, piece);
        }
    }

    @Override
    public void end(HttpHeaders trailers) {
        if (reader != null && !requestEnded) {
            requestEnded = true;
            connection.end(stream, RequestFields.trailers(trailers));
        }
    }

    @Override
    public void flush() {
        connection.flushLater();
    }

    @Override
    public boolean isWritable() {
        blocked = stream != null && !connection.isWritable(stream);
        return !blocked;
    }

    @Override
    public void writabilityChanged() {
        if (blocked && isWritable()) {
            connection.executor().execute(() -> {
                if (reader != null) {
                    reader.writable();
                }
            });
        }
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
        if (withheld > 0 && reader != null) {
            int credit = withheld;
            withheld = 0;
            connection.grant(stream, credit);
        }
    }

    @Override
    public void cancel() {
        if (reader != null) {
            counted.cancelled();
            leave();
            connection.reset(stream, Http2Error.CANCEL);
        }
    }

    // --- the response

    @Override
    public void headers(ResponseFields received, boolean end) {
        if (reader == null) {
            return;
        }
        HttpResponseStatus status = received.code();
        if (responseBegun) {
            if (status != null || !end) {
                malformed("fields within the body");
            } else {
                complete(received.fields());
            }
        } else if (status == null) {
            malformed("no :status");
        } else if (status.codeClass() == HttpStatusClass.INFORMATIONAL) {
            informational(status, received, end);
        } else {
            head(status, received, end);
        }
    }

    private void informational(HttpResponseStatus status, ResponseFields received, boolean end) {
        if (end || status.code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
            malformed(end ? "an end after an informational response" : "101 in HTTP/2");
        } else {
            reader.informational(new DefaultHttpResponse(HTTP_2, status, received.fields()));
        }
    }

    private void head(HttpResponseStatus status, ResponseFields received, boolean end) {
        List<String> lengths = received.fields().getAll(HttpHeaderNames.CONTENT_LENGTH);
        if (lengths.size() > 1 || !lengths.isEmpty() && !lengths.getFirst().matches("[0-9]{1,18}")) {
            malformed("Content-Length: %s (expected: one number)".formatted(lengths));
            return;
        }
        if (toHead || status.code() == HttpResponseStatus.NO_CONTENT.code()
                || status.code() == HttpResponseStatus.NOT_MODIFIED.code()) {
            left = 0;
        } else if (!lengths.isEmpty()) {
            left = Long.parseLong(lengths.getFirst());
        }
        responseBegun = true;
        counted.responded();
        if (end && left > 0) {
            malformed("no body under a Content-Length of " + left);
            return;
        }
        HttpResponse head = new DefaultHttpResponse(HTTP_2, status, received.fields());
        reader.head(head);
        if (end && reader != null) {
            complete(EmptyHttpHeaders.INSTANCE);
        }
    }

    @Override
    public int data(ByteBuf data, int padding, boolean end) {
        int length = data.readableBytes();
        int credit = length + padding;
        if (reader == null) {
            return credit;
        }
        if (!responseBegun || left >= 0 && length > left) {
            malformed(responseBegun ? "a body longer than its Content-Length" : "a body without a head");
            return credit;
        }
        left = left < 0 ? UNKNOWN : left - length;
        if (length > 0) {
            reader.content(data.retain());
        }
        if (reader != null && end) {
            complete(EmptyHttpHeaders.INSTANCE);
        } else if (reader != null && paused) {
            withheld += credit;
            return 0;
        }
        return credit;
    }

    private void complete(HttpHeaders trailers) {
        if (left > 0) {
            malformed("a body shorter than its Content-Length");
            return;
        }
        ResponseReader of = leave();
        if (!requestEnded) {
            connection.reset(stream, Http2Error.CANCEL); // RFC 9113 section 8.1: the rest is not needed
        }
        of.end(trailers);
    }

    @Override
    public void readComplete() {
        if (reader != null) {
            reader.readComplete();
        }
    }

    private void malformed(String flaw) {
        connection.reset(stream, Http2Error.PROTOCOL_ERROR);
        malformed(new IllegalArgumentException(flaw));
    }

    @Override
    public void malformed(Throwable cause) {
        boolean ofRequest = cause instanceof HeaderListSizeException tooLarge && !tooLarge.duringDecode();
        failed(ofRequest ? Stage.TOO_LARGE : Stage.MALFORMED, cause);
    }

    @Override
    public void closed(boolean refused, Throwable cause) {
        failed(refused ? Stage.REFUSED : responseBegun ? Stage.TRUNCATED : Stage.RESPONSE, cause);
    }

    /** Ends the request, unless it has ended; later if it is still being sent. */
    private void failed(Stage stage, Throwable cause) {
        if (stream == null) {
            connection.executor().execute(() -> failed(stage, cause));
        } else if (reader != null) {
            counted.failed(stage, reused, cause);
            leave().failed(new UpstreamException(endpoint, stage, cause));
        }
    }

    private ResponseReader leave() {
        ResponseReader of = reader;
        reader = null;
        counted.end();
        return of;
    }
}

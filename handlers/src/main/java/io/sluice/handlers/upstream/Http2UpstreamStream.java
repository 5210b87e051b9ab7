package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception.HeaderListSizeException;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.http2.ClientConnection;
import io.sluice.handlers.upstream.http2.RequestFields;
import io.sluice.handlers.upstream.http2.ResponseFields;
import io.sluice.handlers.upstream.http2.ResponseForm;
import io.sluice.handlers.upstream.http2.ResponsePieces;
import io.sluice.handlers.upstream.http2.StreamEvents;
import io.sluice.handlers.upstream.http2.StreamReset;
import io.sluice.offload.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response on a connection of HTTP/2. The endpoint may send the next 64 KiB of a body
 * only when the reader has taken the last ones. Confined to the event loop.
 */
final class Http2UpstreamStream implements UpstreamStream, StreamEvents {
    private static final HttpVersion HTTP_2 = new HttpVersion("HTTP", 2, 0, true);

    private final Endpoint endpoint;
    private final ClientConnection connection;
    private final CountedRequest counted;
    private final boolean reused;
    private final ResponseForm form = new ResponseForm(ResponseReader.MAX_INFORMATIONAL);
    private final ResponsePieces pieces = new ResponsePieces(this::content);
    /** The frame codec's stream; null before the request. */
    private @Nullable Http2Stream stream;
    /** The reader of the response; null before the request and after the end. */
    private @Nullable ResponseReader reader;
    /** The end of the exchange; null before the request. */
    private @Nullable Deadline deadline;
    /** The reads of the connection before the request. */
    private int readsBefore;
    private boolean requestEnded;
    /** Indicates that the endpoint reads more slowly than the request is written. */
    private boolean blocked;
    /** Why the endpoint has reset the stream; null if it has not. */
    private @Nullable StreamReset resetCause;
    private boolean stale;
    private boolean lost;

    Http2UpstreamStream(Endpoint endpoint, ClientConnection connection) {
        this.endpoint = endpoint;
        this.connection = connection;
        counted = new CountedRequest(endpoint);
        reused = connection.isReused();
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public boolean isStale() {
        return stale;
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public boolean mayBeRefused() {
        return true;
    }

    @Override
    public void send(UpstreamRequest request, ResponseReader to) {
        reader = to;
        deadline = request.deadline();
        if (request.method().equals(HttpMethod.HEAD)) {
            form.respondsToHead();
        }
        requestEnded = !request.hasBody();
        counted.begin(request);
        Http2Headers head = RequestFields.head(request.method(), endpoint.url().secure(), request.authority(),
                request.target());
        RequestFields.add(request.headers(), request.length(), head);
        readsBefore = connection.heartbeat().reads();
        stream = connection.send(head, requestEnded, this);
    }

    @Override
    public void write(ByteBuf piece) {
        if (stream == null || reader == null || requestEnded || !piece.isReadable()) {
            piece.release();
        } else {
            connection.write(stream, piece);
        }
    }

    @Override
    public void end(HttpHeaders trailers) {
        if (stream != null && reader != null && !requestEnded) {
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
                ResponseReader to = reader;
                if (to != null) {
                    to.writable();
                }
            });
        }
    }

    @Override
    public void pause() {
        pieces.pause();
    }

    @Override
    public void resume() {
        int withheld = pieces.resume();
        if (pieces.pass() && reader != null) {
            reader.readComplete();
        }
        if (withheld > 0 && stream != null && reader != null) {
            connection.grant(stream, withheld);
        }
    }

    @Override
    public void cancel() {
        if (reader != null) {
            counted.cancelled();
            detachReader();
            if (stream != null) { // otherwise the head could not be made
                connection.reset(stream, Http2Error.CANCEL);
                connection.heartbeat().doubt(readsBefore);
            }
        }
    }

    @Override
    public void headers(ResponseFields received, boolean end) {
        ResponseReader to = reader;
        if (to == null) {
            return;
        }
        String flaw = form.fields(received, end);
        HttpResponseStatus status = received.code();
        if (flaw != null) {
            rejectResponse(flaw);
        } else if (status == null) {
            complete(received.fields());
        } else if (received.isInformational()) {
            to.informational(new DefaultHttpResponse(HTTP_2, status, received.fields()));
        } else {
            var head = new DefaultHttpResponse(HTTP_2, status, received.fields());
            counted.responded(head);
            to.head(head);
            if (end) {
                complete(EmptyHttpHeaders.INSTANCE);
            }
        }
    }

    @Override
    public int data(ByteBuf data, int padding, boolean end) {
        int bytes = data.readableBytes() + padding;
        if (reader == null) {
            return bytes;
        }
        String flaw = form.data(data.readableBytes());
        if (flaw != null) {
            rejectResponse(flaw);
            return bytes;
        }
        pieces.add(data);
        if (end) {
            complete(EmptyHttpHeaders.INSTANCE);
        }
        return reader == null ? bytes : pieces.credit(bytes);
    }

    private void content(ByteBuf piece) {
        if (reader == null) {
            piece.release();
        } else {
            reader.content(piece);
        }
    }

    private void complete(HttpHeaders trailers) {
        pieces.pass();
        ResponseReader to = reader;
        if (to == null) {
            return; // the reader cancelled on the last piece
        }
        String flaw = form.end();
        if (flaw != null) {
            rejectResponse(flaw);
            return;
        }
        detachReader();
        if (stream != null && (!requestEnded || connection.hasUnsent(stream))) {
            connection.reset(stream, Http2Error.CANCEL); // RFC 9113 section 8.1: the rest is not needed
        }
        to.end(trailers);
    }

    @Override
    public void readComplete() {
        pieces.readComplete();
        if (reader != null) {
            reader.readComplete();
        }
    }

    private void rejectResponse(String flaw) {
        if (stream != null) {
            connection.reset(stream, Http2Error.PROTOCOL_ERROR);
        }
        malformed(new IllegalArgumentException(flaw));
    }

    @Override
    public void malformed(Throwable cause) {
        boolean tooLarge = cause instanceof HeaderListSizeException size && !size.duringDecode();
        failed(tooLarge ? Stage.TOO_LARGE : Stage.MALFORMED, cause);
    }

    @Override
    public void reset(StreamReset cause) {
        resetCause = cause;
    }

    @Override
    public void closed(boolean refused, @Nullable Throwable cause) {
        if (deadline != null && resetCause != null && resetCause.isBy(deadline)) {
            requestEnded = true; // and the deadline, which is no failure of the endpoint, ends the exchange
            return;
        }
        lost = resetCause == null && !refused && connection.heartbeat().hasResponded();
        stale = resetCause == null && (refused ? reused : connection.isSilent());
        failed(refused || resetCause != null && resetCause.refuses() ? Stage.REFUSED
                : form.hasBegun() ? Stage.TRUNCATED : Stage.RESPONSE,
                resetCause == null ? cause : resetCause);
    }

    /** Ends the request, unless it has ended; later if it is still being sent. */
    private void failed(Stage stage, @Nullable Throwable cause) {
        if (stream == null) {
            connection.executor().execute(() -> failed(stage, cause));
            return;
        }
        pieces.pass();
        ResponseReader to = reader;
        if (to != null) {
            boolean ofConnection = stage == Stage.RESPONSE && resetCause == null;
            counted.failed(stage, stale, !ofConnection || connection.isFirstLoss(), cause);
            detachReader();
            to.failed(new UpstreamException(endpoint, stage, cause));
        }
    }

    private void detachReader() {
        reader = null;
        pieces.release();
        counted.end();
    }
}

package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Streams the body of a request back as it arrives; describes a request without a body as JSON. */
public final class EchoHandler implements RouteHandler {

    @Override
    public void handle(Exchange exchange) {
        if (exchange.hasBody()) {
            echoBody(exchange);
        } else {
            describe(exchange);
        }
    }

    private static void echoBody(Exchange exchange) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        String type = exchange.headers().get(HttpHeaderNames.CONTENT_TYPE);
        head.headers().set(HttpHeaderNames.CONTENT_TYPE,
                type == null ? HttpHeaderValues.APPLICATION_OCTET_STREAM : type);
        String length = exchange.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        if (length != null) {
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        }
        exchange.streamBody(new Echo(exchange, head));
    }

    /** Writes each piece of a body back. */
    private static final class Echo implements Exchange.BodyReader {
        private final Exchange exchange;
        private final HttpResponse head;
        /** Null until the first piece, and if the client has gone. */
        private @Nullable ResponseStream back;

        Echo(Exchange exchange, HttpResponse head) {
            this.exchange = exchange;
            this.head = head;
        }

        @Override
        public boolean content(ByteBuf content) {
            ResponseStream stream = begun();
            if (stream == null) {
                content.release();
                return true;
            }
            stream.write(content);
            return stream.isWritable();
        }

        @Override
        public void end(HttpHeaders trailers) {
            ResponseStream stream = begun();
            if (stream != null) {
                stream.end();
            }
        }

        private @Nullable ResponseStream begun() {
            if (back == null) {
                back = exchange.stream(head);
                if (back != null) {
                    back.onWritable(exchange::resumeBody);
                }
            }
            return back;
        }
    }

    private static void describe(Exchange exchange) {
        ByteBuf buffer = exchange.alloc().buffer();
        try (JsonGenerator json = Json.generator(new ByteBufOutputStream(buffer))) {
            json.writeStartObject();
            json.writeStringProperty("method", exchange.request().method().name());
            json.writeStringProperty("target", exchange.request().uri());
            json.writeStringProperty("path", exchange.path());
            json.writeStringProperty("version", exchange.request().protocolVersion().text());
            json.writeStringProperty("client", exchange.clientAddress().getAddress().getHostAddress());
            json.writeStringProperty("requestId", exchange.requestId());
            json.writeArrayPropertyStart("headers");
            for (Map.Entry<String, String> header : exchange.headers()) {
                json.writeStartObject();
                json.writeStringProperty("name", header.getKey());
                json.writeStringProperty("value", header.getValue());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE, buffer);
    }
}

package io.sluice.gateway.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.routing.RouteTable;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Serves a page for trying out the WebSocket routes in a browser. */
final class SocketsPage implements RouteHandler {
    /** The content security policy: scripts and styles come from this origin only. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final Operated gateway;
    private final Map<String, File> files = Map.of(
            "/ws/", new File("page.html", "text/html; charset=utf-8"),
            "/ws/page.css", new File("page.css", "text/css; charset=utf-8"),
            "/ws/page.js", new File("page.js", "text/javascript; charset=utf-8"));

    private record File(byte[] content, String type) {
        File(String name, String type) {
            this(read(name), type);
        }

        private static byte[] read(String name) {
            try (InputStream in = SocketsPage.class.getResourceAsStream("sockets/" + name)) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Serves a page for the routes of a gateway. */
    SocketsPage(Operated gateway) {
        this.gateway = gateway;
    }

    @Override
    public void handle(Exchange exchange) {
        switch (exchange.path()) {
            case "/ws" -> throw new HttpException(HttpResponseStatus.PERMANENT_REDIRECT, "it is at /ws/")
                    .with(HttpHeaderNames.LOCATION, "/ws/");
            case "/ws/sockets.json" -> exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE,
                    Unpooled.wrappedBuffer(Json.bytes(
                            Map.of("port", gateway.port(), "routes", RouteTable.of(gateway.routes())))));
            default -> file(exchange);
        }
    }

    private void file(Exchange exchange) {
        File file = files.get(exchange.path());
        if (file == null) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, "no such file");
        }
        ByteBuf content = Unpooled.wrappedBuffer(file.content());
        FullHttpResponse answer =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content);
        answer.headers().set(HttpHeaderNames.CONTENT_TYPE, file.type())
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE)
                .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY);
        exchange.respond(answer);
    }
}

package io.sluice.gateway.page;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** The files of a page: {@code page.html}, {@code page.css} and {@code page.js}. Thread-safe. */
public final class PageFiles {
    private final Map<String, File> files;
    private final String policy;

    private record File(byte[] content, String type) {
    }

    /**
     * Reads the files.
     *
     * @param folder relative to the class
     * @param connect the sources that the page may connect to, in the words of CSP
     */
    public PageFiles(Class<?> neighbour, String folder, String connect) {
        files = Map.of("", new File(read(neighbour, folder + "/page.html"), "text/html; charset=utf-8"),
                "page.css", new File(read(neighbour, folder + "/page.css"), "text/css; charset=utf-8"),
                "page.js", new File(read(neighbour, folder + "/page.js"), "text/javascript; charset=utf-8"));
        policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src " + connect
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    private static byte[] read(Class<?> neighbour, String name) {
        try (InputStream in = neighbour.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Responds with a file.
     *
     * @param name empty for the page itself
     * @throws HttpException 404 if there is no such file
     */
    public void respond(Exchange exchange, String name) {
        File file = files.get(name);
        if (file == null) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, "no such file");
        }
        FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                Unpooled.wrappedBuffer(file.content()));
        answer.headers().set(HttpHeaderNames.CONTENT_TYPE, file.type())
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE)
                .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, policy);
        exchange.respond(answer);
    }
}

package io.sluice.gateway.openapi;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.type.PathTemplate.Rest;
import io.sluice.gateway.page.PageFiles;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.files.Location;
import java.util.Objects;

/**
 * Serves a page that shows the document and sends requests, at a path that ends with {@code **}; the document
 * is below it. The files of the page need no token, since browsers send none for them. The page asks for the
 * token of the document.
 */
public final class OpenapiPage implements RouteHandler {
    private final RouteHandler document;
    private final PageFiles files;

    /**
     * Creates a page.
     *
     * @param document responds with the document
     * @param connect the sources that the page may connect to, in the words of CSP
     */
    public OpenapiPage(RouteHandler document, String connect) {
        this.document = document;
        files = new PageFiles(OpenapiPage.class, "page", connect);
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        String path = exchange.path();
        String name = Objects.requireNonNull(exchange.pathParameter(Rest.NAME));
        if (name.isEmpty() && !path.endsWith("/")) {
            String segment = path.substring(path.lastIndexOf('/') + 1);
            // Relative, as a proxy may have removed a prefix.
            throw new HttpException(HttpResponseStatus.PERMANENT_REDIRECT, "it is at " + path + '/')
                    .with(HttpHeaderNames.LOCATION, "./" + Location.encoded(segment) + '/');
        } else if (name.equals("openapi.json")) {
            document.handle(exchange);
        } else {
            files.respond(exchange, name);
        }
    }
}

package io.sluice.loadtest.experiments.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * A proxy on Reactor Netty, of which Spring Cloud Gateway is made. It has no timeouts, retries or metrics,
 * and adds no fields.
 */
public final class ReactorProxy {

    private static final int LOOPS = 2;
    /** More connections than any workload has; the default is 500. */
    private static final int CONNECTIONS = 20_000;

    private final HttpClient origin;

    private ReactorProxy(LoopResources loops, String origin) {
        this.origin = HttpClient.create(ConnectionProvider.create("origin", CONNECTIONS)).runOn(loops)
                .baseUrl(origin);
    }

    /**
     * Serves a free port of 127.0.0.1, whose number it prints as the gateway does.
     *
     * @param args the origin's port; for TLS the files of a certificate and its key, too
     */
    public static void main(String[] args) throws SSLException {
        var loops = LoopResources.create("proxy", LOOPS, true);
        var proxy = new ReactorProxy(loops, "http://127.0.0.1:" + args[0]);
        HttpServer server = HttpServer.create().host("127.0.0.1").port(0).runOn(loops)
                .maxKeepAliveRequests(-1).handle(proxy::pass);
        if (args.length > 1) {
            SslContext tls = SslContextBuilder
                    .forServer(Path.of(args[1]).toFile(), Path.of(args[2]).toFile()).build();
            server = server.secure(spec -> spec.sslContext(tls));
        }
        var bound = server.bindNow();
        System.out.println("Reactor Netty serves http://localhost:" + bound.port() + "/");
        bound.onDispose().block();
    }

    /**
     * The command that runs the proxy, in a JVM with the gateway's options.
     *
     * @param tls for clients; without it, they speak plain HTTP
     */
    public static List<String> command(int originPort, Optional<TlsFiles> tls) {
        var command = JavaCommand.of("--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), ReactorProxy.class.getName(),
                Integer.toString(originPort));
        tls.ifPresent(files -> command.addAll(
                List.of(files.certificate().toString(), files.privateKey().toString())));
        return command;
    }

    private Publisher<Void> pass(HttpServerRequest request, HttpServerResponse response) {
        HttpHeaders fields = request.requestHeaders();
        if (fields.contains(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)) {
            return tunnel(request, response);
        }
        boolean body = fields.contains(HttpHeaderNames.CONTENT_LENGTH)
                || fields.contains(HttpHeaderNames.TRANSFER_ENCODING);
        return origin.headers(sent -> sent.set(fields).remove(HttpHeaderNames.HOST)
                        .remove(HttpHeaderNames.CONNECTION).remove(HttpHeaderNames.UPGRADE))
                .request(request.method()).uri(request.uri())
                .send(body ? request.receive().retain() : Flux.empty())
                .response((answer, content) -> {
                    response.status(answer.status()).headers(answer.responseHeaders());
                    return response.send(content.retain());
                });
    }

    private Publisher<Void> tunnel(HttpServerRequest request, HttpServerResponse response) {
        return response.sendWebsocket((fromClient, toClient) -> origin.websocket().uri(request.uri())
                .handle((fromOrigin, toOrigin) -> Mono.when(
                        toOrigin.sendObject(fromClient.receiveFrames().map(frame -> frame.retain())),
                        toClient.sendObject(fromOrigin.receiveFrames().map(frame -> frame.retain()))))
                .then());
    }
}

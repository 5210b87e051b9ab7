package io.sluice.gateway.websocket;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.WebSocketListener;
import org.junit.jupiter.api.Nested;

/** The contract of WebSockets over each version of HTTP, directly and through the proxy. */
class WebSocketContractIT {

    private abstract static class OverTheWire extends WebSocketContract {
        private final Http http;
        private SocketServer server;

        OverTheWire(Http http) {
            this.http = http;
        }

        @Override
        protected Client open(WebSocketListener to) throws Exception {
            server = new SocketServer(new SocketSettings(), _ -> to);
            return new WireClient(RawSocket.open(http, port(server.port()), "/"));
        }

        int port(int ofServer) {
            return ofServer;
        }

        @Override
        protected void stop() {
            server.close();
        }
    }

    private abstract static class Proxied extends OverTheWire {
        private RunningGateway proxy;

        Proxied(Http http) {
            super(http);
        }

        @Override
        int port(int ofServer) {
            proxy = RunningGateway.start("""
                    sluice.upstreams.server { endpoints = ["http://127.0.0.1:%d"] }
                    sluice.routes.all { path = "/**", handler = proxy, upstream = server }
                    """.formatted(ofServer));
            return proxy.port();
        }

        @Override
        protected void stop() {
            proxy.close();
            super.stop();
        }
    }

    @Nested
    class OverHttp1 extends OverTheWire {
        OverHttp1() {
            super(Http.HTTP_1_1);
        }
    }

    @Nested
    class OverHttp2 extends OverTheWire {
        OverHttp2() {
            super(Http.HTTP_2);
        }
    }

    @Nested
    class ProxiedOverHttp1 extends Proxied {
        ProxiedOverHttp1() {
            super(Http.HTTP_1_1);
        }
    }

    @Nested
    class ProxiedOverHttp2 extends Proxied {
        ProxiedOverHttp2() {
            super(Http.HTTP_2);
        }
    }
}

package io.sluice.handlers.upstream;

import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.AsciiString;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.offload.ClientNetwork;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request as its endpoint counts it: in flight from {@link #begin} to {@link #end}, with the time until its
 * response begins. Serves one request after the other. Confined to an event loop.
 */
final class CountedRequest {
    private static final AsciiString GRPC_STATUS = AsciiString.cached("grpc-status");
    /** UNKNOWN, INTERNAL, UNAVAILABLE and DATA_LOSS. */
    private static final Set<String> GRPC_ERRORS = Set.of("2", "13", "14", "15");

    private final Endpoint endpoint;
    private long begunNanos;
    @SuppressWarnings("NullAway.Init") // set by begin(), which precedes all others
    private EndpointResponses ofRoute;
    @SuppressWarnings("NullAway.Init")
    private InetSocketAddress client;
    /** Indicates whether the response has not begun. */
    private boolean awaiting;

    CountedRequest(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Begins a request. */
    void begin(UpstreamRequest request) {
        ofRoute = request.responses().of(endpoint);
        client = request.client();
        begunNanos = endpoint.began(ofRoute);
        awaiting = true;
    }

    /** Called with the head of the final response, or of a 101. */
    void responded(HttpResponse head) {
        awaiting = false;
        endpoint.responded(begunNanos, isError(head), ofRoute);
    }

    /** Returns whether a response is an error of the server, in gRPC by a status without a message. */
    private static boolean isError(HttpResponse head) {
        if (head.protocolVersion().majorVersion() < 2 || !head.status().equals(HttpResponseStatus.OK)) {
            return head.status().codeClass() == HttpStatusClass.SERVER_ERROR;
        }
        String status = head.headers().get(GRPC_STATUS);
        return status != null && GRPC_ERRORS.contains(status);
    }

    /** Ends the request; one of the others comes before if it has not ended well. */
    void end() {
        if (awaiting) {
            awaiting = false;
            ofRoute.ended();
        }
        endpoint.ended();
    }

    /** Called if the client gives up. */
    void cancelled() {
        if (awaiting) {
            endpoint.cancelled(begunNanos, ofRoute);
        }
    }

    /**
     * Called if the response does not come, or not as a whole.
     *
     * @param stale whether the endpoint was free to close the connection, as that had been idle
     * @param first whether no other request has failed by the same event
     */
    void failed(Stage stage, boolean stale, boolean first, @Nullable Throwable cause) {
        if (stage == Stage.TOO_LARGE || stage != Stage.MALFORMED && awaiting && stale) {
            return; // no failure of the endpoint
        }
        if (!first || stage == Stage.TRUNCATED && !awaiting) {
            endpoint.meter(stage, cause);
        } else {
            endpoint.failed(stage, ClientNetwork.of(client.getAddress()), cause);
            if (awaiting) {
                endpoint.lost(ofRoute, cause);
            }
        }
    }
}

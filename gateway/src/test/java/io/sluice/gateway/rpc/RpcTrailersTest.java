package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.exchange.TrailerMirror;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Trailers and informational responses, which {@code ws-rpc} messages cannot carry. */
class RpcTrailersTest {
    private final TrailerMirror mirror = new TrailerMirror();
    private final RpcTestBed bed = new RpcTestBed(
            route("/mirror", mirror::handle),
            route("/trailers", exchange -> {
                ResponseStream stream = exchange.stream(
                        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
                stream.end(new DefaultHttpHeaders().set(exchange.queryParameter("name"), "a"));
            }),
            route("/inform", RpcTrailersTest::inform));

    private static void inform(Exchange exchange) {
        int status = Integer.parseInt(exchange.queryParameter("status"));
        exchange.inform(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status)));
        answer(exchange, "hello");
    }

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void aBodyHasNoTrailers() {
        assertThat(bed.ask("{'method':'POST','path':'/mirror','body':'a'}"))
                .isEqualTo("{'id':null,'status':200,'body':'\\'a\\''}");
        assertThat(mirror.received).singleElement().isSameAs(EmptyHttpHeaders.INSTANCE);
    }

    @Test
    void trailersAreCheckedAndDropped() {
        assertThat(bed.ask("{'path':'/trailers','query':{'name':'x'}}"))
                .isEqualTo("{'id':null,'status':200}");
        assertThat(bed.ask("{'path':'/trailers','query':{'name':'host'}}")).contains("'status':500");
    }

    @Test
    void informationalAnswersAreCheckedAndDropped() {
        assertThat(bed.ask("{'path':'/inform','query':{'status':103}}"))
                .isEqualTo("{'id':null,'status':200,'body':'hello'}");
        assertThat(bed.ask("{'path':'/inform','query':{'status':101}}")).contains("'status':500");
    }
}

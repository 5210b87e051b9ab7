package io.sluice.gateway.warmup;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A request in the formats of HTTP/1.1 and HTTP/2.
 *
 * @param http1 the whole request in HTTP/1.1
 * @param head the header fields in HTTP/2
 * @param body the body in HTTP/2; empty if there is none
 */
record WarmUpRequest(byte[] http1, Http2Headers head, byte[] body) {
    private static final String HOST = "localhost";
    private static final String CLIENT = "warm-up";

    static WarmUpRequest get(String path) {
        return of("GET", path, "", new byte[0]);
    }

    static WarmUpRequest post(String path, byte[] body) {
        return of("POST", path, "Content-Length: %d\n".formatted(body.length), body);
    }

    private static WarmUpRequest of(String method, String path, String fields, byte[] body) {
        var http1 = new ByteArrayOutputStream();
        http1.writeBytes(bytes("""
                %s %s HTTP/1.1
                Host: %s
                User-Agent: %s
                Accept: */*
                %s
                """.formatted(method, path, HOST, CLIENT, fields)));
        http1.writeBytes(body);
        Http2Headers head = new DefaultHttp2Headers().method(method).path(path).scheme("http").authority(HOST)
                .add("user-agent", CLIENT).add("accept", "*/*");
        return new WarmUpRequest(http1.toByteArray(), head, body);
    }

    /** Converts a head of HTTP/1.1 to bytes; line ends become CR LF. */
    static byte[] bytes(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}

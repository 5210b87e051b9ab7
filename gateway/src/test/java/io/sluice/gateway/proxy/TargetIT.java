package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The origin gets the same request target that the route was matched with; otherwise the request is refused.
 */
class TargetIT {
    private static ProxyBed proxy;
    /** Has no route for all paths. */
    private static ProxyBed narrow;

    @BeforeAll
    static void start() throws IOException {
        proxy = ProxyBed.start("""
                sluice.routes {
                  stripped {
                    path = "/strip/me/**", handler = proxy, upstream = origin, strip-prefix = "/strip/me"
                  }
                  rewritten {
                    path = "/api/{shop}/{id}/**", handler = proxy, upstream = origin
                    rewrite = "/v2/{id}/of/{shop}/**"
                  }
                  dropped { path = "/drop/{id}/**", handler = proxy, upstream = origin, rewrite = "/{id}" }
                  moved { path = "/move/**", handler = proxy, upstream = origin, rewrite = "/**" }
                  fixed { path = "/fix/{id}", handler = proxy, upstream = origin, rewrite = "/" }
                  cut { path = "/cut/{id}/**", handler = proxy, upstream = origin, strip-prefix = "/cut" }
                  admin { path = "/strip/me/admin/**", handler = text, text = no }
                  protected { path = "/protected/**", handler = text, text = no }
                  one { path = "/one/{id}", handler = text, text = no }
                }
                """, origin());
        narrow = ProxyBed.start("""
                sluice.routes {
                  all.path = "/projects/{id}"
                  admin { path = "/projects/{id}/admin", handler = text, text = no, methods = [POST] }
                  moved { path = "/moved/{id}", handler = proxy, upstream = origin, rewrite = "/items/{id}" }
                  pair { path = "/{a}/{b}", handler = proxy, upstream = origin }
                }
                """, origin());
    }

    private static ByteOrigin origin() throws IOException {
        return ByteOrigin.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }

    @AfterAll
    static void stop() throws IOException {
        proxy.close();
        narrow.close();
    }

    @ParameterizedTest
    @CsvSource({"/, /", "/a/b/, /a/b/", "/a%20b%C3%A9, /a%20b%C3%A9", "/%61, /%61", "/a%2Fb%2fc, /a%2Fb%2fc",
        "/a;v=1/b;w, /a;v=1/b;w", "/a/;x, /a/;x", "/a%2F, /a%2F",
        "/a/https%3A%2F%2Fcdn.example%2Fa.png, /a/https%3A%2F%2Fcdn.example%2Fa.png",
        "/a/%5c;x%2F, /a/%5c;x%2F",
        "/.a/..b/c.., /.a/..b/c..", "/...;x, /...;x", "/a%252e%252e, /a%252e%252e",
        "/a+b@c:d!$&'()*=~_-, /a+b@c:d!$&'()*=~_-",
        "/a?, /a?", "/a?b=//../%2e&c?d=/..;/, /a?b=//../%2e&c?d=/..;/", "/a?%00%ff, /a?%00%ff",
        "http://shop.example/a/b?c, /a/b?c", "HTTP://shop.example, /", "http://shop.example?q=/, /?q=/",
        "/strip/me, /", "/strip/me?q, /?q", "/strip/me/, /", "/strip/me/a%2Fb/?q, /a%2Fb/?q",
        "http://shop.example/strip/me/x, /x", "/strip/me/;x/a%2F%2Fb, /;x/a%2F%2Fb",
        "/cut/7;v/a%2Fb, /7;v/a%2Fb"})
    void targetIsPassedOnUnchanged(String target, String expected) throws IOException {
        assertThat(proxy.get(target).status()).isEqualTo(200);
        assertThat(proxy.origin().requests().getLast()).startsWith("GET " + expected + " HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @CsvSource({"/strip/me/a, X-Forwarded-Prefix: /strip/me", "/a,"})
    void theOriginLearnsWhichPrefixIsMissing(String target, String field) throws IOException {
        assertThat(proxy.get(target, "X-Forwarded-Prefix: /evil").status()).isEqualTo(200);
        assertThat(proxy.origin().requests().getLast().lines()
                .filter(line -> line.startsWith("X-Forwarded-Prefix")))
                .containsExactlyElementsOf(Stream.ofNullable(field).toList());
    }

    @ParameterizedTest
    @CsvSource({"/api/a/7, /v2/7/of/a", "/api/a/7/, /v2/7/of/a/",
        "/api/a/7/x/y?q=/../, /v2/7/of/a/x/y?q=/../",
        "/%61pi/a%20b/%37;v=1/x%2Fy/?, /v2/%37;v=1/of/a%20b/x%2Fy/?", "/api/a%252e/7?, /v2/7/of/a%252e?",
        "http://shop.example/api/a/7/b, /v2/7/of/a/b", "/drop/a+b/c/d?e, /a+b?e", "/move, /", "/move?q, /?q",
        "/move/, /", "/move/a/, /a/", "/fix/7?q, /?q"})
    void rewriteKeepsTheEncodingOfTheClient(String target, String expected) throws IOException {
        targetIsPassedOnUnchanged(target, expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a/../b", "/a/./b", "/a/..", "/./a", "//a", "/a//b", "/a//", "/a/%2e%2e/b",
        "/a/.%2E/b", "/a/%2e/b", "/a/..;/b", "/a/..;x=1", "/a/.;/b", "/a/%2e%2e;/b", "/a/..%3b/b",
        "/a/..%3Bx", "/a%2f..%2fb", "/a/x%2F..%2F..%2Fprotected/x", "/a/..%2Fprotected", "/a/..%5cprotected",
        "/a/x%5C..%5Cb", "/api/a/..%2fprotected", "/api/a/%2e%2e;/protected", "/drop/..%5cprotected",
        "/drop/x//y", "/move/%2e%2e/protected/../..", "/move/x/..;/protected",
        "/strip/%6de/a", "/../a", "/a\\b", "/a#b", "/a?b#c", "/caf\u00e9",
        "/a\u007f", "/a%zz", "/a%00", "/%ff", "ftp://shop.example/a", "a/b", "http:///a",
        "http://user@shop.example/a"})
    void ambiguousTargetIsRefused(String target) throws IOException {
        int before = proxy.origin().requests().size();
        assertThat(proxy.get(target).status()).as(target).isIn(400, 404);
        assertThat(proxy.origin().requests()).hasSize(before);
    }

    /** The origin may read a path of another route, or captures of a rewritten path as several segments. */
    @ParameterizedTest
    @ValueSource(strings = {"/protected;x/a", "/protected%3Bx/a", "/protected%2Fa", "/protected%5ca",
        "/protected;x%2Fa", "/one;x/b%2Fc", "/one%2Fb;x", "/one%2fb", "/fix/a%2Fb", "/protected%2f",
        "/;x/protected/a", "/%3b/protected/a", "/%2Fprotected/a", "/%5Cprotected/a", "/%5c;x%2F/protected",
        "/cut/;x/protected", "/cut/protected%2fa", "/cut/%5Cprotected/a", "/drop/protected%2Fa",
        "/drop/%3B/a", "/strip/me/;x/admin/users", "/strip/me/%2Fadmin"})
    void isRefusedIfItCanBeReadAsAnother(String target) throws IOException {
        int before = proxy.origin().requests().size();
        assertThat(proxy.get(target).status()).as(target).isEqualTo(400);
        assertThat(proxy.origin().requests()).hasSize(before);
    }

    /** A path without a route is safe only below the literal segments of the route that was found. */
    @ParameterizedTest
    @CsvSource({"/projects/group%2Fname, 200", "/projects/a%5Cb;x, 200",
        "/projects/https%3A%2F%2Fcdn.example%2Fa, 200", "/projects/7%2Fadmin, 400",
        "/projects/7%2Fadmin%2F, 400", "/projects/;x, 400", "/;x/secret, 400", "/a%2Fb/c, 400",
        "/projects%2F7/a, 400", "/moved/a%2Fb, 400"})
    void encodedSlashesAreAllowedOnlyWithoutAnotherRoute(String target, int status) throws IOException {
        int before = narrow.origin().requests().size();
        assertThat(narrow.get(target).status()).as(target).isEqualTo(status);
        assertThat(narrow.origin().requests()).hasSize(before + (status == 200 ? 1 : 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/protected/a", "/%70rotected/a", "/x/../protected/a", "//protected/a",
        "/protected/a%2Fb", "/protected/..;x/a", "/protected/;x/a", "/one/a%2Fb"})
    void doesNotLeadAroundAnotherRoute(String target) throws IOException {
        int before = proxy.origin().requests().size();
        assertThat(proxy.get(target).body()).isEqualTo("no");
        assertThat(proxy.origin().requests()).hasSize(before);
    }

    /** An absolute target without path and query stands for {@code *} (RFC 9112 section 3.2.4). */
    @ParameterizedTest
    @CsvSource({"*, 0", "http://shop.example, 0", "http://shop.example/, 1", "http://shop.example?q, 1"})
    void ofOptionsMayBeTheWholeServer(String target, int passedOn) throws IOException {
        int before = proxy.origin().requests().size();
        assertThat(proxy.exchange(request("OPTIONS", target)).header("allow") != null)
                .isEqualTo(passedOn == 0);
        assertThat(proxy.origin().requests()).hasSize(before + passedOn);
    }

    @ParameterizedTest
    @CsvSource({"http://other.example:81/, other.example:81", "/, shop.example"})
    void namesTheHost(String target, String host) throws IOException {
        proxy.exchange(request("GET", target));
        assertThat(proxy.origin().requests().getLast()).contains("\r\nHost: " + host + "\r\n",
                "\r\nX-Forwarded-Host: " + host + "\r\n").doesNotContain("Host: shop.example\r\nHost");
    }
}

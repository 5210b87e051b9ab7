package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {
    private static final String EXPECTED = "an address or a network, such as 10.0.0.0/8 or fd00::/8";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.1.2, 11.0.0.0",
        "10.0.0.0/8, 10.0.0.0, 9.255.255.255",
        "192.0.2.128/25, 192.0.2.128, 192.0.2.127",
        "192.0.2.4/30, 192.0.2.7, 192.0.2.8",
        "192.0.2.7, 192.0.2.7, 192.0.2.6",
        "192.0.2.7/32, 192.0.2.7, ::c000:207",
        "0.0.0.0/0, 255.255.255.255, ::1",
        "::/0, 2001:db8::1, 127.0.0.1",
        "fd00::/8, fdff::1, fe00::1",
        "2001:db8::/33, 2001:db8:7fff::1, 2001:db8:8000::1",
        "2001:db8::1, 2001:DB8:0:0:0:0:0:1, 2001:db8::2",
        "10.0.0.0/8, ::ffff:10.1.2.3, ::ffff:11.1.2.3",
        "::ffff:10.1.2.3, 10.1.2.3, 10.1.2.4"})
    void containsWhatBeginsWithItsBits(String network, String inside, String outside) {
        assertThat(Network.parse(network).contains(IpLiteral.parse(inside))).isTrue();
        assertThat(Network.parse(network).contains(IpLiteral.parse(outside))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``             | ``
            localhost      | ``
            10.0.0/8       | ``
            10.0.0.0.0     | ``
            010.0.0.0/8    | ``
            256.0.0.0      | ``
            10.0.0.0 /8    | ``
            [::1]          | ``
            fe80::1%lo     | ``
            1::2::3        | ``
            :::            | ``
            12345::        | ``
            10.0.0.0/      | ; behind the slash 0..32
            10.0.0.0/33    | ; behind the slash 0..32
            10.0.0.0/08    | ; behind the slash 0..32
            10.0.0.0/-1    | ; behind the slash 0..32
            fd00::/129     | ; behind the slash 0..128
            fd00::/8/8     | ; behind the slash 0..128
            10.0.0.1/8     | ; no bits behind the first 8
            fd00::1/127    | ; no bits behind the first 127
            """)
    void invalidNetworksAreRejected(String text, String hint) {
        assertThatThrownBy(() -> Network.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(EXPECTED + hint);
    }

    @Test
    void aListOfThemMayBeEmptyAndComesFromTheCommandLineToo() {
        var file = new HoconFile(directory);

        assertThat(file.load("").server().trustedProxies()).isEmpty();
        assertThat(file.load("sluice.server.trusted-proxies = [10.0.0.0/8, \"fd00::/8\"]").server()
                .trustedProxies()).containsExactly(Network.parse("10.0.0.0/8"), Network.parse("fd00::/8"));
        assertThat(file.load("", "sluice.server.trusted-proxies=10.0.0.0/8, ::1").server().trustedProxies())
                .extracting(Network::toString).containsExactly("10.0.0.0/8", "0:0:0:0:0:0:0:1/128");
    }

    @Test
    void invalidElementsAreReportedOneByOne() {
        assertThat(new HoconFile(directory).problems("""
                sluice.server {
                  trusted-proxies = [10.0.0.0/8, lb.internal, 10.0.0.0/99]
                }
                """)).containsExactly(
                "main.conf:2: sluice.server.trusted-proxies: 10.0.0.0/99 (expected: " + EXPECTED
                        + "; behind the slash 0..32)",
                "main.conf:2: sluice.server.trusted-proxies: lb.internal (expected: " + EXPECTED + ')');
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "{}", "null", "true"})
    void valuesOtherThanAListAreReported(String value) {
        assertThat(new HoconFile(directory).problems("sluice.server.trusted-proxies = " + value))
                .containsExactly("main.conf:1: sluice.server.trusted-proxies: " + value
                        + " (expected: a list [ … ] of 0..256)");
    }
}

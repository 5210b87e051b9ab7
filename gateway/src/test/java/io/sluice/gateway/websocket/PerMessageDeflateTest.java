package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerMessageDeflateTest {
    private static final String PLAIN =
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

    @ParameterizedTest
    @ValueSource(strings = {"permessage-deflate", "Permessage-Deflate", " permessage-deflate ",
        "permessage-deflate; client_max_window_bits", "permessage-deflate;client_max_window_bits=8",
        "permessage-deflate; client_max_window_bits=\"10\"", "permessage-deflate; server_no_context_takeover",
        "permessage-deflate; client_no_context_takeover;server_no_context_takeover",
        "x-webkit-deflate-frame, permessage-deflate", "permessage-bzip2; a=b; c, permessage-deflate",
        "permessage-deflate; unknown, permessage-deflate", ",,permessage-deflate,",
        "permessage-deflate; server_max_window_bits=7, permessage-deflate"})
    void offersWithoutAWindowLimitAreAccepted(String offers) {
        assertThat(PerMessageDeflate.firstOf(List.of(offers)).header()).isEqualTo(PLAIN);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10, 11, 12, 13, 14, 15})
    void keepsToTheWindowThatIsAskedFor(int bits) {
        for (String offer : List.of("permessage-deflate; server_max_window_bits=" + bits,
                "permessage-deflate; client_max_window_bits ; server_max_window_bits = \"" + bits + '"')) {
            PerMessageDeflate agreed = PerMessageDeflate.firstOf(List.of(offer));

            assertThat(agreed.windowBits()).isEqualTo(bits);
            assertThat(agreed.header()).isEqualTo(PLAIN + "; server_max_window_bits=" + bits);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "permessage-bzip2", "permessage-deflate2", "permessage-deflate; x",
        "permessage-deflate;", "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=", "permessage-deflate; server_max_window_bits=\"\"",
        "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=08", "permessage-deflate; server_max_window_bits=-8",
        "permessage-deflate; server_max_window_bits=99999999999",
        "permessage-deflate; server_max_window_bits=a",
        "permessage-deflate; client_max_window_bits=0", "permessage-deflate; client_max_window_bits=",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover=\"\"",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9",
        "permessage-deflate; server_max_window_bits=\"8,9\""})
    void unsupportedOffersAreDeclined(String offer) {
        assertThat(PerMessageDeflate.firstOf(List.of(offer))).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            permessage-deflate; server_max_window_bits=9, permessage-deflate | 9
            permessage-deflate, permessage-deflate; server_max_window_bits=9 | 15
            permessage-deflate; x, permessage-deflate; server_max_window_bits=10 | 10
            """)
    void firstSupportedOfferIsAccepted(String offers, int bits) {
        assertThat(PerMessageDeflate.firstOf(List.of(offers)).windowBits()).isEqualTo(bits);
        assertThat(PerMessageDeflate.firstOf(List.of(offers.split(","))).windowBits()).isEqualTo(bits);
    }

    @Test
    void noOfferMeansNoCompression() {
        assertThat(PerMessageDeflate.firstOf(List.of())).isNull();
    }

    @Test
    void randomOffersAreAcceptedOrDeclined() {
        List<String> pieces = List.of("permessage-deflate", ";", ",", "=", "\"", " ", "\t", "\\", "8", "15",
                "server_max_window_bits", "client_max_window_bits", "server_no_context_takeover", "é", "\0",
                "client_no_context_takeover", "-1", "99999999999999999999", "x");
        var random = new Random(1);
        for (int i = 0; i < 50_000; i++) {
            var offer = new StringBuilder(random.nextBoolean() ? "permessage-deflate" : "");
            for (int n = random.nextInt(12); n > 0; n--) {
                offer.append(pieces.get(random.nextInt(pieces.size())));
            }
            PerMessageDeflate agreed = PerMessageDeflate.firstOf(List.of(offer.toString()));
            assertThat(agreed == null || agreed.windowBits() >= 8 && agreed.windowBits() <= 15)
                    .as(offer.toString()).isTrue();
        }
    }
}

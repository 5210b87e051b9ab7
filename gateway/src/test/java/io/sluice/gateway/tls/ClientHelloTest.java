package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClientHelloTest {

    @Test
    void alpnProtocolsAreRead() {
        assertThat(ClientHello.protocols(new Hello().protocols("h2", "http/1.1").body()))
                .containsExactly("h2", "http/1.1");
        assertThat(ClientHello.protocols(new Hello().name("a").protocols("x").padding(9).body()))
                .containsExactly("x");
    }

    @Test
    void helloWithoutAlpnHasNoProtocols() {
        assertThat(ClientHello.protocols(new Hello().name("a").body())).isEmpty();
        assertThat(ClientHello.protocols(new Hello().protocols().body())).isEmpty();
    }

    @Test
    void isReadWhereverItEnds() {
        ByteBuf whole = new Hello().name("a").protocols("h2").body();
        for (int length = 0; length < whole.readableBytes(); length++) {
            assertThat(ClientHello.protocols(whole.slice(0, length))).isEmpty();
        }
    }

    @Test
    void damagedHelloIsReadWithoutFailure() {
        var random = new Random(1);
        ByteBuf whole = new Hello().name("a").protocols("h2").body();
        for (int i = 0; i < 10_000; i++) {
            ByteBuf damaged = whole.copy();
            for (int bytes = random.nextInt(4); bytes >= 0; bytes--) {
                damaged.setByte(34 + random.nextInt(damaged.readableBytes() - 34), random.nextInt());
            }
            assertThat(ClientHello.protocols(damaged)).hasSizeLessThan(10);
        }
    }
}

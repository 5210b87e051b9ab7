package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CountedPiecesTest {
    private static final int SHARE = (int) MemoryShare.EIGHTH;

    private final CountedPieces first = of("10.0.0.1");
    private final CountedPieces second = of("10.0.0.1");
    private final CountedPieces other = of("10.0.0.2");

    private static CountedPieces of(String client) {
        return new CountedPieces(ByteBufAllocator.DEFAULT, ClientNetwork.of(InetAddress.ofLiteral(client)));
    }

    @AfterEach
    void release() {
        second.release();
        other.release();
    }

    @Test
    void shareOfAClientIsForAllItsBodies() {
        assertThat(first.tryCount(SHARE - 1, 0)).isTrue();
        assertThat(second.tryCount(1, 0)).isTrue();
        assertThat(second.tryCount(1, 0)).isFalse();
        assertThat(other.tryCount(SHARE, 0)).isTrue();
        first.release();
        assertThat(second.tryCount(SHARE - 1, 0)).isTrue();
    }

    @Test
    void onlyBodyMayBeLarger() {
        assertThat(first.tryCount(SHARE, 0)).isTrue();
        assertThat(first.tryCount(SHARE, 0)).isTrue();
        assertThat(second.tryCount(1, 0)).isFalse();
        assertThat(second.tryCount(1, 2 * SHARE)).as("the same body, decoded").isTrue();
        first.release();
        assertThat(second.tryCount(2 * SHARE, 0)).isTrue();
    }
}

package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BodyMemoryTest {
    private static final long SHARE = MemoryShare.EIGHTH;
    private static final ClientNetwork CLIENT = new ClientNetwork(1, false);

    private final BodyMemory first = new BodyMemory(CLIENT);
    private final BodyMemory second = new BodyMemory(CLIENT);
    private final BodyMemory other = new BodyMemory(new ClientNetwork(2, false));

    @AfterEach
    void giveBack() {
        first.giveBackAll();
        second.giveBackAll();
        other.giveBackAll();
        assertThat(BodyMemory.held(CLIENT)).isZero();
    }

    @Test
    void shareOfAClientIsForAllItsBodies() {
        first.take(SHARE - 1);

        assertThat(second.hasRoom(1, 0)).isTrue();
        assertThat(second.hasRoom(2, 0)).isFalse();
        assertThat(other.hasRoom(SHARE, 0)).isTrue();
        first.giveBackAll();
        assertThat(second.hasRoom(SHARE, 0)).isTrue();
    }

    @Test
    void onlyBodyMayBeLarger() {
        first.take(SHARE);

        assertThat(first.hasRoom(SHARE, 0)).isTrue();
        assertThat(second.hasRoom(1, 0)).isFalse();
        assertThat(second.hasRoom(1, SHARE)).as("the same body, decoded").isTrue();
    }

    @Test
    void piecesCountBeyondTheFirstBytesUntilTheyAreReleased() {
        var pieces = new PieceCollector(ByteBufAllocator.DEFAULT, CLIENT, 256);
        write(pieces, MemoryShare.FREE_BODY);
        assertThat(first.hasRoom(SHARE, 0)).isTrue();

        write(pieces, 1);
        assertThat(first.hasRoom(SHARE - 16 * 1024, 0)).isTrue();
        assertThat(first.hasRoom(SHARE - 16 * 1024 + 1, 0)).isFalse();

        ByteBuf whole = pieces.whole();
        assertThat(whole.readableBytes()).isEqualTo(MemoryShare.FREE_BODY + 1);
        whole.release();
        assertThat(first.hasRoom(SHARE, 0)).isTrue();
    }

    /** Its received form counts in whole pieces. */
    @Test
    void onlyBodyMayBeDecodedToMoreThanTheShare() {
        first.take(SHARE);
        var decoded = new PieceCollector(ByteBufAllocator.DEFAULT, CLIENT, 256, SHARE - 64 * 1024 + 1);
        write(decoded, MemoryShare.FREE_BODY + 1);
        decoded.whole().release();
    }

    @Test
    void aBodyThatHasComeAtOnceCounts() {
        var pieces = new PieceCollector(ByteBufAllocator.DEFAULT, CLIENT, 256);
        pieces.take(Unpooled.wrappedBuffer(new byte[MemoryShare.FREE_BODY + 1]));
        assertThat(first.hasRoom(SHARE, 0)).isFalse();
        pieces.whole().release();

        first.take(SHARE);
        ByteBuf refused = Unpooled.wrappedBuffer(new byte[MemoryShare.FREE_BODY + 1]);
        assertThatThrownBy(() -> pieces.take(refused)).isInstanceOf(HttpException.class);
        assertThat(refused.refCnt()).isZero();
        pieces.whole().release();
    }

    @Test
    void piecesBeyondTheShareAreRefusedForGood() {
        first.take(SHARE);
        var pieces = new PieceCollector(ByteBufAllocator.DEFAULT, CLIENT, 256);
        write(pieces, MemoryShare.FREE_BODY);

        assertThatThrownBy(() -> write(pieces, 1)).isInstanceOf(HttpException.class);
        first.giveBackAll();
        assertThatThrownBy(() -> write(pieces, 1)).isInstanceOf(HttpException.class);
        pieces.whole().release();
    }

    private static void write(PieceCollector pieces, int bytes) {
        pieces.write(Unpooled.wrappedBuffer(new byte[bytes]));
    }
}

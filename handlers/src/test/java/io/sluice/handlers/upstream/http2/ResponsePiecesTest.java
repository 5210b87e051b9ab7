package io.sluice.handlers.upstream.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResponsePiecesTest {
    private static final int WINDOW = 65_535;

    private final List<Integer> passed = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final ResponsePieces pieces = new ResponsePieces(piece -> {
        passed.add(piece.readableBytes());
        text.append(piece.toString(StandardCharsets.US_ASCII));
        piece.release();
    });
    /** The read that the pieces belong to. */
    private final ByteBuf read = PooledByteBufAllocator.DEFAULT.buffer(WINDOW);

    @AfterEach
    void releaseAll() {
        pieces.release();
        assertThat(read.refCnt()).as("references to the read").isOne();
        read.release();
    }

    private void add(String piece) {
        int at = read.writerIndex();
        read.writeBytes(piece.getBytes(StandardCharsets.US_ASCII));
        pieces.add(read.slice(at, piece.length()));
    }

    @Test
    void joinsTheSmallOnesOfARead() {
        for (int i = 0; i < 10_000; i++) {
            add(i % 2 == 0 ? "a" : "b");
        }
        add("");
        pieces.readComplete();

        assertThat(passed).containsExactly(10_000);
        assertThat(text).asString().isEqualTo("ab".repeat(5_000));
    }

    @Test
    void joinsNoMoreThanAWriteBufferHolds() {
        for (int i = 0; i < 60_000; i++) {
            add("a");
        }
        pieces.readComplete();

        assertThat(passed).hasSize(4).allMatch(size -> size <= 16 * 1024);
        assertThat(text).hasSize(60_000);
    }

    @Test
    void passesLargeOnesInOrder() {
        add("a");
        add("b".repeat(1000));
        add("c");
        pieces.readComplete();

        assertThat(passed).containsExactly(1, 1000, 1);
        assertThat(text).asString().startsWith("ab").endsWith("bc");
    }

    /** A piece that waits for the client must not occupy the whole read it came with. */
    @Test
    void keepsCopiesInAPause() {
        add("a");
        pieces.pause();
        pieces.readComplete();
        for (int i = 0; i < 1000; i++) {
            add("b");
            pieces.readComplete();
        }
        assertThat(passed).isEmpty();
        assertThat(read.refCnt()).isOne();
        assertThat(pieces.credit(1000)).isZero();

        assertThat(pieces.resume()).isEqualTo(1000);
        assertThat(pieces.pass()).isTrue();
        assertThat(passed).containsExactly(1001);
    }
}

package io.sluice.offload.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sluice.config.ByteSize;
import io.sluice.config.SpillConfig;
import io.sluice.offload.ClientNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillSpaceTest {
    private static final int BLOCK = SpillSpace.BLOCK;
    private static final ClientNetwork ONE = new ClientNetwork(1, false);
    private static final ClientNetwork TWO = new ClientNetwork(2, false);

    @TempDir
    private Path directory;
    private SpillSpace space;

    @BeforeEach
    void open() {
        space = new SpillSpace(new SpillConfig(directory.toString(), new ByteSize(8 * BLOCK)));
    }

    @AfterEach
    void close() throws IOException {
        space.close();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] read(Spill spill) throws IOException {
        ByteBuf all = Unpooled.buffer();
        while (all.readableBytes() < spill.size()) {
            ByteBuf piece = spill.read(ByteBufAllocator.DEFAULT, all.readableBytes());
            all.writeBytes(piece);
            piece.release();
        }
        return ByteBufUtil.getBytes(all);
    }

    @Test
    void spillsThatShareTheFileComeBackAsTheyWere() throws IOException {
        Spill first = space.begin(ONE);
        Spill second = space.begin(TWO);
        byte[] a = random(3 * BLOCK - 7);
        byte[] b = random(2 * BLOCK);
        for (int at = 0; at < a.length; at += 30_000) {
            first.write(Unpooled.wrappedBuffer(a, at, Math.min(30_000, a.length - at)));
            if (at < b.length) {
                second.write(Unpooled.wrappedBuffer(b, at, Math.min(30_000, b.length - at)));
            }
        }

        assertThat(read(first)).isEqualTo(a);
        assertThat(read(second)).isEqualTo(b);
        assertThat(space.used()).isEqualTo(5 * BLOCK);
        assertThat(directory).isEmptyDirectory();
        first.release();
        second.release();
        assertThat(space.used()).isZero();
    }

    @Test
    void oneClientGetsHalfOfTheSpaceAndAllTogetherAllOfIt() throws IOException {
        Spill first = space.begin(ONE);
        first.write(Unpooled.wrappedBuffer(random(4 * BLOCK)));
        assertThatThrownBy(() -> first.write(Unpooled.wrappedBuffer(random(1))))
                .isInstanceOf(SpillException.class).hasMessage("its client has half of all space");
        Spill second = space.begin(TWO);
        second.write(Unpooled.wrappedBuffer(random(4 * BLOCK)));
        Spill third = space.begin(new ClientNetwork(3, true));
        assertThatThrownBy(() -> third.write(Unpooled.wrappedBuffer(random(1))))
                .isInstanceOf(SpillException.class).hasMessage("no space is left");
        assertThat(space.refused()).isEqualTo(2);

        first.release();
        third.write(Unpooled.wrappedBuffer(random(4 * BLOCK)));
        assertThat(read(third)).isEqualTo(random(4 * BLOCK));
        second.release();
        third.release();
    }

    @Test
    void withoutADirectoryNothingIsKept() throws IOException {
        try (var nowhere = new SpillSpace(
                new SpillConfig(directory.resolve("missing").toString(), new ByteSize(BLOCK)))) {
            Spill spill = nowhere.begin(ONE);
            assertThatThrownBy(() -> spill.write(Unpooled.wrappedBuffer(random(1))))
                    .isInstanceOf(IOException.class);
            spill.release();
            assertThat(nowhere.used()).isZero();
        }
    }
}

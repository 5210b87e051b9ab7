package io.sluice.offload.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.SpillConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.WritableDirectory;
import io.sluice.offload.ClientNetwork;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
        space = space(directory, 8 * BLOCK);
    }

    private static SpillSpace space(Path directory, long limit) {
        return new SpillSpace(new SpillConfig(
                Optional.of(new WritableDirectory(directory)), new ByteSize(limit)));
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

    private static byte[] read(Spill spill) {
        ByteBuf all = Unpooled.buffer();
        while (all.readableBytes() < spill.size()) {
            ByteBuf piece = spill.read(ByteBufAllocator.DEFAULT, all.readableBytes());
            all.writeBytes(piece);
            piece.release();
        }
        return ByteBufUtil.getBytes(all);
    }

    @Test
    void spillsThatShareTheFileComeBackAsTheyWere() {
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
    void oneClientGetsHalfOfTheSpaceAndAllTogetherAllOfIt() {
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
    void aDiskThatWasFullIsUsedAgainWhenItHasRoom() throws IOException {
        MockTicker clock = Ticker.newMockTicker();
        var free = new AtomicLong();
        var config = new SpillConfig(Optional.of(new WritableDirectory(directory)), new ByteSize(8 * BLOCK));
        try (var full = new SpillSpace(config, (_, size) -> free.get() + size, clock)) {
            Spill first = full.begin(ONE);
            first.write(Unpooled.wrappedBuffer(random(BLOCK)));
            free.set(7 * BLOCK);
            clock.advance(9, TimeUnit.SECONDS);
            assertThatThrownBy(() -> first.write(Unpooled.wrappedBuffer(random(1))))
                    .isInstanceOf(SpillException.class);

            clock.advance(1, TimeUnit.SECONDS);
            first.write(Unpooled.wrappedBuffer(random(3 * BLOCK)));
            assertThat(read(first)).hasSize(4 * BLOCK);
            free.set(0);
            clock.advance(10, TimeUnit.SECONDS);
            assertThatThrownBy(() -> first.write(Unpooled.wrappedBuffer(random(1))))
                    .as("the disk is full again").hasMessage("no space is left");
            first.release();
        }
    }

    /** A lack of file descriptors has the same effect. */
    @Test
    void aDiskThatWasFullWhenNoFileCouldBeOpenedIsUsedAgainWhenItHasRoom() throws IOException {
        MockTicker clock = Ticker.newMockTicker();
        var free = new AtomicLong();
        var config = new SpillConfig(Optional.of(new WritableDirectory(directory)), new ByteSize(8 * BLOCK));
        try (var full = new SpillSpace(config, (path, _) -> {
            if (free.get() == 0) {
                deleteFiles(path);
            }
            return free.get();
        }, clock)) {
            Spill first = full.begin(ONE);
            assertThatThrownBy(() -> first.write(Unpooled.wrappedBuffer(random(1))))
                    .isInstanceOf(SpillException.class);
            free.set(8 * BLOCK);
            clock.advance(10, TimeUnit.SECONDS);
            first.write(Unpooled.wrappedBuffer(random(BLOCK)));
            assertThat(read(first)).hasSize(BLOCK);
            first.release();
        }
    }

    private static void deleteFiles(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    @Test
    void withoutADirectoryNothingIsKept() throws IOException {
        try (var nowhere = space(directory.resolve("missing"), BLOCK)) {
            Spill spill = nowhere.begin(ONE);
            assertThatThrownBy(() -> spill.write(Unpooled.wrappedBuffer(random(1))))
                    .isInstanceOf(SpillException.class).hasCauseInstanceOf(NoSuchFileException.class);
            assertThat(nowhere.refused()).isOne();
            spill.release();
            assertThat(nowhere.used()).isZero();
        }
    }

    @Test
    void withoutALimitThatAllowsForABlockNoFileIsMade() throws IOException {
        try (var none = space(directory.resolve("missing"), 0)) {
            Spill spill = none.begin(ONE);
            assertThatThrownBy(() -> spill.write(Unpooled.wrappedBuffer(random(1))))
                    .isInstanceOf(SpillException.class).hasMessage("no space is left");
            spill.release();
        }
    }

    /** Simulates a failing disk: a write by an interrupted thread fails, and closes the channel. */
    @Test
    void aDiskThatFailsRefusesTheSpillsOfItsFileAndNoOthers() {
        Spill before = space.begin(ONE);
        before.write(Unpooled.wrappedBuffer(random(10)));
        Spill failing = space.begin(ONE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> failing.write(Unpooled.wrappedBuffer(random(10))))
                .isInstanceOf(SpillException.class).hasCauseInstanceOf(ClosedChannelException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(() -> before.read(ByteBufAllocator.DEFAULT, 0)).isInstanceOf(SpillException.class);
        assertThat(space.refused()).isEqualTo(2);

        Spill after = space.begin(ONE);
        after.write(Unpooled.wrappedBuffer(random(10)));
        assertThat(read(after)).isEqualTo(random(10));
        for (Spill spill : List.of(before, failing, after)) {
            spill.release();
        }
        assertThat(space.used()).isZero();
    }
}

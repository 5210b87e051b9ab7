package io.sluice.handlers.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptFilesTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final KeptFiles kept = new KeptFiles(4);
    private final List<FileChannel> channels = new ArrayList<>();
    @TempDir
    private Path folder;
    private FileTree tree;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("a"), "content of a");
        tree = new FileTree(folder, "");
        channel.freezeTime();
    }

    @AfterEach
    void close() throws IOException {
        channel.finishAndReleaseAll();
        for (FileChannel opened : channels) {
            opened.close();
        }
    }

    private ServedFile serve() throws IOException {
        RequestedPath path = RequestedPath.of("/a", 0);
        FileStat state;
        try (OpenFile found = tree.open(path)) {
            state = found.state();
        }
        channels.add(FileChannel.open(folder.resolve("a")));
        return new ServedFile(tree, path, new OpenFile(channels.getLast(), state), kept,
                channel.eventLoop());
    }

    private List<Boolean> open() {
        return channels.stream().map(FileChannel::isOpen).toList();
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void closesTheOneThatHasWaitedLongestForTheNext() throws IOException {
        ServedFile first = serve();
        for (int i = 0; i < 3; i++) {
            serve();
        }
        first.giveBack(first.open());
        serve();
        serve();

        assertThat(open()).containsExactly(true, false, false, true, true, true);
    }

    @Test
    void closesWhatHasWaitedForASecondAndTheyAreOpenedAgain() throws IOException {
        ServedFile slow = serve();
        ServedFile fast = serve();
        pass(900);
        fast.giveBack(fast.open());
        pass(200);
        assertThat(open()).containsExactly(false, true);

        try (OpenFile again = slow.open()) {
            assertThat(again.size()).isEqualTo(12);
        }
        pass(2000);
        assertThat(open()).containsOnly(false);
    }

    @Test
    void lendsTheKernelHalf() throws IOException {
        var served = new ArrayList<ServedFile>();
        for (int i = 0; i < 4; i++) {
            served.add(serve());
        }
        var lent = served.get(0).piece(0, 5);
        assertThat(served.get(1).piece(0, 5)).isNotNull();
        assertThat(served.get(2).piece(0, 5)).isNull();
        served.get(0).close();
        serve();
        assertThat(open()).containsExactly(true, true, false, true, true);

        lent.release();
        assertThat(open()).startsWith(false, true);
        assertThat(served.get(3).piece(0, 5)).isNotNull();
    }
}

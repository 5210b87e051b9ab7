package io.sluice.handlers.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.handlers.HttpException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTreeTest {
    @TempDir
    private Path temporary;
    private Path root;
    private FileTree tree;

    @BeforeEach
    void grow() throws Exception {
        root = Files.createDirectories(temporary.resolve("root"));
        Files.createDirectories(root.resolve("sub/deep"));
        Files.createDirectories(temporary.resolve("rootless"));
        Files.writeString(temporary.resolve("rootless/secret"), "secret");
        Files.writeString(root.resolve("a"), "content of a");
        Files.writeString(root.resolve("index.html"), "index");
        Files.writeString(root.resolve("sub/deep/b"), "content of b");
        link("inside", "sub/deep/b");
        link("inside-dir", "sub");
        link("outside", "../rootless/secret");
        link("outside-dir", "../rootless");
        link("absolute", temporary.resolve("rootless/secret").toString());
        link("back", "../root/a");
        link("loop", "loop");
        link("dangling", "nothing");
        link("up", "..");
        new ProcessBuilder("mkfifo", root.resolve("fifo").toString()).start().waitFor();
        tree = new FileTree(root, "index.html");
    }

    private void link(String name, String target) throws IOException {
        Files.createSymbolicLink(root.resolve(name), Path.of(target));
    }

    private OpenFile open(String path) {
        return tree.open(RequestedPath.of(path, 0));
    }

    private static String read(OpenFile file) throws IOException {
        try {
            ByteBuf content = file.read(PooledByteBufAllocator.DEFAULT, 0, (int) file.size());
            try {
                return content.toString(UTF_8);
            } finally {
                content.release();
            }
        } finally {
            file.close();
        }
    }

    @Test
    void filesBelowTheRootAreOpened() throws IOException {
        assertThat(read(open("/a"))).isEqualTo("content of a");
        assertThat(read(open("/sub/deep/b"))).isEqualTo("content of b");
        assertThat(read(open("/"))).isEqualTo("index");
    }

    @Test
    void followsLinksThatStayBelowIt() throws IOException {
        assertThat(read(open("/inside"))).isEqualTo("content of b");
        assertThat(read(open("/inside-dir/deep/b"))).isEqualTo("content of b");
        assertThat(read(open("/back"))).isEqualTo("content of a");
    }

    @Test
    void knowsADirectoryFromAFile() {
        assertThat(open("/sub")).isNull();
        assertThat(open("/inside-dir")).isNull();
        assertThat(tree.open(RequestedPath.of("/s", 1))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/none", "/none/a", "/a/", "/a/b", "/sub/", "/outside", "/outside-dir",
        "/outside-dir/secret", "/absolute", "/loop", "/loop/a", "/dangling", "/up", "/up/rootless/secret",
        "/up/root/up/rootless/secret", "/fifo", "/fifo/"})
    void otherPathsAreNotFound(String path) {
        assertNotFound(path);
    }

    private void assertNotFound(String path) {
        assertThatThrownBy(() -> open(path)).isInstanceOfSatisfying(HttpException.class,
                refused -> assertThat(refused.status().code()).isEqualTo(404));
    }

    @Test
    void hasNoNamesThatAreTooLong() {
        assertNotFound("/" + "a".repeat(300));
        assertNotFound("/a".repeat(3000));
    }

    /** Paths of no file are those of {@link #otherPathsAreNotFound}. */
    @Test
    void isNotMissingAFileWhereItsFileSystemFails() {
        for (String reason : new String[] {"Stale file handle", "Input/output error"}) {
            assertThat(FileTree.leadsNowhere(new FileSystemException("a", null, reason))).isFalse();
        }
        assertThat(FileTree.leadsNowhere(new FileSystemException("a"))).isFalse();
        assertThat(FileTree.leadsNowhere(new IOException("a"))).isFalse();
        assertThat(FileTree.leadsNowhere(new NoSuchFileException("a"))).isTrue();
    }

    @Test
    void needNotHaveAnIndex() throws IOException {
        tree = new FileTree(root, "");

        assertNotFound("/");
        assertNotFound("/sub/");
        assertNotFound("/sub");
        assertNotFound("/a/");
    }

    @Test
    void replacedLinkOfTheRootIsFollowed() throws IOException {
        Path current = Files.createSymbolicLink(temporary.resolve("current"), Path.of("root"));
        tree = new FileTree(current, "index.html");
        assertThat(read(open("/a"))).isEqualTo("content of a");

        Files.createDirectories(temporary.resolve("next"));
        Files.writeString(temporary.resolve("next/a"), "next a");
        Files.createSymbolicLink(temporary.resolve("new"), Path.of("next"));
        Files.move(temporary.resolve("new"), current, StandardCopyOption.ATOMIC_MOVE);

        assertThat(read(open("/a"))).isEqualTo("next a");
    }

    @Test
    void missingRootGets503() throws IOException {
        Files.move(root, temporary.resolve("moved"));
        assertThatThrownBy(() -> open("/a")).isInstanceOfSatisfying(HttpException.class,
                refused -> assertThat(refused.status().code()).isEqualTo(503));
    }

    @Test
    void saysWhereAFileHasBecomeShorter() throws IOException {
        OpenFile file = open("/a");
        try {
            assertThat(file.fault(file.size())).isNull();
            Files.writeString(root.resolve("a"), "short");

            assertThat(file.fault(12)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> file.read(PooledByteBufAllocator.DEFAULT, 0, 12))
                    .isInstanceOf(EOFException.class);
        } finally {
            file.close();
        }
    }

    /** A worker has four places (OpenFiles of the gateway); a sample may count a few twice. */
    @Test
    void hasFewDirectoriesOpenOnTheWayToAFile() throws Exception {
        String deep = "/deep".repeat(15);
        Files.createDirectories(root.resolve(deep.substring(1)));
        Files.writeString(root.resolve(deep.substring(1) + "/a"), "deep");
        var most = new AtomicInteger();
        whileOther(() -> most.accumulateAndGet(openFiles(), Math::max),
                () -> assertThat(read(open(deep + "/a"))).isEqualTo("deep"));

        assertThat(most.get()).isBetween(1, 8);
    }

    /** Returns how many files and directories below the root this process has open, from Linux's /proc. */
    private int openFiles() throws IOException {
        int open = 0;
        try (var all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : all) {
                try {
                    open += Files.readSymbolicLink(descriptor).startsWith(root) ? 1 : 0;
                } catch (NoSuchFileException e) {
                    // closed meanwhile
                }
            }
        }
        return open;
    }

    // --- changes of the files while they are served

    @Test
    void isNotLeftByADirectoryThatBecomesALink() throws Exception {
        Files.createSymbolicLink(root.resolve("evil"), Path.of("../rootless"));
        Files.writeString(root.resolve("sub/secret"), "public");
        whileOther(() -> {
            Files.move(root.resolve("sub"), root.resolve("aside"));
            Files.move(root.resolve("evil"), root.resolve("sub"));
            Files.move(root.resolve("sub"), root.resolve("evil"));
            Files.move(root.resolve("aside"), root.resolve("sub"));
        }, () -> assertThat(read(open("/sub/secret"))).isEqualTo("public"));
    }

    @Test
    void attributesAreThoseOfTheOpenedFile() throws Exception {
        whileOther(() -> {
            for (String content : new String[] {"x".repeat(1000), "y".repeat(2000)}) {
                Files.writeString(root.resolve("next"), content);
                Files.move(root.resolve("next"), root.resolve("a"), StandardCopyOption.ATOMIC_MOVE);
            }
        }, () -> {
            OpenFile file = open("/a");
            long size = file.size();
            assertThat(read(file)).isIn("content of a", (size == 1000 ? "x" : "y").repeat((int) size));
        });
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private static void whileOther(Step other, Step step) throws Exception {
        var over = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                try {
                    other.run();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        try {
            int done = 0;
            for (int i = 0; i < 2000; i++) {
                try {
                    step.run();
                    done++;
                } catch (HttpException missed) {
                    assertThat(missed.status().code()).isIn(404, 503);
                }
            }
            assertThat(done).isPositive();
        } finally {
            over.set(true);
            thread.join();
        }
    }
}

package io.sluice.loadtest.experiments.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SmallDiskTest {

    @Test
    void isFullUntilItIsCleared() throws Exception {
        Path directory;
        try (var disk = SmallDisk.create()) {
            directory = disk.directory();
            assumeTrue(disk.mounted());
            disk.fill();
            assertThat(disk.free()).isZero();
            var file = directory.resolve("file");
            assertThatThrownBy(() -> Files.write(file, new byte[1])).isInstanceOf(IOException.class);
            disk.clear();
            Files.write(file, new byte[1]);
        }
        assertThat(directory).doesNotExist();
    }
}

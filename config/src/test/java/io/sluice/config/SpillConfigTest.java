package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.WritableDirectory;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillConfigTest {
    private static final String DIRECTORY = "sluice.offload.spill.directory = ";

    @TempDir
    private Path directory;

    @Test
    void namesADirectory() {
        var file = new HoconFile(directory);
        assertThat(file.load("").offload().spill())
                .isEqualTo(new SpillConfig(Optional.empty(), new ByteSize(1L << 30)));
        assertThat(file.load(DIRECTORY + '"' + directory + '"').offload().spill().directory())
                .hasValue(new WritableDirectory(directory));
        assertThat(file.problems('\n' + DIRECTORY + "\"\"")).containsExactly(
                "main.conf:2: sluice.offload.spill.directory: \"\" (expected: a directory)");
    }

    @Test
    void leavesNoPoolItsName() {
        assertThat(new HoconFile(directory).problems("sluice.offload.pools.spill {}")).containsExactly(
                "main.conf:1: sluice.offload.pools.spill: spill (expected: another name: that is the pool "
                + "which reads offload.spill)");
    }
}

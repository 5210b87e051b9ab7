package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LocalShortageTest {

    private static Stream<Throwable> shortages() {
        return Stream.of(
                new SocketException("Too many open files"),
                new FileNotFoundException("/file (Too many open files)"),
                new IOException("accept(..) failed: Too many open files in system"),
                new ConnectException("No buffer space available"),
                new ConnectException("connect(..) failed with error(-99): Cannot assign requested address"),
                new OutOfMemoryError("Java heap space"),
                new OutOfMemoryError("unable to create native thread: possibly out of memory"));
    }

    @Test
    void shortageIsRecognisedAsACause() {
        assertThat(shortages()).allMatch(LocalShortage::is)
                .extracting(shortage -> new SQLException("it failed", "08001", shortage))
                .allMatch(LocalShortage::is)
                .extracting(IllegalStateException::new).allMatch(LocalShortage::is);
    }

    private static Stream<Throwable> others() {
        var circle = new SQLException("a");
        circle.initCause(new SQLException("b", circle));
        return Stream.of(
                new ConnectException("Connection refused"),
                new IOException(),
                new UnknownHostException("nowhere"),
                new StackOverflowError(),
                new SQLException("could not open file \"base/1\": Too many open files", "53000"),
                circle);
    }

    @Test
    void otherErrorsAreNoLocalShortage() {
        assertThat(others()).noneMatch(LocalShortage::is);
    }
}

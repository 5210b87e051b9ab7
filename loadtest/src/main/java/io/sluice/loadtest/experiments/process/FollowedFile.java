package io.sluice.loadtest.experiments.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Reads a file that a process writes, as it grows, until the process has ended. */
public final class FollowedFile extends InputStream {

    private static final long LOOK_MILLIS = 20;

    private final RandomAccessFile file;
    private final Process writer;

    public FollowedFile(Path path, Process writer) throws IOException {
        file = new RandomAccessFile(path.toFile(), "r");
        this.writer = writer;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            while (true) {
                boolean last = !writer.isAlive(); // first: it may write more before it ends
                int read = file.read(bytes, offset, length);
                if (read >= 0 || last) {
                    return read;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // the file has to be polled
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

package io.sluice.handlers.files;

import io.netty.channel.FileRegion;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.HttpException;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The file of a response. It is open while it is used, and between two uses if its client is fast. If it has
 * been closed in between it is reopened, as long as it is the same file in the same state.
 */
final class ServedFile {
    private final FileTree tree;
    private final RequestedPath path;
    private final FileStat state;
    private final KeptFiles kept;
    private final EventExecutor loop;
    private volatile boolean closed;

    /**
     * Takes a file that was opened in a tree.
     *
     * @param open owned by this object from here on
     * @param loop the event loop of the response
     */
    ServedFile(FileTree tree, RequestedPath path, OpenFile open, KeptFiles kept, EventExecutor loop) {
        this.tree = tree;
        this.path = path;
        state = open.state();
        this.kept = kept;
        this.loop = loop;
        kept.keep(this, open, loop);
    }

    /**
     * Opens the file, unless it is open. Blocks.
     *
     * @return owned by the caller, who must give it back
     * @throws IOException if the file does not exist in this state any more
     * @throws HttpException 503 if it cannot be opened at the moment
     */
    OpenFile open() throws IOException {
        OpenFile open = kept.take(this);
        return open == null ? openAgain() : open;
    }

    private OpenFile openAgain() throws IOException {
        OpenFile found;
        try {
            found = tree.open(path);
        } catch (HttpException e) {
            if (e.worthRetrying()) {
                throw e;
            }
            throw replaced(e);
        }
        if (found == null || !found.state().equals(state)) {
            if (found != null) {
                found.close();
            }
            throw replaced(null);
        }
        return found;
    }

    private static IOException replaced(@Nullable Exception cause) {
        return new IOException("a file was replaced while it was sent", cause);
    }

    /** Takes the file back from a user. */
    void giveBack(OpenFile open) {
        kept.keep(this, open, loop);
        if (closed) {
            close();
        }
    }

    /** Returns a piece for the kernel to send; null if a worker has to read it. On the event loop. */
    @Nullable FileRegion piece(long position, long length) {
        OpenFile open = kept.lend(this);
        return open == null ? null : open.piece(position, length, () -> {
            kept.returned();
            giveBack(open);
        });
    }

    /**
     * Returns why a piece that ends there was not sent, if the file is known to be the reason; otherwise
     * null.
     */
    @Nullable EOFException fault(long end) {
        OpenFile open = kept.take(this);
        if (open == null) {
            return null;
        }
        EOFException fault = open.fault(end);
        giveBack(open);
        return fault;
    }

    /** Closes the file at once, or when it is given back. */
    void close() {
        closed = true;
        OpenFile open = kept.take(this);
        if (open != null) {
            open.close();
        }
    }
}

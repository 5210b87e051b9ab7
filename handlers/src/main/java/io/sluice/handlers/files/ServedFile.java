package io.sluice.handlers.files;

import io.netty.channel.FileRegion;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.HttpException;
import java.io.EOFException;
import java.io.IOException;

/**
 * The file of an answer. It is open while it is used, and between two uses where its client is fast. If it
 * has been closed meanwhile it is opened again, as long as it is the same file in the same state.
 */
final class ServedFile {
    private final FileTree tree;
    private final RequestedPath path;
    private final FileState state;
    private final KeptFiles kept;
    private final EventExecutor loop;
    private volatile boolean closed;

    /**
     * A file that was found in a tree.
     *
     * @param open owned by this from here on
     * @param loop the answer's
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
     * Opens it, unless it is open; blocks.
     *
     * @return to be given back
     * @throws IOException where it is not there any more in this state
     * @throws HttpException 503 where it cannot be opened now
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

    private static IOException replaced(Exception cause) {
        return new IOException("a file was replaced while it was sent", cause);
    }

    /** Takes it back from whoever has used it. */
    void giveBack(OpenFile open) {
        kept.keep(this, open, loop);
        if (closed) {
            close();
        }
    }

    /** A piece for the kernel to send; null where a worker has to read it. On the event loop. */
    FileRegion piece(long position, long length) {
        OpenFile open = kept.lend(this);
        return open == null ? null : open.piece(position, length, () -> {
            kept.returned();
            giveBack(open);
        });
    }

    /** Why a piece that ends there was not sent, if that is known to be the file's fault; null if not. */
    EOFException fault(long end) {
        OpenFile open = kept.take(this);
        if (open == null) {
            return null;
        }
        EOFException fault = open.fault(end);
        giveBack(open);
        return fault;
    }

    /** Closes it: at once, or when it is given back. */
    void close() {
        closed = true;
        OpenFile open = kept.take(this);
        if (open != null) {
            open.close();
        }
    }
}

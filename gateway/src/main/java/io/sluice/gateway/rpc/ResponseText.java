package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.json.JsonEscapes;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Builds the text message of a response, in steps. A JSON body is embedded as it is, any other UTF-8 body as
 * a JSON string, other bytes in base64; an empty body is left out. One thread at a time.
 */
final class ResponseText {
    /** Bytes of the body per step; a multiple of 3, as base64 encodes 3 at a time. */
    private static final int STEP = 24 * 1024;
    private static final int ENVELOPE = 64;
    /** The most bytes that one byte of a body takes in a JSON string. */
    private static final int MOST_ESCAPED = 6;

    private final ByteBufAllocator alloc;
    private final ResponseMemory memory;
    private final String id;
    private final int status;
    private final BodyCheck check;
    private final ByteBuf body;
    private final int length;
    private Form form = Form.NOTHING;
    /** The message; null until the whole body has been checked. */
    private @Nullable ByteBuf text;
    /** Bytes of the body that {@link #text} contains. */
    private int written;
    private boolean whole;

    private enum Form { NOTHING, JSON, TEXT, BASE64 }

    /**
     * A response of which nothing is written yet.
     *
     * @param memory counts the body as a complete response until {@link #release()}
     * @param id the JSON value of the member {@code id}
     * @param check of the first bytes of the body, or of all
     * @param body owned by this object until {@link #release()}
     */
    ResponseText(ByteBufAllocator alloc, ResponseMemory memory, String id, int status, BodyCheck check,
               ByteBuf body) {
        this.alloc = alloc;
        this.memory = memory;
        this.id = id;
        this.status = status;
        this.check = check;
        this.body = body;
        length = body.readableBytes();
    }

    int status() {
        return status;
    }

    /** Returns the length of the body in bytes. */
    int length() {
        return length;
    }

    boolean isWhole() {
        return whole;
    }

    /** Checks the rest of the body at once; not for the event loop. */
    void checkAll() {
        check.add(body, body.readerIndex() + check.checked(), length - check.checked());
    }

    /**
     * Checks or writes the next 24 KiB of the body at most.
     *
     * @return how many bytes that took time; 0 for a JSON body, which is only copied
     */
    int step() {
        int unchecked = Math.min(STEP, length - check.checked());
        if (unchecked > 0) {
            check.add(body, body.readerIndex() + check.checked(), unchecked);
            return unchecked;
        }
        ByteBuf to = text == null ? begin() : text;
        int from = body.readerIndex() + written;
        // A plain copy costs next to nothing.
        int size = form == Form.JSON ? length : Math.min(STEP, length - written);
        switch (form) {
            case NOTHING -> { }
            case JSON -> to.writeBytes(body, from, size);
            case TEXT -> {
                to = DirectMemory.withRoom(alloc, to, size * MOST_ESCAPED);
                text = to;
                JsonEscapes.write(body, from, size, to);
            }
            case BASE64 -> to.writeBytes(Base64.getEncoder().encode(body.nioBuffer(from, size)));
        }
        written += size;
        if (written == length) {
            end(to);
        }
        return form == Form.JSON ? 0 : size;
    }

    private ByteBuf begin() {
        form = length == 0 ? Form.NOTHING : !check.isText() ? Form.BASE64
                : check.isJson() ? Form.JSON : Form.TEXT;
        int room = form == Form.BASE64 ? length / 3 * 4 : length;
        ByteBuf begun = alloc.buffer(id.length() + ENVELOPE + room);
        text = begun;
        ByteBufUtil.writeUtf8(begun, "{\"id\":" + id + ",\"status\":" + status);
        if (form != Form.NOTHING) {
            ByteBufUtil.writeAscii(begun, form == Form.JSON ? ",\"body\":" : ",\"body\":\"");
        }
        return begun;
    }

    private void end(ByteBuf to) {
        ByteBufUtil.writeAscii(to, switch (form) {
            case NOTHING, JSON -> "}";
            case TEXT -> "\"}";
            case BASE64 -> "\",\"encoding\":\"base64\"}";
        });
        whole = true;
    }

    /** Returns the message, once {@link #isWhole()}; owned by the caller. */
    ByteBuf take() {
        ByteBuf taken = text;
        if (taken == null) {
            throw new IllegalStateException("message: not written (expected: whole)");
        }
        text = null;
        return taken;
    }

    /** Releases the body, and the message unless it was taken. To be called once. */
    void release() {
        body.release();
        memory.release(length);
        if (text != null) {
            text.release();
        }
    }
}

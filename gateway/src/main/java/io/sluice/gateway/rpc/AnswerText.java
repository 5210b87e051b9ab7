package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.util.Base64;

/**
 * An answer that becomes the text which its client gets, in steps. A body that is JSON becomes part of it as
 * it is, any other one a text, or base64 where it is no UTF-8; an empty one is left out.
 * One thread at a time.
 */
final class AnswerText {
    /** In bytes, of which base64 takes three at a time. */
    private static final int STEP = 24 * 1024;
    private static final int ENVELOPE = 64;

    private final ByteBufAllocator alloc;
    private final String id;
    private final int status;
    private final BodyCheck check;
    private final ByteBuf body;
    private final int length;
    private Form form;
    /** Null until all of the body is checked. */
    private ByteBuf text;
    /** Bytes of the body that are in it. */
    private int written;
    private boolean whole;

    private enum Form { NOTHING, JSON, TEXT, BASE64 }

    /**
     * An answer of which nothing is written.
     *
     * @param id JSON
     * @param check of the body's first bytes, maybe of all
     * @param body owned by this until {@link #release()}
     */
    AnswerText(ByteBufAllocator alloc, String id, int status, BodyCheck check, ByteBuf body) {
        this.alloc = alloc;
        this.id = id;
        this.status = status;
        this.check = check;
        this.body = body;
        length = body.readableBytes();
    }

    int status() {
        return status;
    }

    /** Of the body, in bytes. */
    int length() {
        return length;
    }

    boolean isWhole() {
        return whole;
    }

    /** Checks what is left of the body. For a thread that may compute. */
    void checkAll() {
        check.add(body, body.readerIndex() + check.checked(), length - check.checked());
    }

    /** Goes on by some kilobytes of the body; returns how many bytes. */
    int step() {
        int unchecked = Math.min(STEP, length - check.checked());
        if (unchecked > 0) {
            check.add(body, body.readerIndex() + check.checked(), unchecked);
            return unchecked;
        }
        if (text == null) {
            begin();
        }
        int from = body.readerIndex() + written;
        // What is copied as it is costs next to nothing.
        int size = form == Form.JSON ? length : Math.min(STEP, length - written);
        switch (form) {
            case NOTHING -> { }
            case JSON -> text.writeBytes(body, from, size);
            case TEXT -> JsonTexts.escape(body, from, size, text);
            case BASE64 -> text.writeBytes(Base64.getEncoder().encode(body.nioBuffer(from, size)));
        }
        written += size;
        if (written == length) {
            end();
        }
        return form == Form.JSON ? 0 : size;
    }

    private void begin() {
        form = length == 0 ? Form.NOTHING : !check.isText() ? Form.BASE64
                : check.isJson() ? Form.JSON : Form.TEXT;
        int room = form == Form.BASE64 ? length / 3 * 4 : length;
        text = alloc.buffer(id.length() + ENVELOPE + room);
        ByteBufUtil.writeUtf8(text, "{\"id\":" + id + ",\"status\":" + status);
        if (form != Form.NOTHING) {
            ByteBufUtil.writeAscii(text, form == Form.JSON ? ",\"body\":" : ",\"body\":\"");
        }
    }

    private void end() {
        ByteBufUtil.writeAscii(text, switch (form) {
            case NOTHING, JSON -> "}";
            case TEXT -> "\"}";
            case BASE64 -> "\",\"encoding\":\"base64\"}";
        });
        whole = true;
    }

    /** The text, once it is whole; owned by the caller. */
    ByteBuf take() {
        ByteBuf taken = text;
        text = null;
        return taken;
    }

    /** Releases what was not taken. Once. */
    void release() {
        body.release();
        if (text != null) {
            text.release();
        }
    }
}

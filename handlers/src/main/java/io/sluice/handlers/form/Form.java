package io.sluice.handlers.form;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.sluice.handlers.HttpException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the fields of forms in UTF-8. */
public final class Form {
    /** The media types of forms, as a list in a header. */
    public static final String MEDIA_TYPES = HttpHeaderValues.APPLICATION_X_WWW_FORM_URLENCODED + ", "
            + HttpHeaderValues.MULTIPART_FORM_DATA;

    /** The most fields of a form. */
    public static final int MAX_FIELDS = 1024;

    /** Null for a form that is URL-encoded. */
    private final @Nullable String boundary;

    private Form(@Nullable String boundary) {
        this.boundary = boundary;
    }

    /**
     * Returns a reader of forms with a Content-Type; null if that is no form, needs a boundary and has none,
     * or has a charset other than UTF-8.
     */
    public static @Nullable Form of(@Nullable String contentType) {
        HeaderParameters type = HeaderParameters.parse(contentType == null ? "" : contentType);
        if (!isUtf8(type)) {
            return null;
        }
        if (HttpHeaderValues.APPLICATION_X_WWW_FORM_URLENCODED.contentEquals(type.value())) {
            return new Form(null);
        }
        String boundary = type.parameter("boundary");
        return HttpHeaderValues.MULTIPART_FORM_DATA.contentEquals(type.value())
                && boundary != null && MultipartForm.isBoundary(boundary) ? new Form(boundary) : null;
    }

    static boolean isUtf8(HeaderParameters type) {
        return StandardCharsets.UTF_8.name()
                .equalsIgnoreCase(type.parameters().getOrDefault("charset", "utf-8"));
    }

    /**
     * Reads a body. On an event loop only up to 16 KiB.
     *
     * @param body owned by the caller
     * @throws HttpException 400 if it is malformed
     */
    public List<FormField> read(ByteBuf body) {
        byte[] bytes = ByteBufUtil.getBytes(body);
        return boundary == null ? UrlEncodedForm.read(bytes) : MultipartForm.read(bytes, boundary);
    }

    static void requireFew(int fields) {
        if (fields > MAX_FIELDS) {
            throw FormText.refusal("a form of at most " + MAX_FIELDS + " fields");
        }
    }
}

package io.sluice.gateway.openapi;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;

/** The responses that many routes have in common, and the schema of problems (RFC 9457). */
final class Responses {
    static final String PROBLEM = "application/problem+json";
    static final Map<String, Object> PROBLEM_CONTENT =
            Map.of("schema", Map.of("$ref", "#/components/schemas/Problem"));

    private static final Map<String, Object> SECONDS = Schemas.of("type", "integer", "minimum", 1);
    private static final Map<String, Object> RETRY_AFTER =
            header("Seconds to wait before another try", SECONDS);

    private Responses() {
    }

    /** Returns a reference to the response of a status. */
    static Map<String, Object> reference(int status) {
        return Map.of("$ref", "#/components/responses/" + status);
    }

    /** Returns the response of a status for {@code components}. */
    static Map<String, Object> problem(int status) {
        Map<String, Object> response = problem(description(status));
        switch (status) {
            case 401, 403 -> response.put("headers", Map.of("WWW-Authenticate",
                    header("What is wrong with the token (RFC 6750), if that is the cause",
                            Map.of("type", "string"))));
            case 503 -> response.put("headers", Map.of("Retry-After", RETRY_AFTER));
            case 409 -> response.put("headers", Map.of("Retry-After", header("Seconds to wait before another "
                    + "try, if a request with the same Idempotency-Key is running", SECONDS)));
            case 415 -> response.put("headers", Map.of("Accept-Encoding", header("The content codings that "
                    + "are supported, if that is the cause", Map.of("type", "string"))));
            case 426 -> response.put("headers", Map.of("Upgrade",
                    header("The protocol of this route", Map.of("const", "websocket"))));
            default -> { }
        }
        return response;
    }

    /** Returns the response of a problem without headers of its own. */
    static Map<String, Object> problem(String description) {
        return Schemas.of("description", description, "content", Map.of(PROBLEM, PROBLEM_CONTENT));
    }

    static Map<String, Object> header(String description, Map<String, Object> schema) {
        return Schemas.of("description", description, "schema", schema);
    }

    private static String description(int status) {
        return switch (status) {
            case 400 -> "The request, a parameter or the body is not valid; `errors` names parts";
            case 401 -> "No token, or an unknown one";
            case 403 -> "The token is for other routes, or a page of this origin may not use this route";
            case 404 -> "Not found";
            case 406 -> "None of the representations is acceptable";
            case 408 -> "The client sends or reads too slowly";
            case 409 -> "Conflicts with what is stored";
            case 412 -> "The resource is not in the state that the request expects";
            case 413 -> "The body is too large";
            case 414 -> "The target is too long";
            case 415 -> "The media type, or an encoding, of the body is not supported";
            case 416 -> "The range is not within the file";
            case 417 -> "An expectation other than 100-continue";
            case 421 -> "The host is not one of this connection's certificate";
            case 422 -> "A value does not fit";
            case 428 -> "A precondition is missing";
            case 426 -> "Not a handshake of a WebSocket";
            case 431 -> "The header fields are too large";
            case 500 -> "Internal error";
            case 501 -> "Not supported here";
            case 502 -> "The upstream cannot be reached, or its response is not valid";
            case 503 -> "Overloaded, or what is needed is not available";
            case 504 -> "The response was not ready within its time limit";
            default -> HttpResponseStatus.valueOf(status).reasonPhrase();
        };
    }

    /** Returns the schema of problems. */
    static Map<String, Object> problemSchema() {
        Map<String, Object> text = Map.of("type", "string");
        Map<String, Object> mistake = Schemas.of("type", "object",
                "properties", Schemas.of(
                        "pointer", Schemas.of("description", "A JSON pointer into the body (RFC 6901)",
                                "type", "string"),
                        "parameter", Schemas.of("description", "The name of a parameter or header",
                                "type", "string"),
                        "constraint", Schemas.of("description", "The name of a violated constraint",
                                "type", "string"),
                        "detail", text),
                "required", List.of("detail"));
        return Schemas.of("description", "RFC 9457", "type", "object",
                "properties", Schemas.of("type", text, "title", text,
                        "status", Schemas.of("type", "integer", "minimum", 400, "maximum", 599),
                        "detail", text, "instance", text, "requestId", text,
                        "errors", Schemas.of("type", "array", "items", mistake)),
                "required", List.of("type", "title", "status", "detail", "instance", "requestId"));
    }
}

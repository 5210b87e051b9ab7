package io.sluice.handlers.query;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.config.QueryStatements;
import io.sluice.config.SqlErrorConfig;
import io.sluice.config.write.IdempotencyConfig;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.message.CurrentStatus;
import io.sluice.handlers.write.FailedElement;
import io.sluice.offload.jdbc.PostgresDriver;
import io.sluice.offload.jdbc.SqlState;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Maps SQL errors of a query to responses, without the SQL or the database's message, unless that is one of
 * RAISE and the query shows those. reference.conf has the table.
 */
final class SqlErrors {
    /** A convention of PostgREST: the status is in the SQLSTATE. */
    private static final Pattern STATUS = Pattern.compile("PT[45]\\d\\d");
    private static final int SERVER_ERROR = 500;
    private static final String OF_A_RULE = "refused by a rule of the database";

    private static final Answer UNCERTAIN = new Answer(HttpResponseStatus.SERVICE_UNAVAILABLE,
            "the connection to the database was lost; the change may or may not have been made", false);

    private final Map<String, SqlErrorConfig> configured;
    private final Map<String, String> constraints;
    private final boolean showRaise;
    private final QueryParameters parameters;
    private final boolean readOnly;
    /** Indicates whether requests have values for the statements, which are else wrong by themselves. */
    private final boolean takesValues;
    /** Indicates whether a request that is repeated may change data twice. */
    private final boolean mayChangeTwice;

    /**
     * The response to an error.
     *
     * @param mayBeRepeated whether a 503 asks the client to send the request again
     */
    private record Answer(HttpResponseStatus status, String detail, boolean mayBeRepeated) {

        Answer(int status, String detail) {
            this(HttpResponseStatus.valueOf(status), detail, true);
        }
    }

    /**
     * Creates the responses to errors of a query.
     *
     * @param parameters the query's, which constraints may be named after
     * @param readOnly whether its transactions are read-only by configuration
     */
    SqlErrors(HandlerConfig.Query query, QueryParameters parameters, boolean readOnly) {
        this.readOnly = readOnly;
        configured = query.errors();
        constraints = query.constraints();
        showRaise = query.showRaise();
        takesValues = !query.parameters().isEmpty() || query.selects();
        this.parameters = parameters;
        boolean hasKey = query.write().flatMap(WriteConfig::idempotency)
                .filter(IdempotencyConfig::required).isPresent();
        mayChangeTwice = !hasKey
                && QueryStatements.of(query).stream().anyMatch(sql -> sql.change().isPresent());
    }

    /**
     * Returns the exception to respond with.
     *
     * @param inForm whether the body of the request is a form
     */
    Throwable forClient(Throwable failure, boolean inForm) {
        FailedElement element = failure instanceof FailedElement failed ? failed : null;
        if (!((element == null ? failure : element.error()) instanceof SQLException sql)
                || sql.getSQLState() == null) {
            return failure;
        }
        Answer answer = answer(sql);
        if (answer == null) {
            return STATUS.matcher(sql.getSQLState()).matches() ? new SQLException(sql.getSQLState()
                    + " (expected: a status that needs no further header fields, unlike 405, 407 and 426)",
                    sql) : sql;
        }
        String detail = Optional.of(sql).filter(_ -> showRaise).flatMap(PostgresDriver::raised)
                .map(Mistake::shortened).orElse(answer.detail());
        Optional<Mistake> mistake = Optional.of(sql).filter(_ -> !constraints.isEmpty())
                .flatMap(PostgresDriver::violatedConstraint)
                .flatMap(name -> Optional.ofNullable(constraints.get(name)))
                .map(name -> element == null ? parameters.mistake(name, detail, inForm)
                        : parameters.mistake(name, detail, element));
        if (element != null && mistake.isEmpty() && answer.status().code() < SERVER_ERROR) {
            mistake = Optional.of(element.mistake(detail));
        }
        if (mistake.isPresent()) {
            return HttpException.causedBy(mistake.get(), answer.status(), sql);
        }
        return answer.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE) && answer.mayBeRepeated()
                ? HttpException.tryAgain(detail, sql) : new HttpException(answer.status(), detail, sql);
    }

    /** Returns whether the response to an error of the database is one to a mistake of the request: 4xx. */
    boolean isOfRequest(SQLException error) {
        Answer answer = error.getSQLState() == null ? null : answer(error);
        return answer != null && answer.status().code() < SERVER_ERROR;
    }

    /** Returns the response by the SQLSTATE or its class, the first two characters; null for a 500. */
    private @Nullable Answer answer(SQLException error) {
        String state = error.getSQLState();
        Answer otherwise = ofError(error, state);
        SqlErrorConfig config = configured.getOrDefault(state, configured.get(stateClass(state)));
        if (config == null) {
            return otherwise;
        }
        HttpResponseStatus status = CurrentStatus.of(config.status());
        return new Answer(status, config.detail()
                .orElse(otherwise == null ? status.reasonPhrase() : otherwise.detail()),
                otherwise == null || otherwise.mayBeRepeated());
    }

    private @Nullable Answer ofError(SQLException error, String state) {
        if (STATUS.matcher(state).matches()) {
            int status = Integer.parseInt(state.substring(2));
            return SqlErrorConfig.NEEDING_FIELDS.contains(status) ? null : new Answer(status, OF_A_RULE);
        }
        if (takesValues && (PostgresDriver.refusesText(error) || SqlState.refusesText(error))) {
            return unfit();
        }
        if (PostgresDriver.refusedByPolicy(error)) {
            return new Answer(403, OF_A_RULE);
        }
        return PostgresDriver.changesTwice(error) ? new Answer(409, "two rows with the same key")
                : ofState(SqlState.of(error));
    }

    private @Nullable Answer ofState(String state) {
        return switch (state) {
            // Timeouts of a statement, of a transaction that waits for its next one, and of a transaction.
            case "57014", "25P03", "25P04" -> new Answer(504, "the query took too long");
            // Lock timeouts: PostgreSQL's, and two of H2's.
            case "55P03", "HYT00", "90131" -> collided();
            // Read-only transaction: by configuration, or on the former primary after a failover.
            case "25006" -> readOnly ? null : unavailable();
            // The server has ended the connection, or crashed, perhaps behind a commit; or it does not know.
            case "57P01", "57P02", "40003" -> connectionLost();
            // temp_file_limit: as of a row beyond the fetch buffer, another try would be no better.
            case "53400" -> null;
            // H2: a LIMIT, formats of dates, hexadecimal and escaped texts, and the step of a series. These
            // are values of the request.
            case "90003", "90004", "90008", "90010", "90014", "90056", "90095", "90142" ->
                    takesValues ? unfit() : null;
            // PL/pgSQL's RAISE EXCEPTION and SELECT INTO STRICT.
            case "P0001" -> new Answer(422, OF_A_RULE);
            case "P0002" -> new Answer(404, "no such row");
            default -> switch (stateClass(state)) {
                // 54: an entry of an index, for example, that is too large.
                case "22", "54" -> unfit();
                case "23", "44" -> new Answer(409, "conflicts with what is stored");
                case "40" -> collided();
                // MariaDB's SIGNAL SQLSTATE '45000'.
                case "45" -> new Answer(422, OF_A_RULE);
                case "08" -> connectionLost();
                case "53", "57" -> unavailable();
                default -> null;
            };
        };
    }

    private static String stateClass(String state) {
        return state.substring(0, Math.min(2, state.length()));
    }

    private static Answer unfit() {
        return new Answer(422, "a value does not fit");
    }

    private static Answer unavailable() {
        return new Answer(503, "the database is not available");
    }

    /** The statement has been sent, and a commit may be done of which no answer has come. */
    private Answer connectionLost() {
        return mayChangeTwice ? UNCERTAIN : unavailable();
    }

    private static Answer collided() {
        return new Answer(503, "collided with another request; try again");
    }
}

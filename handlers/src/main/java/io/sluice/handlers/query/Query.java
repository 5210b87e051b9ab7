package io.sluice.handlers.query;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.QueryStatements;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.selection.Selection;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.handlers.session.LocalSettings;
import io.sluice.handlers.write.StepNames;
import io.sluice.handlers.write.StepRows;
import io.sluice.handlers.write.Transaction;
import io.sluice.handlers.write.VersionTags;
import io.sluice.handlers.write.WriteRequest;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.jdbc.PreparedPlan;
import io.sluice.offload.jdbc.StatementCanceller;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A route's SQL statement, and the conversion of its result to a response. Rows are fetched a few at a time
 * by a cursor, so that few of them are in memory. A result that certainly fits is fetched without a cursor
 * and the transaction that it needs, which saves its round trips; a statement that returns no rows needs none
 * either. Thread-safe.
 */
final class Query {
    private static final AsciiString TOTAL_COUNT = AsciiString.cached("x-total-count");

    private final QueryParameters parameters;
    private final SqlErrors errors;
    private final Database database;
    private final SpillSpace spillSpace;
    private final FetchSize fetchSize;
    private final OversizeValues oversize = new OversizeValues(Ticker.systemTicker());
    private final RowResponse rowAnswer;
    private final int mostRows;
    private final boolean isSelect;
    /** Indicates whether all statements only read, according to their texts. */
    private final boolean allRead;
    private final boolean readOnly;
    private final LocalSettings settings;
    /** Indicates whether the statement changes data, according to its text. */
    private final boolean isChange;
    /** Indicates whether it tells how many rows it has changed: a change that is no CALL. */
    private final boolean countsRows;
    /** Indicates whether the statement has changed rows and returned none, as it always will. */
    private volatile boolean returnsNothing;
    /** Null if the query has no key {@code write}, and no precondition of a change. */
    private final @Nullable Transaction write;
    private final HttpResponseStatus changedStatus;

    Query(HandlerConfig.Query config, PathTemplate path, QueryParameters parameters, Database database,
          SpillSpace spillSpace) {
        this.parameters = parameters;
        readOnly = config.readOnly();
        errors = new SqlErrors(config, parameters, readOnly || database.session().readOnly());
        settings = new LocalSettings(database.session().local());
        this.database = database;
        this.spillSpace = spillSpace;
        fetchSize = new FetchSize(database.fetchBuffer(), database.fetchesSingly(), Ticker.systemTicker());
        rowAnswer = new RowResponse(config, database,
                Stream.concat(parameters.headers(), settings.headers()));
        // One more row tells whether the limit cuts any off.
        mostRows = config.single() ? 1 : Math.max(config.rowLimit(), config.rowLimit() + 1);
        isSelect = config.sql().isSelect();
        allRead = QueryStatements.of(config).stream().allMatch(sql -> sql.change().isEmpty());
        isChange = config.sql().change().isPresent();
        countsRows = config.sql().changesRows();
        Set<Source> preconditions = StepNames.preconditions(config, config.sql());
        boolean isConditional = isChange && !preconditions.isEmpty();
        write = config.write().or(() -> isConditional ? Optional.of(WriteConfig.NONE) : Optional.empty())
                .map(keys -> new Transaction(keys, parameters.steps(), path, preconditions,
                        new StepRows(database.fetchBuffer(), database.fetchesSingly()), errors::isOfRequest))
                .orElse(null);
        changedStatus = HttpResponseStatus.valueOf(config.write().map(WriteConfig::status).orElse(200));
    }

    Database database() {
        return database;
    }

    SpillSpace spillSpace() {
        return spillSpace;
    }

    FetchSize fetchSize() {
        return fetchSize;
    }

    OversizeValues oversize() {
        return oversize;
    }

    SqlErrors errors() {
        return errors;
    }

    /** Adds the headers of a request that an error depends on. */
    HttpException varying(HttpException error) {
        return rowAnswer.varying(error);
    }

    /**
     * Requires that a request to change data has no precondition that the statements do not evaluate (RFC
     * 9110 section 13.2.1). On the event loop.
     *
     * @throws HttpException 400 if it has one
     */
    void requireEvaluated(Exchange exchange) {
        HttpMethod method = exchange.request().method();
        boolean mayChange = !allRead || write != null;
        if (!mayChange || method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
            return;
        }
        if (method.equals(HttpMethod.PUT) && exchange.headers().contains(HttpHeaderNames.CONTENT_RANGE)) {
            throw HttpException.badParameter("Content-Range",
                    exchange.headers().get(HttpHeaderNames.CONTENT_RANGE),
                    "none, as this route takes whole bodies"); // RFC 9110 section 14.5
        }
        for (Source unknown : VersionTags.preconditions(exchange.headers())) {
            if (!parameters.preconditions().contains(unknown)) {
                String header = VersionTags.header(unknown);
                throw HttpException.badParameter(header, exchange.headers().get(header),
                        "none, as this route does not evaluate it");
            }
        }
    }

    /** Returns whether all statements only read, according to their texts. */
    boolean allRead() {
        return allRead;
    }

    /**
     * Returns the pages of a run.
     *
     * @param alone whether each row is fetched singly
     */
    ResultPages pages(RowRequest request, boolean alone) {
        return new ResultPages(fetchSize, mostRows(request), alone);
    }

    private int mostRows(RowRequest request) {
        Selection selection = request.selection();
        return selection != null && selection.isPage() ? selection.limit() + 1 : mostRows;
    }

    /**
     * Returns the response that a request asks for; 406 if it accepts none.
     *
     * @param mistakes gets those outside of the selection
     */
    RowRequest request(Exchange exchange, List<Mistake> mistakes) {
        return rowAnswer.request(exchange, write == null ? null : write.request(exchange, mistakes));
    }

    /**
     * Returns the settings of a request's transaction. On the event loop.
     *
     * @param mistakes gets those in their headers
     */
    BoundSettings settings(Exchange exchange, List<Mistake> mistakes) {
        return settings.of(exchange, mistakes);
    }

    /** Runs the statement, with those that belong to it, and writes its response. Blocks. */
    void execute(Execution execution, BoundSettings local, @Nullable Object[] values)
            throws SQLException, IOException {
        WriteRequest head = execution.request().write();
        BlockingResponse answer = execution.answer();
        PreparedPlan.run(execution.connection(), answer::clear, () -> {
            if (write == null || head == null) {
                executeOwn(execution, local, values);
            } else {
                write.run(execution.connection(), execution.scope(), local, values, head, answer,
                        (all, isFirst) -> executeOwn(execution, isFirst ? local : BoundSettings.NONE, all));
            }
        });
    }

    /** Runs the statement and writes its response. */
    private void executeOwn(Execution execution, BoundSettings local, @Nullable Object[] values)
            throws SQLException, IOException {
        Connection connection = execution.connection();
        Selection selection = execution.request().selection();
        startTransaction(connection, execution.pages());
        BoundSettings pending = local;
        if (selection != null && selection.isSeveral()) {
            local.apply(connection);
            pending = BoundSettings.NONE;
        }
        String sql = selection == null ? parameters.jdbc() : sql(execution, selection, values);
        try (PreparedStatement statement = pending.prepare(connection, sql);
                var _ = new StatementCanceller(statement, execution.scope())) {
            statement.setMaxRows(mostRows(execution.request()));
            statement.setFetchSize(execution.pages().size());
            int first = pending.bind(statement);
            if (selection == null) {
                parameters.bind(statement, first, values);
            } else {
                selection.bind(statement, binder(first, values));
            }
            if (pending.skip(statement, statement.execute())) {
                writeRows(statement, execution);
            } else {
                writeCount(statement, execution.request(), execution.answer());
            }
        }
    }

    /** Checks and counts the selected rows, and returns the statement that selects them. */
    private String sql(Execution execution, Selection selection, @Nullable Object[] values)
            throws SQLException {
        Connection connection = execution.connection();
        WorkScope scope = execution.scope();
        Selection.Binder binder = binder(1, values);
        selection.check(connection, scope, binder);
        if (selection.isCounted()) {
            execution.answer().headers().set(TOTAL_COUNT, selection.count(connection, scope, binder));
        }
        return selection.sql(connection, scope, binder);
    }

    private void writeRows(PreparedStatement executed, Execution execution)
            throws SQLException, IOException {
        RowRequest request = execution.request();
        try (ResultSet rows = executed.getResultSet()) {
            boolean isNothing = isChange && !rows.isBeforeFirst();
            if (write == null || setStatusOfChange(request, execution.answer(), isNothing)) {
                rowAnswer.write(rows, request, execution.pages(), execution.answer());
            }
        }
    }

    private void writeCount(PreparedStatement executed, RowRequest request, BlockingResponse answer)
            throws SQLException, IOException {
        returnsNothing = countsRows;
        int updated = Math.max(0, executed.getUpdateCount()); // -1 for a CALL
        answer.headers().set(HttpHeaderNames.CONTENT_TYPE, Json.MEDIA_TYPE);
        if (write == null || setStatusOfChange(request, answer, countsRows && updated == 0)) {
            answer.write(("{\"updated\":" + updated + '}').getBytes(StandardCharsets.US_ASCII));
        }
    }

    /**
     * Ends the auto-commit mode where several round trips, or a mode, belong to the transaction. Settings end
     * it, too.
     */
    private void startTransaction(Connection connection, ResultPages pages) throws SQLException {
        // What triggers have done is rolled back if the statement itself has changed nothing, but had to.
        boolean mayFail = write != null && write.mustChange();
        boolean isOneRoundTrip = returnsNothing && !mayFail || isSelect && pages.isWhole();
        if (!isOneRoundTrip || readOnly) {
            connection.setAutoCommit(false);
        }
        if (readOnly) {
            connection.setReadOnly(true); // until it is given back to the pool
        }
    }

    /** Sets the status of a change, and returns whether the result follows; throws if there must be one. */
    private boolean setStatusOfChange(RowRequest request, BlockingResponse answer, boolean isNothing) {
        HttpResponseStatus status = isNothing && write != null && request.write() != null
                ? write.nothingChanged(request.write()) : changedStatus;
        boolean isBodyless = status.equals(HttpResponseStatus.NO_CONTENT);
        if (isBodyless) {
            answer.setBodyless(status);
        } else {
            answer.setStatus(status);
        }
        return !(isBodyless && isNothing);
    }

    private Selection.Binder binder(int first, @Nullable Object[] values) {
        return statement -> parameters.bind(statement, first, values);
    }
}

package io.sluice.handlers;

/** Contract of exchanges over HTTP: bodies that are streamed in both directions, and answers with headers. */
public abstract class HttpExchangeContract extends ExchangeContract implements PiecesContract {
}

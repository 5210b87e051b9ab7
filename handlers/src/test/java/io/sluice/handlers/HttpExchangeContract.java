package io.sluice.handlers;

/** Contract of every exchange whose bodies come and go in pieces, and whose answers have headers. */
public abstract class HttpExchangeContract extends ExchangeContract implements PiecesContract {
}

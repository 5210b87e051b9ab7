package io.sluice.loadtest.experiments.peer;

/**
 * An order to insert.
 *
 * @param item the id of the item
 */
record Order(long item, int quantity) {}

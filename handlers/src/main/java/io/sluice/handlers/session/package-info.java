/** Settings that a request's transaction has in its database session. */
package io.sluice.handlers.session;

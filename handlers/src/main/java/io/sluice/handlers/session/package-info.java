/** Settings that a request's transaction has in its database session. */
@NullMarked
package io.sluice.handlers.session;

import org.jspecify.annotations.NullMarked;

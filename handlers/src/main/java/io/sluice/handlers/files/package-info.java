/** Routes that answer with files: what is served, what of it is asked for, and how it is sent. */
package io.sluice.handlers.files;

/** Bodies of HTML forms: their fields and files. */
package io.sluice.handlers.form;

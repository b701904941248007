import { Scalar } from 'yaml';

/** Control characters but tab and newline: YAML takes them only when they are escaped. */
const CONTROL = /[^\P{Cc}\n\t]|\ufeff/u;

/** A quotation that cannot be misread, and that does not change the quotes inside an expression. */
const quotation = (value: string) => {
  if (CONTROL.test(value)) return Scalar.QUOTE_DOUBLE;
  if (value.includes('\n')) return Scalar.BLOCK_LITERAL;
  return value.includes('"') && !value.includes("'") ? Scalar.QUOTE_SINGLE : Scalar.QUOTE_DOUBLE;
};

/**
 * A user's text as a YAML node. cloud-init renders the whole document with jinja before it parses the YAML, so the
 * result of an expression is inside this scalar: it is never plain, because a `: ` or ` #` in the result would change
 * the document, and quotes inside an expression are escaped only if there is no other way.
 */
export const text = (value: string): Scalar<string> => {
  const scalar = new Scalar(value);
  scalar.type = quotation(value);
  return scalar;
};

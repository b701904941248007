import { Scalar } from 'yaml';

/** Characters that YAML only accepts in escaped form, or that its parsers treat as line breaks. */
const ESCAPED = /[^\P{Cc}\n\t]|[\u2028\u2029\ufeff\ufffe\uffff]/u;
/** The characters among them that the serializer does not escape, even in double quotes. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text of only blanks and newlines: parsers would take the blanks for the indentation of a block. */
const isBlank = (value: string): boolean => /^[ \t\n]+$/.test(value) && /[ \t]/.test(value);

/** The text in quotes that parsers cannot misread, without changes to quotes inside an expression. */
const quotation = (value: string) => {
  if (ESCAPED.test(value) || isBlank(value)) return Scalar.QUOTE_DOUBLE;
  if (value.includes('\n')) return Scalar.BLOCK_LITERAL;
  return value.includes('"') && !value.includes("'") ? Scalar.QUOTE_SINGLE : Scalar.QUOTE_DOUBLE;
};

/**
 * A user's text as a YAML node. cloud-init renders the complete document with jinja before it parses the YAML, so the
 * result of an expression is inside this scalar. The scalar is never plain, because a `: ` or ` #` in the result would
 * change the document. Quotes inside an expression are only escaped if there is no other way.
 */
export const text = (value: string): Scalar<string> => {
  const scalar = new Scalar(value);
  scalar.type = quotation(value);
  return scalar;
};

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Completes the escapes of a serialized document. All texts with such characters are in double quotes. */
export const withEscapes = (document: string): string => document.replace(UNESCAPED, escaped);

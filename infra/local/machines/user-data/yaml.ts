import { parseAllDocuments, type YAMLParseError } from 'yaml';

/**
 * The location and kind of an error, but not the text: the parser's own message quotes the text, which may be a key or
 * a token.
 */
const describe = ({ code, linePos }: YAMLParseError): string => {
  const start = linePos?.[0];
  return start ? `${code} in line ${start.line}, column ${start.col}` : code;
};

/** The documents of a YAML 1.1 text. Throws an Error with the location of an error, without quoting the text. */
export const readYaml = (text: string): unknown[] =>
  [...parseAllDocuments(text, { version: '1.1', logLevel: 'error' })].map((document) => {
    const [error] = document.errors;
    if (error) throw new Error(`yaml: ${describe(error)}`);
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  });

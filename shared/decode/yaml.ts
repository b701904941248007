import { type Document, parseDocument } from 'yaml';
import { UnreadableError } from './unreadable.ts';

/** Aliases could make a short text grow without bound. */
const MAX_ALIASES = 100;

export interface YamlOptions {
  /** `1.1` as Go's libraries read it: `on` is true, `0644` is octal. Default 1.2. */
  version?: '1.1' | '1.2';
}

const toValue = (document: Document): unknown => {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // The library's message contains the alias, which is a part of the text.
    throw new UnreadableError('YAML', { code: error instanceof RangeError ? 'TOO_DEEP' : 'BAD_ALIAS' });
  }
};

const documentOf = (text: string, version: YamlOptions['version']): Document => {
  try {
    // Otherwise the library writes its warnings, with what they are about, into the log.
    return parseDocument(text, { version, prettyErrors: false, logLevel: 'error' });
  } catch {
    // A text that is nested deeper than the stack.
    throw new UnreadableError('YAML', { code: 'TOO_DEEP' });
  }
};

/**
 * The value of a text with one YAML document; null if it is empty. Throws an UnreadableError, which does not quote
 * the text.
 */
export const readYaml = (text: string, { version = '1.2' }: YamlOptions = {}): unknown => {
  const document = documentOf(text, version);
  const [fault] = document.errors;
  if (fault)
    throw new UnreadableError('YAML', { code: fault.code, line: text.slice(0, fault.pos[0]).split('\n').length });
  return toValue(document);
};

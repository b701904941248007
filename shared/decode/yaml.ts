import { UnreadableError } from './unreadable.ts';
import { readYamlDocument, type YamlDialect, type YamlDocument } from './yaml-documents.ts';

export interface YamlOptions {
  /** `1.1` as Go's libraries read it: `on` is true, `0644` is octal. Default 1.2. */
  version?: '1.1' | '1.2';
}

const documentOf = (text: string, dialect: YamlDialect): YamlDocument => {
  try {
    return readYamlDocument(text, dialect);
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
  const document = documentOf(text, { version });
  const [fault = document.duplicates[0]] = document.faults;
  if (fault) throw new UnreadableError('YAML', { code: fault.code, line: fault.line });
  const read = document.read();
  if (read.problem !== undefined) throw new UnreadableError('YAML', { code: read.problem });
  return read.value;
};

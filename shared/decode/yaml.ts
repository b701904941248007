import { UnreadableError } from './unreadable.ts';
import { readYamlDocument, type YamlDialect, type YamlDocument } from './yaml-documents.ts';

export interface YamlOptions {
  /** `1.1` as in Go's libraries: `on` is true, `0644` is octal. The default is 1.2. */
  version?: '1.1' | '1.2';
}

const documentOf = (text: string, dialect: YamlDialect): YamlDocument => {
  try {
    return readYamlDocument(text, dialect);
  } catch {
    // The text is nested too deeply for the stack.
    throw new UnreadableError('YAML', { code: 'TOO_DEEP' });
  }
};

/**
 * The value of a YAML text with one document; null if it is empty. Throws an UnreadableError, which does not quote the
 * text.
 */
export const readYaml = (text: string, { version = '1.2' }: YamlOptions = {}): unknown => {
  const document = documentOf(text, { version });
  const [fault = document.duplicates[0]] = document.faults;
  if (fault) throw new UnreadableError('YAML', { code: fault.code, line: fault.line });
  const read = document.read();
  if (read.problem !== undefined) throw new UnreadableError('YAML', { code: read.problem });
  return read.value;
};

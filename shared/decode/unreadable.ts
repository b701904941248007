/** Details of an error in a text: numbers and constant words, never a part of the text. */
export interface Fault {
  /** A constant word for the fault, such as a parser's error code. */
  code?: string;
  /** Counted from 1. */
  line?: number;
}

/**
 * A text that does not have the required format. Parsers quote what they cannot read, which may be a secret. Therefore
 * the message contains only the format, the parser's code and the line, and there is no `cause`: both reach conditions,
 * events, logs and the histories of executions.
 */
export class UnreadableError extends Error {
  override readonly name = 'Unreadable';
  readonly format: string;
  constructor(format: string, { code, line }: Fault = {}) {
    const where = line === undefined ? '' : ` in line ${line}`;
    super(`is not readable ${format}${code === undefined ? '' : `: ${code}`}${where}`);
    this.format = format;
  }
}

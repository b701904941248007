/**
 * What may be reported about any error in logs, events, conditions and the histories of executions. The messages of our
 * own errors and of AWS are written for this purpose. The messages of the language and of parsers are not: they quote
 * their input, which may be a secret.
 */

/** Errors of the language: `JSON.parse`, `BigInt`, `new RegExp` and property access on undefined quote their input. */
const BUILT_IN = [SyntaxError, RangeError, TypeError, ReferenceError, URIError, EvalError];

/** Errors of libraries, by names that survive bundling. */
const LIBRARIES: readonly string[] = ['ZodError', '$ZodError', 'YAMLParseError', 'YAMLWarning', 'YAMLException'];

/** Keys of a log line. */
export type DescribedError = { error: string; reason: string };

const WITHHELD = 'its message is withheld, because it may quote a secret';

/** Whether the message of an error may quote its input. */
const mayQuote = (error: Error): boolean =>
  BUILT_IN.some((type) => error instanceof type) || LIBRARIES.includes(error.name);

/** The name and message of an error. A message that may quote its input is left out. */
export const describeError = (error: unknown): DescribedError => {
  if (!(error instanceof Error)) return { error: 'Unknown', reason: WITHHELD };
  return { error: error.name, reason: mayQuote(error) ? WITHHELD : error.message };
};

/** The frames of a stack, without the message before them. */
const framesOf = ({ name, message, stack = '' }: Error): string => {
  const head = message === '' ? name : `${name}: ${message}`;
  return stack.startsWith(head) ? stack.slice(head.length) : '';
};

/** An error with the same name and stack frames, but with another message. */
const retold = (error: Error, message: string): Error => {
  const told = new Error(message);
  told.name = error.name;
  told.stack = `${error.name}: ${message}${framesOf(error)}`;
  return told;
};

/**
 * The error in a form that may leave a function. If its message may quote a secret, it is replaced by an error with the
 * same name and stack frames.
 */
export const withoutQuotes = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(WITHHELD);
  return mayQuote(error) ? retold(error, WITHHELD) : error;
};

/**
 * Lambda sends a message twice, alone and with the stack, and the payload of a workflow is limited to 256 KiB. Events
 * show fewer characters than this.
 */
const LONGEST_MESSAGE = 8_000;

/**
 * The error in a form that a workflow can report: a long message is truncated. AWS quotes users' input, and a larger
 * error ends an execution at once, because no `Catch` matches States.DataLimitExceeded.
 */
export const withShortMessage = (error: Error): Error =>
  error.message.length <= LONGEST_MESSAGE
    ? error
    : retold(error, `${error.message.slice(0, LONGEST_MESSAGE).toWellFormed()}…`);

/**
 * What may be reported of any error in logs, events, conditions, and the histories of executions. Messages of our own
 * errors and of AWS are meant for that. Messages of the language and of parsers are not: they quote their input, which
 * may be a secret.
 */

/** Of the language: `JSON.parse`, `BigInt`, `new RegExp` and property access on what is not there quote their input. */
const BUILT_IN = [SyntaxError, RangeError, TypeError, ReferenceError, URIError, EvalError];

/** Of libraries, by the names that survive bundling. */
const LIBRARIES: readonly string[] = ['ZodError', '$ZodError', 'YAMLParseError', 'YAMLWarning', 'YAMLException'];

/** Keys of a log line. */
export type DescribedError = { error: string; reason: string };

const WITHHELD = 'its message is withheld, because it may quote a secret';

/** Whether the message of an error may quote what it was given. */
const mayQuote = (error: Error): boolean =>
  BUILT_IN.some((type) => error instanceof type) || LIBRARIES.includes(error.name);

/** Name and message of an error; a message that may quote its input is left out. */
export const describeError = (error: unknown): DescribedError => {
  if (!(error instanceof Error)) return { error: 'Unknown', reason: WITHHELD };
  return { error: error.name, reason: mayQuote(error) ? WITHHELD : error.message };
};

/** The frames of a stack, without the message before them. */
const framesOf = ({ name, message, stack = '' }: Error): string => {
  const head = message === '' ? name : `${name}: ${message}`;
  return stack.startsWith(head) ? stack.slice(head.length) : '';
};

/** An error of the same name and with the same frames in its stack, but with another message. */
const retold = (error: Error, message: string): Error => {
  const told = new Error(message);
  told.name = error.name;
  told.stack = `${error.name}: ${message}${framesOf(error)}`;
  return told;
};

/**
 * The error as it may leave a function: itself, or where its message may quote a secret one of the same name, with the
 * same frames in its stack.
 */
export const withoutQuotes = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(WITHHELD);
  return mayQuote(error) ? retold(error, WITHHELD) : error;
};

/**
 * Lambda sends a message twice, alone and with the stack, and what a workflow passes on is limited to 256 KiB. Events
 * show less than this.
 */
const LONGEST_MESSAGE = 8_000;

/**
 * The error as a workflow can report it: itself, or with the beginning of its message. AWS quotes what a user has
 * written, and a larger error ends an execution at once: no `Catch` matches States.DataLimitExceeded.
 */
export const withShortMessage = (error: Error): Error =>
  error.message.length <= LONGEST_MESSAGE
    ? error
    : retold(error, `${error.message.slice(0, LONGEST_MESSAGE).toWellFormed()}…`);

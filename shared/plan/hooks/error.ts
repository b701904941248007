/** A call of an extension that failed or got an invalid response. Its message is shown in conditions. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';
}

/**
 * The same if the extension could not be called or its response could not be decoded. Failure policies apply to these
 * errors.
 */
export class UnansweredError extends ExtensionError {}

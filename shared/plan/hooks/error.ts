/** A call of an extension that was made and has not been answered as it should be. Its message is shown in conditions. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';
}

/** The same if the extension could not be called or its answer could not be read: failure policies are about these. */
export class UnansweredError extends ExtensionError {}

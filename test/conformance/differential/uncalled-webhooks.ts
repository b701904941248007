/** The text that precedes the reason why a webhook could not be called. */
const CALL_FAILED = /^(Internal error occurred: )?failed calling webhook "[^"]*": failed to call webhook: /;

/** The same for a conversion webhook; here the reason may come from Go's libraries. */
const UNCONVERTED = /^conversion webhook for \S+, Kind=\w+ failed: /;
const OF_LIBRARIES = /failed: (an error on the server |Object 'Kind' is missing |unable to decode )/;

/** Whether both messages report that the same webhook gave no usable answer. */
export const isUncalled = (theirs: string, ours: string): boolean => {
  const start = OF_LIBRARIES.test(theirs) ? UNCONVERTED : CALL_FAILED;
  const [said] = start.exec(theirs) ?? [];
  return said !== undefined && said === start.exec(ours)?.[0];
};

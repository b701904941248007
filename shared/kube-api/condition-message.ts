/** The longest message of a metav1.Condition. */
export const LONGEST_MESSAGE = 32_768;

/** The longest message of a condition of Cluster API v1beta1. */
export const LONGEST_LEGACY_MESSAGE = 10_240;

/**
 * A message that fits into a condition; the rest of a longer one is replaced by `…`. A status with a longer message
 * would be refused completely, and the pass that reports it would end.
 */
export const fittingMessage = (message: string, longest = LONGEST_MESSAGE): string =>
  message.length <= longest ? message : `${message.slice(0, longest - 1).toWellFormed()}…`;

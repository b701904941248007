/**
 * A managed policy is limited to 6,144 characters, and the CDK splits the permissions of a role only between
 * statements.
 */
const MOST_ARNS = 20;

/** Divides ARNs into lists that each fit into one statement; an empty list gives none. */
export const portions = (arns: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(arns.length / MOST_ARNS) }, (_, at) =>
    arns.slice(at * MOST_ARNS, (at + 1) * MOST_ARNS),
  );

/** A managed policy has 6,144 characters, and the CDK divides the permissions of a role only between statements. */
const MOST_ARNS = 20;

/** ARNs in lists that each fit into one statement; none of no ARNs. */
export const portions = (arns: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(arns.length / MOST_ARNS) }, (_, at) =>
    arns.slice(at * MOST_ARNS, (at + 1) * MOST_ARNS),
  );

const literally = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Groups of a caller who may do everything, as the API's authorization knows them. */
const ADMIN_GROUPS: readonly string[] = ['system:masters', 'system:authenticated'];

/**
 * Reads comma-separated patterns of principal ARNs, in which `*` stands for any characters. The function that it returns
 * gives the groups of a principal, or undefined for one that no pattern names.
 */
export const makeGroupsOf = (patterns: string): ((arn: string) => readonly string[] | undefined) => {
  const expressions = patterns
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .map((pattern) => new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`));
  return (arn) => (expressions.some((expression) => expression.test(arn)) ? ADMIN_GROUPS : undefined);
};

/** Which attributes an update assigns, as far as an index can depend on them. */

export interface Expression {
  UpdateExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

const CLAUSE = /\b(SET|REMOVE|ADD|DELETE)\b/;

/** Splits at commas outside of parentheses. */
const parts = (list: string): string[] => {
  const found: string[] = [''];
  let depth = 0;
  for (const letter of list) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) found.push('');
    else found.push(`${found.pop()}${letter}`);
  }
  return found.map((part) => part.trim()).filter((part) => part !== '');
};

/**
 * The attributes that an UpdateItem sets, with their values, undefined for those that it removes. A value that is
 * calculated from others is its own text: another one than before, which is what counts.
 */
export const assignments = (write: Expression): Record<string, unknown> => {
  const { UpdateExpression = '', ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = write;
  const [, ...clauses] = UpdateExpression.split(CLAUSE);
  const assigned: Record<string, unknown> = {};
  const nameOf = (text: string): string => names[text] ?? text;
  for (let at = 0; at < clauses.length; at += 2) {
    for (const part of parts(clauses[at + 1] ?? '')) {
      const [left = '', right = ''] = clauses[at] === 'SET' ? part.split(/\s*=\s*(.*)/s) : part.split(/\s+(.*)/s);
      assigned[nameOf(left)] = clauses[at] === 'REMOVE' ? undefined : (values[right] ?? { calculated: right });
    }
  }
  return assigned;
};

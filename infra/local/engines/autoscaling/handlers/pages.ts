import { AwsFault } from '../../wire/fault.ts';
import { validationError } from '../state.ts';

/** One page of rows in their order; the token is the position of the first row of the next page. */
export const page = <Row>(
  rows: readonly Row[],
  { MaxRecords, NextToken }: { MaxRecords?: number; NextToken?: string },
  { most = 100, otherwise = 50 } = {},
): { rows: Row[]; NextToken: string | undefined } => {
  const size = MaxRecords ?? otherwise;
  if (size < 1 || size > most)
    throw validationError(
      `1 validation error detected: Value '${size}' at 'maxRecords' failed to satisfy constraint: Member must have value less than or equal to ${most}`,
    );
  const text = NextToken === undefined ? '0' : Buffer.from(NextToken, 'base64url').toString('utf8');
  if (!/^\d+$/.test(text)) throw new AwsFault('InvalidNextToken', 'The NextToken value is not valid.');
  const first = Number(text);
  const next = first + size < rows.length ? Buffer.from(String(first + size)).toString('base64url') : undefined;
  return { rows: rows.slice(first, first + size), NextToken: next };
};

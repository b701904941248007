import type { Filter } from '@aws-sdk/client-ec2';
import { AwsFault } from '../wire/fault.ts';
import { applyFilters, type FilterFields, isLiteral } from './filters.ts';
import type { Resource, Table } from './table.ts';

/** The part that all describe calls share. */
export interface Question {
  readonly ids?: readonly string[];
  readonly filters?: readonly Filter[];
  readonly maxResults?: number;
  readonly nextToken?: string;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly nextToken: string | undefined;
}

const MIN_RESULTS = 5;
const MAX_RESULTS = 1000;

const positionOf = (token: string): number => {
  const position = Number(Buffer.from(token, 'base64url').toString('utf8'));
  if (!Number.isSafeInteger(position) || position < 1)
    throw new AwsFault('InvalidNextToken', 'The token that was provided is invalid.');
  return position;
};

const isInOrder = (rows: readonly Pick<Resource, 'sequence'>[]): boolean =>
  rows.every(({ sequence }, index) => index === 0 || (rows[index - 1]?.sequence ?? 0) <= sequence);

/** By sequence, in which tables already hold them; only rows of several owners must be sorted. */
const inOrder = <Row extends Pick<Resource, 'sequence'>>(rows: readonly Row[]): readonly Row[] =>
  isInOrder(rows) ? rows : [...rows].sort((a, b) => a.sequence - b.sequence);

/**
 * One page of rows. The token contains the position of the last row, so that changes between two pages neither repeat
 * nor hide rows.
 */
export const pageOf = <Row extends Pick<Resource, 'sequence'>>(rows: readonly Row[], question: Question): Page<Row> => {
  const { maxResults = MAX_RESULTS, nextToken } = question;
  if (maxResults < MIN_RESULTS || maxResults > MAX_RESULTS)
    throw new AwsFault(
      'InvalidParameterValue',
      `Value ( ${maxResults} ) for parameter maxResults is invalid. Expecting a value between ${MIN_RESULTS} and ${MAX_RESULTS}.`,
    );
  const after = nextToken ? positionOf(nextToken) : 0;
  const ordered = inOrder(rows);
  const first = ordered.findIndex(({ sequence }) => sequence > after);
  const page = first < 0 ? [] : ordered.slice(first, first + maxResults);
  const last = page.at(-1);
  const more = first + page.length < ordered.length && last;
  return { rows: page, nextToken: more ? Buffer.from(String(last.sequence)).toString('base64url') : undefined };
};

/** All rows that could match: those of the owners, if a filter names owners, because others need no check. */
const candidates = <Row extends Resource>(table: Table<Row>, { ids, filters = [] }: Question): Row[] => {
  const { Values } = filters.find(({ Name }) => table.ownerFilter !== undefined && Name === table.ownerFilter) ?? {};
  return !ids?.length && Values?.every(isLiteral) ? table.seenOf(Values) : table.seen(ids);
};

/** EC2 returns a list of ids on one page. */
export const pagedIds = (): AwsFault =>
  new AwsFault('InvalidParameterCombination', 'The parameter maxResults cannot be used together with a list of ids');

/** Answers a describe call: rows by id or all, filtered, one page. */
export const describe = <Row extends Resource>(
  table: Table<Row>,
  question: Question,
  fields: FilterFields<Row>,
  isOnTags?: (name: string) => boolean,
): Page<Row> => {
  if (question.ids?.length && question.maxResults !== undefined) throw pagedIds();
  return pageOf(applyFilters(candidates(table, question), question.filters, fields, isOnTags), question);
};

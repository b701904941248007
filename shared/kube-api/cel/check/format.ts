import { FORMAT_FAULTS, readFormat } from '../functions/format-clauses.ts';
import type { Call, Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import { CelError } from '../value.ts';
import type { Checked } from './check.ts';
import { type CelType, TYPES } from './types.ts';

type Kind = CelType['kind'];

const NUMBERS: readonly Kind[] = ['int', 'uint'];
const DOUBLES: readonly Kind[] = ['double', 'string'];

/** The types that each clause accepts. */
const TAKES: Readonly<Record<string, readonly Kind[]>> = {
  s: 'list map int uint double bool string timestamp bytes duration type null'.split(' ') as Kind[],
  d: NUMBERS,
  f: DOUBLES,
  e: DOUBLES,
  b: [...NUMBERS, 'bool'],
  x: [...NUMBERS, 'string', 'bytes'],
  X: [...NUMBERS, 'string', 'bytes'],
  o: NUMBERS,
};

const NAMES: Partial<Record<Kind, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
  null: 'null_type',
};

const misfit = (verb: string, value: Expression, { types }: Checked): { at: number; name: string } | undefined => {
  const type = types.get(value.id) ?? TYPES.dyn;
  if (type.kind !== 'dyn' && !TAKES[verb]?.includes(type.kind)) {
    return { at: value.at, name: NAMES[type.kind] ?? (type.name.startsWith('object#') ? 'object' : type.name) };
  }
  if (verb !== 's') return undefined;
  const inner =
    value.kind === 'list'
      ? value.items.map((item) => item.value)
      : value.kind === 'map'
        ? value.entries.flatMap((entry) => [entry.key, entry.value])
        : [];
  for (const part of inner) {
    const found = misfit(verb, part, { types } as Checked);
    if (found) return found;
  }
  return undefined;
};

const clauseIssue = (
  clause: { verb: string; value: Expression | undefined },
  index: number,
  call: Call,
  checked: Checked,
) => {
  if (!clause.value) return [{ at: call.at, message: `index ${index} out of range` }];
  const found = misfit(clause.verb, clause.value, checked);
  if (!found) return [];
  return [{ at: found.at, message: `error during formatting: ${FORMAT_FAULTS[clause.verb]}, was given ${found.name}` }];
};

/** Returns the error in a format and its arguments, if both are literals (ext/formatting.go). */
export const formatIssue = (call: Call, checked: Checked): Issue[] => {
  const { target, args } = call;
  const [list] = args;
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list') return [];
  try {
    const clauses = readFormat(target.value).filter((part) => typeof part !== 'string');
    for (const [index, { verb }] of clauses.entries()) {
      const issues = clauseIssue({ verb, value: list.items[index]?.value }, index, call, checked);
      if (issues.length > 0) return issues;
    }
    if (list.items.length <= clauses.length) return [];
    const counts = `(expected ${clauses.length}, got ${list.items.length})`;
    return [{ at: call.at, message: `too many arguments supplied to string.format ${counts}` }];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return [{ at: call.at, message: error.message }];
  }
};

import { App, Stack } from 'aws-cdk-lib';
import { accountGrantsOf } from '../constructs/grants/grants.ts';

/** A policy statement as IAM reads it, with CloudFormation references. */
export type Document = Readonly<Record<string, unknown>>;

/** Texts that the CDK joins from references become one text for `Fn::Sub`. */
const substituted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(substituted);
  if (value === null || typeof value !== 'object') return value;
  const { 'Fn::Join': join, Ref } = value as { 'Fn::Join'?: [string, unknown[]]; Ref?: string };
  if (Ref !== undefined) return { 'Fn::Sub': `\${${Ref}}` };
  if (join === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, substituted(part)]));
  const parts = join[1].map((part) => (typeof part === 'string' ? part : `\${${(part as { Ref: string }).Ref}}`));
  return { 'Fn::Sub': parts.join(join[0]) };
};

/** Sorted keys, so that equal statements have equal texts. */
const textOf = (document: unknown): string =>
  JSON.stringify(document, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );

/** Merges statements with the same resources and conditions. */
const merged = (documents: readonly Document[]): Document[] => {
  const byRest = new Map<string, { rest: Document; actions: Set<unknown> }>();
  for (const { Action, ...rest } of documents) {
    const key = textOf(rest);
    const one = byRest.get(key) ?? { rest, actions: new Set() };
    for (const action of [Action].flat()) one.actions.add(action);
    byRest.set(key, one);
  }
  return [...byRest.values()].map(({ rest: { Effect, ...rest }, actions }) => ({
    Effect,
    Action: [...actions].sort(),
    ...rest,
  }));
};

/**
 * The combined permissions of a stack's functions in another account, for the single role there that all of them
 * assume.
 */
export const spokeStatements = (instanceProfiles: readonly string[]): Document[] => {
  const stack = new Stack(new App());
  const grants = Object.values(accountGrantsOf({ instanceProfiles })).flat();
  return merged(grants.map((grant) => substituted(stack.resolve(grant.toStatementJson())) as Document));
};

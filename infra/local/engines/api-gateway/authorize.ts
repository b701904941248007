import { createHash } from 'node:crypto';
import type { Clock } from '../../../../shared/clock.ts';
import type { RefusalType } from './refusals.ts';

/** A TOKEN authorizer, as the template describes it. */
export interface TokenAuthorizer {
  functionArn: string;
  /** The name of a header. */
  header: string;
  validation: RegExp | undefined;
  cacheSeconds: number;
}

interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: string | string[];
}

interface Answer {
  principalId: string;
  policyDocument: { Statement: Statement[] };
  context?: Record<string, unknown>;
}

/** The caller (undefined if anyone may call), or the refusal. */
export type Verdict = { caller: Readonly<Record<string, unknown>> | undefined } | { refusal: RefusalType };

/** Whether a value matches one of the patterns, in which `*` matches any characters and `?` any single one. */
const matcherOf = (patterns: string | string[]): ((value: string) => boolean) => {
  const expressions = [patterns].flat().map((pattern) => {
    const expression = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${expression}$`);
  });
  return (value) => expressions.some((expression) => expression.test(value));
};

const isSimple = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The decision of an authorizer's answer for a method: evaluated for each request, but parsed only once. */
type Decide = (methodArn: string) => Verdict;

const decisionsOf = (answer: Answer): Decide => {
  const context = answer.context ?? {};
  if (!Object.values(context).every(isSimple) || !Array.isArray(answer.policyDocument?.Statement))
    return () => ({ refusal: 'AUTHORIZER_FAILURE' });
  const statements = answer.policyDocument.Statement.filter(({ Action }) =>
    matcherOf(Action)('execute-api:Invoke'),
  ).map(({ Effect, Resource }) => ({ Effect, concerns: matcherOf(Resource) }));
  const texts = Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]));
  const caller = { ...texts, principalId: answer.principalId };
  return (methodArn) => {
    const effects = statements.filter(({ concerns }) => concerns(methodArn)).map(({ Effect }) => Effect);
    if (effects.includes('Deny')) return { refusal: 'EXPLICIT_DENY' };
    return effects.includes('Allow') ? { caller } : { refusal: 'ACCESS_DENIED' };
  };
};

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Asks an authorizer who the caller is. Its answers are cached by token for the time in the template; failures are not.
 * A function that throws an error with the message `Unauthorized` refuses with 401; any other error becomes 500.
 */
export const makeAuthorize = (
  authorizer: TokenAuthorizer,
  dependencies: { clock: Clock; invoke: (functionArn: string, event: unknown) => Promise<unknown> },
) => {
  const { clock, invoke } = dependencies;
  const remembered = new Map<string, { until: number; decide: Promise<Decide> }>();

  const forgetOld = (now: number): void => {
    for (const [key, { until }] of remembered) if (until <= now) remembered.delete(key);
  };

  const ask = (token: string, methodArn: string): Promise<Decide> => {
    const now = clock.now().getTime();
    forgetOld(now);
    const key = digest(token);
    const known = remembered.get(key);
    if (known !== undefined) return known.decide;
    const event = { type: 'TOKEN', authorizationToken: token, methodArn };
    const decide = invoke(authorizer.functionArn, event).then((answer) => decisionsOf(answer as Answer));
    remembered.set(key, { until: now + authorizer.cacheSeconds * 1000, decide });
    decide.catch(() => remembered.delete(key));
    return decide;
  };

  return async (headers: Readonly<Record<string, unknown>>, methodArn: string): Promise<Verdict> => {
    const token = headers[authorizer.header.toLowerCase()];
    if (typeof token !== 'string' || token === '') return { refusal: 'UNAUTHORIZED' };
    if (authorizer.validation !== undefined && !authorizer.validation.test(token)) return { refusal: 'UNAUTHORIZED' };
    try {
      const decide = await ask(token, methodArn);
      return decide(methodArn);
    } catch (error) {
      const refused = error instanceof Error && error.message === 'Unauthorized';
      return { refusal: refused ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE' };
    }
  };
};

export type Authorize = ReturnType<typeof makeAuthorize>;

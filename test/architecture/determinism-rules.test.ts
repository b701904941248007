import { describe, expect, it } from 'vitest';
import { determinismProblems } from './determinism-rules.ts';
import { makeSource, readSources } from './source.ts';

const problemsOf = (text: string, path = 'shared/plan/a.ts'): string[] => determinismProblems(makeSource(path, text));

describe('below the entry points', () => {
  it('nothing reads the wall clock, a timer, randomness or the environment', () => {
    expect(readSources('shared', 'functions', 'infra').flatMap(determinismProblems)).toEqual([]);
  });

  it.each([
    ['Date.now', 'const at = Date.now();'],
    ['Date.now', "const at = Date['now']();"],
    ['Date.now', 'const at = globalThis.Date.now();'],
    ['Date.now', 'const { now } = Date;'],
    ['Date.now', 'const read = (now = Date.now) => now();'],
    ['new Date()', 'const at = new Date();'],
    ['new Date()', 'const at = new globalThis.Date();'],
    ['Date()', 'const at = Date();'],
    ['performance.now', 'const at = performance.now();'],
    ['process.hrtime', 'const at = process.hrtime.bigint();'],
    ['setTimeout', 'setTimeout(() => {}, 5);'],
    ['setInterval', 'globalThis.setInterval(() => {}, 5);'],
    ['node:timers/promises', "import { setTimeout } from 'node:timers/promises';"],
    ['node:timers/promises', "const { setTimeout: sleep } = await import('node:timers/promises');"],
    ['AbortSignal.timeout', 'const signal = AbortSignal.timeout(1000);'],
    ['Math.random', 'const dice = Math.random();'],
    ['crypto.randomUUID', 'const id = crypto.randomUUID();'],
    ['randomBytes', "import { createHash, randomBytes as bytes } from 'node:crypto';"],
    ['uuid', "import { v4 } from 'uuid';"],
    ['process.env', 'const region = process.env.AWS_REGION;'],
    ['process.env', 'const { env } = process;'],
  ])('%s is found in: %s', (found, text) => {
    expect(problemsOf(text).join('\n')).toContain(`shared/plan/a.ts:1: uses ${found}`);
  });

  it.each([
    'const at = new Date(0);',
    'const at = clock.now();',
    'await clock.sleep(5);',
    'const at = Date.parse(text);',
    "import { createHash } from 'node:crypto';",
    "import type { UUID } from 'node:crypto';",
    '// Date.now() would be wrong here',
    "const text = 'Math.random()';",
  ])('nothing is found in: %s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('process.env is found in the files next to a handler, but allowed in the handler itself', () => {
    const text = 'export const handler = make(process.env);';
    expect(problemsOf(text, 'functions/machine/node/handler.ts')).toEqual([]);
    expect(problemsOf(text, 'functions/drift/handler.ts')).toEqual([]);
    expect(problemsOf(text, 'functions/drift/sweep.ts')).toHaveLength(1);
    expect(problemsOf(text, 'functions/handlers.ts')).toHaveLength(1);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readJson, tryJson } from './json.ts';
import { UnreadableError } from './unreadable.ts';
import { readYaml } from './yaml.ts';

const CANARY = 'c4nary';
const messageOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableError);
    expect((error as Error).cause).toBeUndefined();
    return (error as Error).message;
  }
  return 'was read';
};

describe('text that may hold secrets', () => {
  const warned: unknown[][] = [];
  beforeEach(() => {
    warned.length = 0;
    vi.spyOn(process, 'emitWarning').mockImplementation((...given: unknown[]) => void warned.push(given));
  });
  afterEach(() => vi.restoreAllMocks());

  it('is parsed as JSON or YAML', () => {
    expect(readJson('{"a": [1]}')).toEqual({ a: [1] });
    expect(tryJson('{"a": [1]}')).toEqual({ a: [1] });
    expect(tryJson(CANARY)).toBeUndefined();
    expect(readYaml('a: {b: [1]}')).toEqual({ a: { b: [1] } });
    expect(readYaml('a: on')).toEqual({ a: 'on' });
    expect(readYaml('a: on', { version: '1.1' })).toEqual({ a: true });
    expect(readYaml('')).toBeNull();
  });

  it.each([
    [CANARY, 'is not readable JSON'],
    [`{"a": ${CANARY}}`, 'is not readable JSON'],
    [`{"a": 1,\n"b": "${CANARY}" "c"}`, 'is not readable JSON in line 2'],
    [`{"a": 1,\n"b": "in JSON at position 7 (${CANARY}`, 'is not readable JSON'],
  ])('is not quoted if it is not JSON: %j', (text, says) => {
    const message = messageOf(() => readJson(text));
    expect(message).toContain(says);
    expect(message).not.toContain(CANARY);
  });

  it.each([
    [`a: 1\nb: [${CANARY}`, 'is not readable YAML: BAD_INDENT in line'],
    [`a: *${CANARY}`, 'is not readable YAML: BAD_ALIAS'],
    [`${CANARY}: 1\n${CANARY}: 2`, 'is not readable YAML: DUPLICATE_KEY in line 2'],
    [`${CANARY}\n---\n${CANARY}`, 'is not readable YAML: MULTIPLE_DOCS in line'],
    [
      `a: &a [${CANARY}]\n${Array.from({ length: 9 }, (_, i) => `b${i}: &b${i} [${'*a,'.repeat(99)}*a]`).join('\n')}`,
      'BAD_ALIAS',
    ],
    ['['.repeat(20_000), 'is not readable YAML: '],
  ])('is not quoted if it is not YAML: %#', (text, says) => {
    const message = messageOf(() => readYaml(text));
    expect(message).toContain(says);
    expect(message).not.toContain(CANARY);
  });

  it('is not logged in a warning', () => {
    expect(readYaml(`a: !${CANARY} x`)).toEqual({ a: 'x' });
    expect(warned).toEqual([]);
  });
});

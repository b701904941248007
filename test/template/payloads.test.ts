import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { loadAssembly } from '../../infra/local/template.ts';
import { PAYLOAD_VERSION } from '../../shared/work/payloads.ts';
import { upgradePayload, type Versioned } from '../../shared/work/versions.ts';
import { definitionsOf } from './definitions.ts';
import { isServed, payloadsOf, type TaskPayload } from './payloads.ts';

/**
 * A deployment changes functions while executions continue with their old definitions. `golden/payloads-vN.golden`
 * contains the input that the definitions of version N pass to the functions. It is written once, when the version is
 * created, and never changed.
 */
const GOLDEN = join(import.meta.dirname, 'golden');
const fileOf = (version: number): string => join(GOLDEN, `payloads-v${version}.golden`);

const read = (version: number): TaskPayload[] => JSON.parse(readFileSync(fileOf(version), 'utf8')) as TaskPayload[];

/** The names of all members, at any depth, with the types of their values. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
    : typeof value;

let current: TaskPayload[];

/** The current input of the same step, even if it had another name. */
const today = (workflow: string, event: unknown): TaskPayload | undefined => {
  const { step } = upgradePayload(event as Versioned & { step: string });
  return current.find((payload) => payload.workflow === workflow && payload.step === step);
};

beforeAll(() => {
  current = payloadsOf(definitionsOf(inject('outdir')));
});

const versions = readdirSync(GOLDEN)
  .flatMap((file) => /^payloads-v(\d+)\.golden$/.exec(file)?.[1] ?? [])
  .map(Number);

it('the input of functions changes only with PAYLOAD_VERSION', async () => {
  // Vitest creates the file for a new version.
  await expect(`${JSON.stringify(current, null, 2)}\n`).toMatchFileSnapshot(fileOf(PAYLOAD_VERSION));
});

describe.each(versions)('a definition of version %i', (version) => {
  it('calls only steps that exist', () => {
    expect(read(version).filter((payload) => !isServed(payload))).toEqual([]);
  });

  it('sends input that the current functions accept', () => {
    for (const { workflow, step, event } of read(version)) {
      const now = today(workflow, event);
      // If no current definition contains the step, only running executions call it, with its former input.
      if (now)
        expect(shapeOf(upgradePayload(event as object)), `${workflow} ${step}`).toMatchObject(
          shapeOf(now.event) as object,
        );
    }
  });

  it('gets the results that it reads', () => {
    for (const { workflow, step, event, answer } of read(version)) {
      const now = today(workflow, event);
      expect(now?.answer ?? answer, `${workflow} ${step}`).toEqual(expect.arrayContaining(answer));
    }
  });
});

it('CloudFormation does not replace the table that holds the objects, or its key', () => {
  const { Resources } = loadAssembly(inject('outdir')).template;
  const kept = Object.entries(Resources).filter(([, { Type }]) => /::(Table|Key)$/.test(Type));
  const facts = kept.map(([id, { Type, Properties = {} }]) => {
    const { KeySchema, LocalSecondaryIndexes, TableName, KeySpec, KeyUsage } = Properties;
    return JSON.parse(JSON.stringify({ id, Type, KeySchema, LocalSecondaryIndexes, TableName, KeySpec, KeyUsage }));
  });
  expect(facts).toEqual(JSON.parse(readFileSync(join(GOLDEN, 'kept-resources.json'), 'utf8')));
});

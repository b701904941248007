import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { DYNAMODB_LOCAL_JAR, provideDynamoDbLocal } from './emulators.ts';
import type { RunTool, Tool } from './run-tool.ts';

const success: Tool = { status: 0, stdout: '', stderr: '' };
const makeDirectory = () => join(mkdtempSync(join(tmpdir(), 'windlass-emulators-')), 'cache');

it('installs DynamoDB Local once, and requires a Java version that can run it', () => {
  const directory = makeDirectory();
  let installs = 0;
  const computer =
    (java: string): RunTool =>
    (command, _, { cwd = '' } = {}) => {
      if (command === 'java') return { ...success, stderr: `openjdk version "${java}" 2025-04-15` };
      installs += 1;
      mkdirSync(dirname(join(cwd, DYNAMODB_LOCAL_JAR)), { recursive: true });
      writeFileSync(join(cwd, DYNAMODB_LOCAL_JAR), '');
      return success;
    };
  const provide = (java: string) => provideDynamoDbLocal(() => {}, directory, computer(java));
  expect(() => provide('11.0.2')).toThrow(/needs Java 17/);
  expect([provide('17.0.15'), provide('21')]).toEqual(Array(2).fill(join(directory, DYNAMODB_LOCAL_JAR)));
  expect(installs).toBe(1);
});

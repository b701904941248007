import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeHome } from './home.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'windlass-home-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('refuses a second start, and names the process that uses the directory', () => {
  const release = takeHome(directory, { pid: 4711, since: '2030-01-01T00:00:00Z' });
  const second = () => takeHome(directory, { pid: 4712, since: '2030-01-01T00:01:00Z' });
  expect(second).toThrow(`${directory} is in use by process 4711, which was started at 2030-01-01T00:00:00Z`);
  release();
  second()();
});

import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { untilUnread } from './commands/interrupt.ts';
import { ROOT } from './paths.ts';

it('exits without an error if its output is not read', async () => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-unread-'));
  const exec = { command: 'echo', args: ['{"status":{"token":"secret"}}'], env: [] };
  writeFileSync(join(home, 'kubeconfig'), JSON.stringify({ users: [{ user: { exec } }] }));
  const env = { ...process.env, WINDLASS_HOME: home };
  const child = spawn(process.execPath, [join(ROOT, 'infra/cli/windlass.ts'), 'token'], { env });
  child.stdout.destroy();
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([printed, code]).toEqual(['', 0]);
});

it('follows a resource only as long as the output is read', () => {
  const signal = untilUnread();
  expect(signal.aborted).toBe(false);
  process.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(signal.aborted).toBe(true);
});

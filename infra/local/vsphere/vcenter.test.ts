import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../shared/log.ts';
import { startVCenter } from './vcenter.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'windlass-vcenter-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A program with the output of the simulator, which ends with its standard input. */
const start = (script: string) => {
  const program = join(home, 'program');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o700);
  const account = { username: 'someone', password: 'secret' };
  return startVCenter({ ...account, program, listen: '127.0.0.1:0', template: 'any', log: silentLog });
};

const MACHINE = { id: 'vm-1', name: 'one', uuid: 'u', powered: true };

it('reports the machines of the program whenever they change', async () => {
  const later = JSON.stringify({ machines: [MACHINE] });
  const vcenter = await start(`
    echo '{"address":"127.0.0.1:1","thumbprint":"AA"}'
    read _
    echo '${later}'
    cat`);
  expect(vcenter).toMatchObject({ address: '127.0.0.1:1', thumbprint: 'AA' });
  expect(vcenter.machines()).toEqual([]);

  const rung = new Promise<void>((resolve) => vcenter.onNews(resolve));
  const stopped = vcenter.stop();
  await rung;
  expect(vcenter.machines()).toEqual([MACHINE]);
  await stopped;
});

it("rejects with the program's message if the program cannot serve", async () => {
  await expect(start('echo "address already in use" >&2; exit 1')).rejects.toThrow(
    'the simulated vCenter does not start: address already in use',
  );
});

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { PATHS } from '../paths.ts';

interface Exec {
  command: string;
  args: string[];
  env: { name: string; value: string }[];
}

/**
 * A token for the laptop's API, as the kubeconfig's credential plugin creates it, for curl and other clients without
 * plugins. Throws if nothing has been started yet.
 */
export const token = (): string => {
  if (!existsSync(PATHS.kubeconfig))
    throw new Error('there is no .windlass/kubeconfig yet: run `windlass start` first');
  const { users } = parse(readFileSync(PATHS.kubeconfig, 'utf8')) as { users: { user: { exec: Exec } }[] };
  const exec = users[0]?.user.exec;
  if (exec === undefined)
    throw new Error('.windlass/kubeconfig names no credential plugin: run `windlass start` again');
  const variables = Object.fromEntries(exec.env.map(({ name, value }) => [name, value]));
  const { status, stdout, stderr } = spawnSync(exec.command, exec.args, { env: variables, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
  return (JSON.parse(stdout) as { status: { token: string } }).status.token;
};

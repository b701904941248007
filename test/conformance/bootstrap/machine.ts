import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * A folder that represents a machine. /etc, /run and /var/lib are below it, and the programs that a script calls are
 * small shell scripts of the test. Needs bash and the usual tools of a Linux image.
 */
export const makeMachine = (programs: Readonly<Record<string, string>>) => {
  const root = mkdtempSync(join(tmpdir(), 'windlass-machine-'));
  const at = (path: string): string => join(root, path);
  const write = (path: string, content: string | Uint8Array, mode = 0o644): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
    chmodSync(at(path), mode);
  };
  for (const [name, body] of Object.entries(programs)) {
    write(`bin/${name}`, `#!/bin/bash\necho "${name} $*" >>"$ROOT/calls"\n${body}\n`, 0o755);
  }
  const env = { ROOT: root, PATH: `${at('bin')}:${process.env.PATH}` };
  const moved = (script: string): string =>
    script
      .replaceAll(/(?<![\w/.$}])\/(etc|run|var\/lib)\//g, `${root}/$1/`)
      .replace('pause=10', 'pause=0')
      .replaceAll(/sleep [25]$/gm, 'sleep 0');
  return {
    /** Maps a path on the machine to its path on this computer. */
    at,
    write,
    /** Writes a script that another script calls, with its paths relocated. */
    writeScript: (path: string, script: string): void => write(path, moved(script), 0o700),
    read: (path: string): string | undefined => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined),
    mode: (path: string): number => statSync(at(path)).mode & 0o777,
    calls: (): string[] => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n') : []),
    /**
     * Runs a script with bash as on the machine, but with its paths relocated to the folder and its pauses shortened.
     */
    run: (script: string, args: readonly string[] = []) => {
      write('script', moved(script));
      const result = spawnSync('bash', [at('script'), ...args], { encoding: 'utf8', env });
      return { code: result.status, output: result.stderr };
    },
    /**
     * Like `run`, but does not block this process, because the script's programs communicate with it. `more` is added
     * to the environment.
     */
    start: async (script: string, more: Readonly<Record<string, string>>) => {
      write('script', moved(script));
      const child = spawn('bash', [at('script')], { env: { ...env, ...more }, stdio: ['ignore', 'ignore', 'pipe'] });
      const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
      return { code: code as number | null, output };
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
};

/** Simulates a user at a terminal who executes a document's commands and answers yes whenever a program asks. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../infra/cli/paths.ts';
import { LIMIT } from '../../../shared/test-patience.ts';

export interface Typed {
  code: number;
  /** The output on the terminal. */
  text: string;
}

export interface Reader {
  /** The folder in which the commands run: it links to the contents of a checkout, and the commands may write to it. */
  directory: string;
  /**
   * Runs the commands until they end or the first one fails, because a user would stop there. Exported variables
   * persist.
   */
  type(commands: string): Promise<Typed>;
  /** The recorded calls of programs that are replaced. */
  standInCalls(): string[];
  close(): void;
}

export interface Reading {
  environment: Readonly<Record<string, string>>;
  /** Shell scripts by name. They come first on the PATH. */
  programs: Readonly<Record<string, string>>;
}

/** The parts of a checkout that the commands of the document need. */
const CHECKOUT = ['cdk.json', 'examples', 'functions', 'infra', 'node_modules', 'package.json', 'shared'];

const QUESTION = /\(y\/n\)\s*\??\s*$/;

/** Prevents programs from printing colours and from checking for newer versions. */
const PLAIN = {
  TERM: 'dumb',
  NO_COLOR: '1',
  CDK_NOTICES: 'false',
  CDK_DISABLE_VERSION_CHECK: '1',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false',
};

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

/** A replacement for a program, which only records how it was called. */
export const STAND_IN = 'echo "$(basename "$0") $*" >> "$STAND_IN_CALLS"';

const runScript = (file: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Typed> =>
  new Promise((resolve, reject) => {
    // `script` provides a terminal, because the CDK asks no questions without one.
    const child = spawn('script', ['-qefc', `bash ${file}`, '/dev/null'], { cwd, env });
    let text = '';
    const hear = (chunk: Buffer): void => {
      text += chunk.toString().replaceAll('\r', '');
      if (QUESTION.test(text.slice(-200))) child.stdin.write('y\n');
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const limit = setTimeout(() => child.kill('SIGTERM'), LIMIT);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code: code ?? -1, text: text.replaceAll(ESCAPES, '') });
    });
  });

/** Starts a session in a checkout. */
export const startReader = ({ environment, programs }: Reading): Reader => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-reader-'));
  const [directory, bin, state, calls] = ['checkout', 'bin', 'state', 'calls'].map((name) => join(home, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [directory, bin]) mkdirSync(folder);
  for (const name of CHECKOUT) symlinkSync(join(ROOT, name), join(directory, name));
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  writeFileSync(state, '');
  const path = [bin, join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(':');
  // The programs of the checkout resolve the links, but they must store their state here.
  const WINDLASS_HOME = join(home, 'windlass');
  const own = { PATH: path, STAND_IN_CALLS: calls, HOME: home, WINDLASS_HOME };
  const env = { ...process.env, ...environment, ...PLAIN, ...own };
  return {
    directory,
    type: (commands) => {
      const file = join(home, 'typed.sh');
      writeFileSync(file, `stty rows 50 cols 200\n. ${state}\nset -eo pipefail\n${commands}\nexport -p > ${state}\n`);
      return runScript(file, directory, env);
    },
    standInCalls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
};

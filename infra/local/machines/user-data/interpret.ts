import type { BootLog } from '../boot-log.ts';
import type { Command } from './cloud-config.ts';
import type { FileSystem } from './file-system.ts';
import { baseName, type KubeadmCall, kubeadmCallOf } from './kubeadm-call.ts';
import { parseShell, type SimpleCommand } from './shell.ts';

export interface Interpreter {
  /** Runs one command of `bootcmd` or `runcmd`. Resolves with true when its last command succeeded. */
  run(command: Command): Promise<boolean>;
}

export interface InterpreterOptions {
  files: FileSystem;
  log: BootLog;
  /** Runs kubeadm; resolves with true on success. A failure is logged by kubeadm itself. */
  kubeadm(call: KubeadmCall): Promise<boolean>;
  /** The pause between two runs of `until kubeadm …; do sleep …; done`. */
  pause(): Promise<void>;
}

const SHELLS = new Set(['sh', 'bash', '.', 'source']);
const WRAPPERS = new Set(['sudo', 'exec', 'nohup', 'env', 'command', '-E', '-n']);
/** Commands that change nothing that matters here, not worth a line in the boot log. */
const SILENT = new Set(['set', 'true', ':', 'echo', 'exit', 'sleep', 'return', 'local', '[', '[[', 'test']);
/** A script that calls itself must end. */
const MAX_DEPTH = 8;

/** The command without `sudo`, variable assignments and the like. */
const unwrap = (words: readonly string[]): string[] => {
  const first = words.findIndex((word) => !WRAPPERS.has(word) && !/^[A-Za-z_]\w*=/.test(word));
  return first < 0 ? [] : words.slice(first);
};

/** The script that a command runs, when it is one that the user data has written. */
const scriptOf = (words: readonly string[], files: FileSystem): string | undefined => {
  const [program = '', ...args] = words;
  if (!SHELLS.has(baseName(program))) return files.read(program);
  const inline = args.findIndex((word) => /^-\w*c$/.test(word));
  if (inline >= 0) return args[inline + 1];
  const path = args.find((word) => !word.startsWith('-'));
  return path === undefined ? undefined : files.read(path);
};

const setsErrexit = (words: readonly string[]): boolean =>
  words[0] === 'set' && words.some((word) => /^-\w*e/.test(word) || word === 'errexit');

const isSkipped = (command: SimpleCommand, succeeded: boolean): boolean =>
  (command.when === 'success' && !succeeded) || (command.when === 'failure' && succeeded);

/** An unconditional `exit` stands in some branch of an `if` that is only seen through; `… || exit 1` is meant. */
const isExit = (command: SimpleCommand): boolean => command.words[0] === 'exit' && command.when !== 'always';

/**
 * Executes commands as far as a simulated machine can: kubeadm, scripts that the user data wrote, and `echo` into a
 * file. Any other program is logged by its name (its arguments may be secret) and counts as having succeeded.
 */
export const makeInterpreter = ({ files, log, kubeadm, pause }: InterpreterOptions): Interpreter => {
  const runKubeadm = async (call: KubeadmCall, untilSuccess: boolean): Promise<boolean> => {
    let succeeded = await kubeadm(call);
    while (!succeeded && untilSuccess) {
      await pause();
      succeeded = await kubeadm(call);
    }
    return succeeded;
  };

  const runProgram = (words: readonly string[], output: SimpleCommand['output']): boolean => {
    const [program = 'true', ...args] = words;
    if (program === 'echo' && output) {
      files[output.append ? 'append' : 'write'](output.path, `${args.join(' ')}\n`);
      log.line('cloud-init', `wrote ${output.path}`);
    } else if (!SILENT.has(program) && program !== 'false') {
      log.line('cloud-init', `not executed on the simulated machine: ${baseName(program)}`);
    }
    return program !== 'false';
  };

  const runCommand = async (command: SimpleCommand, depth: number): Promise<boolean> => {
    const call = kubeadmCallOf(command.words);
    if (call) return runKubeadm(call, command.untilSuccess);
    const bare = unwrap(command.words);
    const script = scriptOf(bare, files);
    return script === undefined ? runProgram(bare, command.output) : runScript(script, depth + 1);
  };

  const runScript = async (script: string, depth: number): Promise<boolean> => {
    if (depth > MAX_DEPTH) throw new Error(`scripts call each other more than ${MAX_DEPTH} levels deep`);
    const commands = parseShell(script);
    let succeeded = true;
    let errexit = false;
    for (const [index, command] of commands.entries()) {
      if (isSkipped(command, succeeded)) continue;
      if (isExit(command)) return (command.words[1] ?? '0') === '0';
      errexit ||= setsErrexit(command.words);
      succeeded = await runCommand(command, depth);
      const isHandled = commands[index + 1]?.when === 'failure';
      if (!succeeded && errexit && !isHandled) return false;
    }
    return succeeded;
  };

  return {
    run: async (command) => {
      if (typeof command === 'string') return runScript(command, 0);
      return runCommand({ words: command, when: 'always', untilSuccess: false }, 0);
    },
  };
};

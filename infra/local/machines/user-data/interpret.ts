import { INSTALL_SCRIPT_PATH } from '../../../../shared/bootstrap/kubeadm/install/script.ts';
import { KUBEADM_SCRIPT_PATHS } from '../../../../shared/bootstrap/kubeadm/places.ts';
import { KUBEADM_DEADLINE_SECONDS } from '../../../../shared/bootstrap/kubeadm/script.ts';
import { RKE2_IGNITION_SCRIPT_PATH, RKE2_SCRIPT_PATH } from '../../../../shared/bootstrap/rke2/paths.ts';
import { TARGET_STATE, WAIT_SCRIPT_PATH } from '../../../../shared/bootstrap/warm-pool/in-service.ts';
import type { BootLog } from '../boot-log.ts';
import type { Waiting } from '../kubeadm/wait.ts';
import type { Rke2Type } from '../rke2/flags.ts';
import type { Rke2Services } from '../rke2/service.ts';
import type { Command } from './cloud-config.ts';
import type { FileSystem } from './file-system.ts';
import { baseName, type KubeadmCall, kubeadmCallOf } from './kubeadm-call.ts';
import { repeatKubeadm, runKubeadmScript, type ScriptWorld } from './kubeadm-script.ts';
import { parseShell, type SimpleCommand } from './shell.ts';

const settingOf = (words: readonly string[], name: string): string | undefined => {
  const found = words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  return found?.replace(/^"(.*)"$/, '$1');
};

const typeOf = (text: string | undefined): Rke2Type => (text === 'agent' ? 'agent' : 'server');

/**
 * The RKE2 installation in a command: `… | INSTALL_RKE2_VERSION=v… sh -s -`, online or from artifacts on the machine.
 */
const rke2InstallOf = (words: readonly string[]): { type: Rke2Type; version: string | undefined } | undefined => {
  const isInstall = words.some((word) => /^INSTALL_RKE2_(VERSION|ARTIFACT_PATH)=/.test(word));
  if (!isInstall || !words.some((word) => ['sh', 'bash'].includes(baseName(word)))) return undefined;
  return { type: typeOf(settingOf(words, 'INSTALL_RKE2_TYPE')), version: settingOf(words, 'INSTALL_RKE2_VERSION') };
};

/** The RKE2 service that a `systemctl` command starts. */
const rke2UnitOf = (words: readonly string[]): Rke2Type | undefined => {
  const [program = '', verb = '', ...rest] = words;
  const starts = ['start', 'restart'].includes(verb) || (verb === 'enable' && rest.includes('--now'));
  if (baseName(program) !== 'systemctl' || !starts) return undefined;
  const unit = rest.map((word) => /^rke2-(server|agent)(\.service)?$/.exec(word)?.[1]).find(Boolean);
  return unit === undefined ? undefined : typeOf(unit);
};

/** The service that `systemctl enable --now` starts in this and every later boot. */
const enabledUnitOf = (words: readonly string[]): string | undefined => {
  const [program = '', verb = '', ...rest] = words;
  if (baseName(program) !== 'systemctl' || verb !== 'enable' || !rest.includes('--now')) return undefined;
  return rest.find((word) => word.endsWith('.service'));
};

/** The arguments of Windlass' script. */
const rke2ScriptCall = (args: readonly string[]): { type: Rke2Type; version: string | undefined } | undefined =>
  args[0] === 'server' || args[0] === 'agent' ? { type: args[0], version: args[1] } : undefined;

export interface Interpreter {
  /** Runs one command. Resolves with true when its last command succeeded. */
  run(command: Command): Promise<boolean>;
  /**
   * Runs the commands of `bootcmd` or `runcmd`. cloud-init combines them in one script, so an `exit` ends all of them.
   */
  runTogether(commands: readonly Command[]): Promise<void>;
}

export interface InterpreterOptions {
  files: FileSystem;
  log: BootLog;
  /** Runs kubeadm; resolves with true on success. A failure is logged by kubeadm itself. */
  kubeadm(call: KubeadmCall): Promise<boolean>;
  /** Installs a version of kubeadm if the image has none. */
  install(version: string): boolean;
  /** Installs and starts RKE2. */
  rke2: Rke2Services;
  /** Whether an API server answers at the machine's endpoint. */
  answers: ScriptWorld['answers'];
  waiting: Waiting;
  /** Starts units that the user data wrote; absent if there are none. */
  units?: { start(name: string): boolean };
  /** Whether the instance's Auto Scaling group has put it in service; absent if it is in no group. */
  isInService?(): Promise<boolean>;
  /** The source of lines in the boot log; default `cloud-init`. */
  speaker?: string;
  /** The environment variables of programs. */
  environment?: Readonly<Record<string, string>>;
}

type Invocation = Pick<SimpleCommand, 'words' | 'output' | 'input'>;

const SHELLS = new Set(['sh', 'bash', '.', 'source']);
const WRAPPERS = new Set(['sudo', 'exec', 'nohup', 'env', 'command', '-E', '-n']);
/** Commands without an effect here, which are not worth a line in the boot log. */
const SILENT = new Set(['set', 'true', ':', 'echo', 'exit', 'sleep', 'return', 'local', '[', '[[', 'test']);
/** Five seconds at the laptop's speed. */
const WAIT_IN_RETRIES = 10;
/** Ends scripts that call themselves. */
const MAX_DEPTH = 8;

/** The command without `sudo`, variable assignments and the like. */
const unwrap = (words: readonly string[]): string[] => {
  const first = words.findIndex((word) => !WRAPPERS.has(word) && !/^[A-Za-z_]\w*=/.test(word));
  return first < 0 ? [] : words.slice(first);
};

/** The script that a shell would run: the text after -c, or a file. */
const shellScript = (words: readonly string[]): { inline: string } | { path: string } | undefined => {
  const [program = '', ...args] = words;
  if (!SHELLS.has(baseName(program))) return undefined;
  const inline = args.findIndex((word) => /^-\w*c$/.test(word));
  if (inline >= 0) return { inline: args[inline + 1] ?? '' };
  const path = args.find((word) => !word.startsWith('-'));
  return path === undefined ? undefined : { path };
};

/** Does what envsubst does: variables that are not set become empty. */
const substitute = (text: string, environment: Readonly<Record<string, string>>): string =>
  text.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_all, braced, bare) => environment[braced ?? bare] ?? '');

const setsErrexit = (words: readonly string[]): boolean =>
  words[0] === 'set' && words.some((word) => /^-\w*e/.test(word) || word === 'errexit');

const isSkipped = (command: SimpleCommand, succeeded: boolean): boolean =>
  (command.when === 'success' && !succeeded) || (command.when === 'failure' && succeeded);

/** An unconditional `exit` is in a branch of an `if`, which is not evaluated; only `… || exit 1` counts. */
const isExit = (command: SimpleCommand): boolean => command.words[0] === 'exit' && command.when !== 'always';

/**
 * Executes commands as far as a simulated machine can: kubeadm, scripts that the user data wrote, and `echo` into a
 * file. Any other program is only logged by its name (its arguments may be secret), and counts as successful.
 */
export const makeInterpreter = ({
  files,
  log,
  kubeadm,
  install,
  rke2,
  answers,
  waiting,
  units,
  isInService = async () => false,
  speaker = 'cloud-init',
  environment = {},
}: InterpreterOptions): Interpreter => {
  const world: ScriptWorld = { files, waiting, kubeadm, answers };

  /** Runs the programs with an effect here; false for others. */
  const runBuiltIn = ({ words: [program, ...args], output, input }: Invocation): boolean => {
    const [from = '', to = ''] = args;
    if (program === 'mv' && args.length === 2) return files.move(from, to);
    if (program === 'envsubst' && input && output) {
      files.write(output.path, substitute(files.read(input) ?? '', environment));
      return true;
    }
    if (program !== 'echo' || !output) return false;
    files[output.append ? 'append' : 'write'](output.path, `${args.join(' ')}\n`);
    log.line(speaker, `wrote ${output.path}`);
    return true;
  };

  const runProgram = (invocation: Invocation): boolean => {
    const [program = 'true'] = invocation.words;
    if (!runBuiltIn(invocation) && !SILENT.has(program) && program !== 'false') {
      log.line(speaker, `not executed on the simulated machine: ${baseName(program)}`);
    }
    return program !== 'false';
  };

  const runRke2 = async (args: readonly string[]): Promise<boolean> => {
    const call = rke2ScriptCall(args);
    return call !== undefined && rke2.install(call) && rke2.start(call.type);
  };

  /** Windlass's scripts that install a distribution on the machine. */
  const installers: Readonly<Record<string, (args: readonly string[]) => boolean | Promise<boolean>>> = {
    [RKE2_SCRIPT_PATH]: runRke2,
    [RKE2_IGNITION_SCRIPT_PATH]: runRke2,
    [INSTALL_SCRIPT_PATH]: ([version = '']) => install(version),
  };

  /** Waits as the script for warm pools does when it queries the instance metadata. */
  const waitForService = async (path: string, content: string): Promise<void> => {
    if (path !== WAIT_SCRIPT_PATH || !content.includes(`meta-data/${TARGET_STATE}`)) return;
    log.line(speaker, 'waiting until Auto Scaling puts this instance in service');
    while (!(await isInService()))
      await waiting.clock.sleep(WAIT_IN_RETRIES * waiting.retryMilliseconds, waiting.signal);
  };

  const runShell = async (words: readonly string[], script: { inline: string } | { path: string }, depth: number) => {
    if ('inline' in script) return runScript(script.inline, depth + 1);
    const content = files.read(script.path);
    if (content === undefined) {
      log.line(speaker, `${baseName(words[0] ?? '')}: ${script.path}: No such file or directory`);
      return false;
    }
    // A script runs the kubeadm command that it is given.
    const handed = words.slice(words.indexOf(script.path) + 1);
    const installer = installers[script.path];
    if (installer) return installer(handed);
    await waitForService(script.path, content);
    const call = kubeadmCallOf(handed);
    if (!KUBEADM_SCRIPT_PATHS.includes(script.path)) return call ? kubeadm(call) : runScript(content, depth + 1);
    if (!call) return runProgram({ words: handed });
    return runKubeadmScript(content, call, { ...world, deadlineSeconds: KUBEADM_DEADLINE_SECONDS });
  };

  /** Undefined if the command starts no unit that is known here. */
  const startUnit = (words: readonly string[]): Promise<boolean> | undefined => {
    const ofRke2 = rke2UnitOf(words);
    if (ofRke2) return rke2.start(ofRke2);
    const own = enabledUnitOf(words);
    return own && units?.start(own) ? Promise.resolve(true) : undefined;
  };

  const runCommand = async (command: SimpleCommand, depth: number): Promise<boolean> => {
    const install = rke2InstallOf(command.words);
    if (install) return rke2.install(install);
    const bare = unwrap(command.words);
    const script = shellScript(bare);
    if (script) return runShell(bare, script, depth);
    const started = startUnit(bare);
    if (started) return started;
    const call = kubeadmCallOf(bare);
    const forever = { deadlineSeconds: Number.POSITIVE_INFINITY, resumes: false };
    if (call) return command.untilSuccess ? repeatKubeadm(call, world, forever) : kubeadm(call);
    const text = files.read(bare[0] ?? '');
    return text === undefined ? runProgram({ ...command, words: bare }) : runScript(text, depth + 1);
  };

  const play = async (script: string, depth: number): Promise<{ succeeded: boolean; hasEnded: boolean }> => {
    if (depth > MAX_DEPTH) throw new Error(`scripts call each other more than ${MAX_DEPTH} levels deep`);
    const commands = parseShell(script);
    let succeeded = true;
    let errexit = false;
    for (const [index, command] of commands.entries()) {
      if (isSkipped(command, succeeded)) continue;
      if (isExit(command)) return { succeeded: (command.words[1] ?? '0') === '0', hasEnded: true };
      errexit ||= setsErrexit(command.words);
      succeeded = await runCommand(command, depth);
      const isHandled = commands[index + 1]?.when === 'failure';
      if (!succeeded && errexit && !isHandled) return { succeeded: false, hasEnded: true };
    }
    return { succeeded, hasEnded: false };
  };
  const runScript = async (script: string, depth: number): Promise<boolean> => (await play(script, depth)).succeeded;

  const run: Interpreter['run'] = async (command) => {
    if (typeof command === 'string') return runScript(command, 0);
    return runCommand({ words: command, when: 'always', untilSuccess: false }, 0);
  };
  return {
    run,
    runTogether: async (commands) => {
      for (const command of commands) {
        if (typeof command !== 'string') await run(command);
        else if ((await play(command, 0)).hasEnded) return;
      }
    },
  };
};

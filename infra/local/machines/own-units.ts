/** systemd units that user data writes and enables: each boot starts them again. */
import type { BootLog } from './boot-log.ts';
import { joinUnits, unmetCondition } from './ignition/units.ts';
import type { FileSystem } from './user-data/file-system.ts';
import { type InterpreterOptions, makeInterpreter } from './user-data/interpret.ts';

const FOLDER = '/etc/systemd/system/';

export interface OwnUnits {
  /** Enables and starts a unit, without waiting for its end. Returns false if no such unit was written. */
  start(name: string): boolean;
}

export interface OwnUnitsOptions {
  files: FileSystem;
  log: BootLog;
  /** The dependencies of the units' commands. */
  programs: Omit<InterpreterOptions, 'units'>;
  /** The names of enabled units, which are stored with the machine. */
  enabled: Set<string>;
  /** Called with the work of each unit, which ends at the latest when the machine is switched off. */
  follow(work: Promise<void>): void;
}

const run = async (name: string, text: string, { files, log, programs }: OwnUnitsOptions): Promise<void> => {
  const [found] = joinUnits([{ name, enabled: true, contents: text }]);
  const unit = found?.unit ?? new Map<string, readonly string[]>();
  const unmet = unmetCondition(unit, (path) => files.stat(path) !== undefined);
  if (unmet) return log.line('systemd', `${name} was skipped: ${unmet}`);
  const interpreter = makeInterpreter({ ...programs, speaker: name });
  log.line('systemd', `Started ${name}`);
  for (const command of unit.get('Service.ExecStart') ?? []) await interpreter.run(command);
};

/** The units of a machine that is switched on. */
export const makeOwnUnits = (options: OwnUnitsOptions): OwnUnits => ({
  start: (name) => {
    const text = options.files.read(`${FOLDER}${name}`);
    if (text === undefined) return false;
    options.enabled.add(name);
    options.follow(run(name, text, options));
    return true;
  },
});

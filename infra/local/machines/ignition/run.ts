import type { BootLog } from '../boot-log.ts';
import { localHostnameOf } from '../host-names.ts';
import type { Waiting } from '../kubeadm/wait.ts';
import type { Instance, Remote } from '../ports.ts';
import type { FileSystem } from '../user-data/file-system.ts';
import { type InterpreterOptions, makeInterpreter } from '../user-data/interpret.ts';
import { type FileEntry, joinConfigs } from './config.ts';
import { readResource, resolveConfig } from './fetch.ts';
import { joinUnits, type Unit, unmetCondition, wordsOf } from './units.ts';

export interface IgnitionOptions {
  instance: Instance;
  remote: Remote;
  files: FileSystem;
  log: BootLog;
  kubeadm: InterpreterOptions['kubeadm'];
  install: InterpreterOptions['install'];
  rke2: InterpreterOptions['rke2'];
  answers: InterpreterOptions['answers'];
  waiting: Waiting;
}

/** Directories in memory, which hide those on the disk. */
const VOLATILE = /^\/(run|tmp)\//;

const ownerOf = ({ user, group }: FileEntry): string =>
  [user, group].map((owner) => owner?.name ?? String(owner?.id ?? 'root')).join(':');

const writeFile = async (entry: FileEntry, { files, remote, log }: IgnitionOptions): Promise<void> => {
  const { path, contents, append } = entry;
  if (VOLATILE.test(path)) return log.line('ignition', `${path} is lost: its folder is in memory`);
  const pieces = Array.isArray(append) ? append : append && contents ? [contents] : [];
  if (contents && append !== true) {
    const permissions = (entry.mode ?? 0o644).toString(8).padStart(4, '0');
    files.write(path, await readResource(contents, remote), { permissions, owner: ownerOf(entry) });
  }
  for (const piece of pieces) files.append(path, await readResource(piece, remote));
  log.line('ignition', `wrote ${path}`);
};

/** The variables that Flatcar's coreos-metadata.service writes to /run/metadata. */
const metadataOf = (instance: Instance): Record<string, string> => ({
  COREOS_EC2_HOSTNAME: localHostnameOf(instance),
  COREOS_EC2_INSTANCE_ID: instance.id,
  COREOS_EC2_INSTANCE_TYPE: instance.instanceType,
  COREOS_EC2_IPV4_LOCAL: instance.privateIp,
  COREOS_EC2_IPV4_PUBLIC: instance.publicIp ?? '',
  COREOS_EC2_AVAILABILITY_ZONE: instance.availabilityZone,
  COREOS_EC2_REGION: instance.region,
});

/** The metadata exists only for units that require it to be written first. */
const environmentOf = (unit: Unit, instance: Instance): Record<string, string> => {
  const reads = wordsOf(unit, 'Service.EnvironmentFile').some((path) => /^-?\/run\/metadata\//.test(path));
  const starts = ['Unit.Requires', 'Unit.Wants'].some((key) => wordsOf(unit, key).includes('coreos-metadata.service'));
  return reads && starts && wordsOf(unit, 'Unit.After').includes('coreos-metadata.service') ? metadataOf(instance) : {};
};

const startService = async (name: string, unit: Unit, options: IgnitionOptions): Promise<void> => {
  const { files, log, instance } = options;
  const unmet = unmetCondition(unit, (path) => files.stat(path) !== undefined);
  if (unmet) return log.line('systemd', `${name} was skipped: ${unmet}`);
  const interpreter = makeInterpreter({ ...options, speaker: name, environment: environmentOf(unit, instance) });
  for (const command of unit.get('Service.ExecStart') ?? []) {
    if (await interpreter.run(command)) continue;
    return log.line('systemd', `Failed to start ${name}`);
  }
  log.line('systemd', `Finished ${name}`);
};

/**
 * Does with user data what Ignition and systemd do at the first boot of a Flatcar image. As on a real machine, errors
 * appear only in the boot log: the promise resolves in any case, unless the machine is switched off.
 */
export const runIgnition = async (userData: string, options: IgnitionOptions): Promise<void> => {
  const { log, remote } = options;
  try {
    const configs = await resolveConfig(Buffer.from(userData, 'base64').toString('utf8'), remote);
    const { files, units, others } = joinConfigs(configs);
    for (const section of new Set(others)) log.line('ignition', `not executed on the simulated machine: ${section}`);
    for (const file of files) await writeFile(file, options);
    log.line('ignition', 'finished');
    const services = joinUnits(units).filter(({ name, enabled }) => enabled && name.endsWith('.service'));
    for (const { name, unit } of services) if (unit.has('Service.ExecStart')) await startService(name, unit, options);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    log.line('ignition', `[ERROR] failed: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** Whether Ignition sets up machines from an image, according to the image's name. */
export const isIgnitionImage = (imageName: string | undefined): boolean => /flatcar|coreos/i.test(imageName ?? '');

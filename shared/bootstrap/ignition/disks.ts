import { BootstrapInvalidError } from '../invalid.ts';
import type { DiskSetup, Filesystem as FilesystemSpec, Partition as PartitionSpec } from '../kubeadm/spec.ts';
import type { Disk, Filesystem } from './config.ts';

const FORMATS = ['ext4', 'btrfs', 'xfs', 'vfat', 'swap'];

const refuse = (field: string, problem: string): never => {
  throw new BootstrapInvalidError(`spec.diskSetup.${field}`, problem);
};

const disk = ({ device, layout, overwrite, tableType, diskLayout }: PartitionSpec, index: number): Disk => {
  const field = `partitions[${index}]`;
  if (tableType === 'mbr') refuse(`${field}.tableType`, 'Ignition creates only gpt tables');
  if (diskLayout !== undefined) {
    refuse(`${field}.diskLayout`, 'Ignition has no percentages; use layout, or sizes in additionalConfig');
  }
  return { device, wipeTable: overwrite, partitions: layout ? [{ number: 1 }] : undefined };
};

const filesystem = (options: FilesystemSpec, index: number): Filesystem => {
  const field = `filesystems[${index}]`;
  if (options.replaceFS) refuse(`${field}.replaceFS`, 'Ignition has no such condition; use overwrite');
  if (options.partition)
    refuse(`${field}.partition`, 'Ignition identifies the partition by its device, such as /dev/sdb1');
  if (!options.device.startsWith('/')) refuse(`${field}.device`, `"${options.device}" is not an absolute path`);
  if (!FORMATS.includes(options.filesystem)) {
    refuse(`${field}.filesystem`, `"${options.filesystem}" is none of ${FORMATS.join(', ')}`);
  }
  return {
    name: options.label ?? options.device,
    mount: {
      device: options.device,
      format: options.filesystem,
      wipeFilesystem: options.overwrite,
      label: options.label,
      options: options.extraOpts?.length ? options.extraOpts : undefined,
    },
  };
};

/**
 * The disks and filesystems of a machine. Throws BootstrapInvalidError, which names the field that Ignition does not
 * support.
 */
export const disks = (setup: DiskSetup = {}): { disks: Disk[]; filesystems: Filesystem[] } => ({
  disks: (setup.partitions ?? []).map(disk),
  filesystems: (setup.filesystems ?? []).map(filesystem),
});

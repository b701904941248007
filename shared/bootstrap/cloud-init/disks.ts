import { compact, type Fields } from '../kubeadm/document.ts';
import type { DiskSetup, Filesystem, Partition } from '../kubeadm/spec.ts';
import { text } from './text.ts';

/** MBR type codes for the names in PartitionSpec; a GUID or a code is passed on unchanged. */
const PARTITION_TYPES: Readonly<Record<string, string>> = {
  Linux: '83',
  LinuxSwap: '82',
  LinuxRAID: 'fd',
  LVM: '8e',
  Fat32: '0c',
  NTFS: '07',
  LinuxExtended: '85',
};

const partition = ({ tableType, diskLayout, layout, overwrite }: Partition): Fields =>
  compact({
    table_type: tableType,
    layout:
      diskLayout === undefined
        ? (layout ?? false)
        : diskLayout.map(({ percentage, partitionType }) =>
            partitionType === undefined
              ? percentage
              : [percentage, text(PARTITION_TYPES[partitionType] ?? partitionType)],
          ),
    overwrite,
  });

const filesystem = (options: Filesystem): Fields =>
  compact({
    label: options.label,
    filesystem: options.filesystem,
    device: options.device,
    partition: options.partition,
    overwrite: options.overwrite,
    replace_fs: options.replaceFS,
    extra_opts: options.extraOpts,
  });

/** `disk_setup` and `fs_setup`. */
export const disks = (setup: DiskSetup | undefined): Fields => ({
  disk_setup:
    setup?.partitions && Object.fromEntries(setup.partitions.map((options) => [options.device, partition(options)])),
  fs_setup: setup?.filesystems?.map(filesystem),
});

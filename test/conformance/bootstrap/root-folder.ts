import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import type { BootstrapInput } from '../../../shared/bootstrap/kubeadm/input.ts';

interface WriteFile {
  path: string;
  content: string;
  permissions?: string;
}

/** The root folder of a machine, without the machine: its files, and kubeadm, which works on them. */
export interface RootFolder {
  directory: string;
  read(path: string): string;
  /** Runs kubeadm with the folder as its root; returns its output. Throws an Error if it fails. */
  kubeadm(...args: string[]): string;
  dispose(): void;
}

/** Writes what cloud-init would write of a machine's bootstrap data. */
export const makeRootFolder = (kubeadm: string, input: BootstrapInput): RootFolder => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-machine-'));
  const { write_files: files } = parse(renderBootstrapData(input).body, { version: '1.1' }) as {
    write_files: WriteFile[];
  };
  for (const { path, content, permissions = '0644' } of files) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    chmodSync(target, Number.parseInt(permissions, 8));
  }
  return {
    directory,
    read: (path) => readFileSync(join(directory, path), 'utf8'),
    kubeadm: (...args) => {
      // A user other than root is in a separate namespace.
      const [command = '', ...prefix] = process.getuid?.() === 0 ? [kubeadm] : ['unshare', '-r', kubeadm];
      const { status, stdout, stderr } = spawnSync(command, [...prefix, '--rootfs', directory, ...args], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`kubeadm ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
      return `${stdout}${stderr}`;
    },
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
};

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

/** A machine's root folder without a machine: it contains the machine's files, and kubeadm runs on them. */
export interface RootFolder {
  directory: string;
  read(path: string): string;
  /** Runs kubeadm with the folder as its root and returns its output. Throws an Error if kubeadm fails. */
  kubeadm(...args: string[]): string;
  dispose(): void;
}

/** Writes the files of a machine's bootstrap data as cloud-init would. */
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
      // kubeadm needs root, so any other user gets a user namespace.
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

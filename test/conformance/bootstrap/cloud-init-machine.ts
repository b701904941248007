import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CloudInit } from '../../../infra/cli/conformance/cloud-init.ts';

/** The modules of a stock image in their order, without those that need disks, a network or packages. */
const CONFIGURATION = `
datasource_list: [NoCloud]
network: {config: disabled}
cloud_init_modules: [bootcmd, write_files, users-groups]
cloud_config_modules: [runcmd]
cloud_final_modules: [scripts-user]
system_info:
  distro: debian
  paths: {cloud_dir: /var/lib/cloud/, templates_dir: /etc/cloud/templates/}
`;

const SEED = '/var/lib/cloud/seed/nocloud';

/**
 * Boots a machine from an overlay over this computer's files, in its own mount namespace, so that no file of this
 * computer changes. Copies the files that the machine has written to $OUT, with their modes and owners.
 */
const BOOT = `set -e
run() { chroot "$WORK/merged" "$PYTHON" -m cloudinit.cmd.main "$@" >> "$OUT/log" 2>&1 || echo "$*: $?" >> "$OUT/failed"; }
mount -t tmpfs tmpfs "$WORK"
mkdir "$WORK/upper" "$WORK/work" "$WORK/merged"
cp -a "$BEFORE/." "$WORK/upper/"
mount -t overlay overlay -o "lowerdir=/,upperdir=$WORK/upper,workdir=$WORK/work" "$WORK/merged"
mount --bind /proc "$WORK/merged/proc"
mount --bind /dev "$WORK/merged/dev"
for file in $REMOVED; do rm -f "$WORK/merged$file"; done
for stage in "init --local" "init" "modules --mode config" "modules --mode final"; do
  run $stage
  if [ -e "$WORK/merged/restart-cloud-init" ]; then
    rm -f "$WORK/merged/restart-cloud-init" "$OUT/failed"
    run $stage
  fi
done
cp -a "$WORK/upper/." "$OUT/files/"
`;

/** Whether the tests may create mount namespaces: root may, except in many containers. */
export const mayBoot = (): boolean => spawnSync('unshare', ['--mount', 'true']).status === 0;

export interface BootedMachine {
  read(path: string): string;
  /** For example `0640 root:root`, with user names of the machine. */
  modeOf(path: string): string;
  /** Failed stages, one per line; empty if all succeeded. */
  failed: string;
  log: string;
  dispose(): void;
}

const readIfThere = (path: string): string =>
  statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : '';

const nameIn = (text: string, id: number): string =>
  text
    .split('\n')
    .find((line) => line.split(':')[2] === String(id))
    ?.split(':')[0] ?? String(id);

export interface BootOptions {
  /** The metadata of the instance. */
  metadata: Readonly<Record<string, string>>;
  /** Files of the image. Those in a folder `bin` are executable. */
  files?: Readonly<Record<string, string>>;
  /** Files of this computer that the image does not have. */
  removed?: readonly string[];
  environment?: Readonly<Record<string, string>>;
}

/** Boots a machine with the user data. If a stage writes /restart-cloud-init, it is run again. */
export const bootMachine = async (
  { python, modules }: CloudInit,
  userData: string | Uint8Array,
  { metadata, files = {}, environment = {}, removed = [] }: BootOptions,
): Promise<BootedMachine> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-cloud-init-'));
  const [before, work, out] = ['before', 'work', 'out'].map((name) => join(home, name));
  for (const directory of [before, work, join(String(out), 'files')]) mkdirSync(String(directory), { recursive: true });
  const image = {
    ...files,
    '/etc/cloud/cloud.cfg': CONFIGURATION,
    [`${SEED}/user-data`]: userData,
    [`${SEED}/meta-data`]: JSON.stringify(metadata),
  };
  for (const [path, content] of Object.entries(image)) {
    const target = join(String(before), path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content, { mode: path.includes('/bin/') ? 0o755 : 0o644 });
  }
  const own = { BEFORE: before, WORK: work, OUT: out, PYTHON: python, PYTHONPATH: modules, REMOVED: removed.join(' ') };
  const env = { ...process.env, ...environment, ...own };
  const child = spawn('unshare', ['--mount', 'sh', '-c', BOOT], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (status !== 0) throw new Error(`the machine could not be booted: ${stderr}`);
  const at = (path: string): string => join(String(out), 'files', path);
  return {
    read: (path) => readFileSync(at(path), 'utf8'),
    modeOf: (path) => {
      const { mode, uid, gid } = statSync(at(path));
      const [users, groups] = ['/etc/passwd', '/etc/group'].map(
        (list) => readIfThere(at(list)) || readFileSync(list, 'utf8'),
      );
      return `0${(mode & 0o7777).toString(8)} ${nameIn(String(users), uid)}:${nameIn(String(groups), gid)}`;
    },
    failed: readIfThere(join(String(out), 'failed')),
    log: readIfThere(join(String(out), 'log')),
    dispose: () => rmSync(home, { recursive: true, force: true }),
  };
};

/** cloud-init, which reads the bootstrap data of machines: Debian's package, unpacked and not installed. */
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';
import { installPython } from './virtual-environment.ts';

/** What the package depends on, as far as our modules of it need that. */
const PYTHON_PACKAGES = [
  'configobj==5.0.9',
  'jinja2==3.1.6',
  'jsonpatch==1.47',
  'jsonschema==4.26.0',
  'oauthlib==4.0.1',
  'pyyaml==6.0.3',
  'requests==2.34.2',
];

/** How cloud-init is started: a Python, and the location of its modules. */
export interface CloudInit {
  python: string;
  modules: string;
}

export const cloudInitIn = (directory: string): CloudInit => ({
  python: join(directory, 'python', 'bin', 'python'),
  modules: join(directory, 'package', 'usr', 'lib', 'python3', 'dist-packages'),
});

/**
 * Its directory, for `cloudInitIn`. Unpacks it there once if missing; `say` reports it. Throws an Error with the reason
 * if it cannot.
 */
export const provideCloudInit = (
  say: (line: string) => void,
  directory: string = cacheFor('cloud-init'),
  run: RunTool = runTool,
): string => {
  const { python, modules } = cloudInitIn(directory);
  const works = (): boolean =>
    run(python, ['-m', 'cloudinit.cmd.main', '--version'], { env: { PYTHONPATH: modules } }).status === 0;
  if (works()) return directory;
  say(`unpacking Debian's cloud-init into ${directory}, once`);
  unpackDebian('cloud-init', { directory: join(directory, 'package'), run });
  installPython(PYTHON_PACKAGES, join(directory, 'python'), run);
  if (works()) return directory;
  throw new Error(`the cloud-init that was unpacked in ${directory} does not run`);
};

/** Provides cloud-init, which reads the bootstrap data of machines: Debian's package, unpacked but not installed. */
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';
import { installPython } from './virtual-environment.ts';

/** The dependencies of the package, as far as its modules are used here. */
const PYTHON_PACKAGES = [
  'configobj==5.0.9',
  'jinja2==3.1.6',
  'jsonpatch==1.47',
  'jsonschema==4.26.0',
  'oauthlib==4.0.1',
  'pyyaml==6.0.3',
  'requests==2.34.2',
];

/** What is needed to start cloud-init: a Python, and the location of the modules. */
export interface CloudInit {
  python: string;
  modules: string;
}

export const cloudInitIn = (directory: string): CloudInit => ({
  python: join(directory, 'python', 'bin', 'python'),
  modules: join(directory, 'package', 'usr', 'lib', 'python3', 'dist-packages'),
});

/**
 * Returns its directory, for `cloudInitIn`. If it is missing, it is unpacked there once and reported to `say`. Throws
 * an Error with the reason if that fails.
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

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The project's root. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** Whether this is a checkout of the project rather than the installed npm package. */
export const IS_CHECKOUT = existsSync(join(ROOT, 'tsconfig.json'));

/** The command to be typed for `windlass`, to be followed by its arguments. */
export const COMMAND = IS_CHECKOUT ? 'npm run --silent windlass --' : 'windlass';

/** The directory of the user's own files: the checkout, or, for the package, the current directory. */
const HOME = IS_CHECKOUT ? ROOT : process.cwd();

/** Everything that a start leaves behind; git ignores it. WINDLASS_HOME moves it elsewhere, for a second start. */
const STATE = process.env.WINDLASS_HOME || join(HOME, '.windlass');

export const PATHS = {
  state: STATE,
  kubeconfig: join(STATE, 'kubeconfig'),
  env: join(STATE, 'env'),
  /** The Hosts and their Secret of `start --hosts`. */
  hosts: join(STATE, 'hosts.yaml'),
  /** The certificate and the log of the `start --vsphere` provider. */
  vsphere: join(STATE, 'vsphere'),
  /** The synthesized template and bundles that a start runs. */
  assembly: IS_CHECKOUT ? join(ROOT, 'cdk.out') : join(STATE, 'assembly'),
  /** The state of `start --keep`. */
  keep: join(STATE, 'kept'),
  logs: join(STATE, 'logs'),
  /** The authority of the laptop's API, kept between starts. */
  tls: join(STATE, 'tls'),
} as const;

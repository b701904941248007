import { join } from 'node:path';

/** The project's root. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** Everything that a start leaves behind; git ignores it. WINDLASS_HOME puts it elsewhere, for a second start. */
const STATE = process.env.WINDLASS_HOME || join(ROOT, '.windlass');

export const PATHS = {
  state: STATE,
  kubeconfig: join(STATE, 'kubeconfig'),
  env: join(STATE, 'env'),
  logs: join(STATE, 'logs'),
  /** The authority of the laptop's API, kept between starts. */
  tls: join(STATE, 'tls'),
} as const;

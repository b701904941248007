/** For tests: a kubeconfig with one cluster, in a file of its own. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of the file. `cluster` has the fields of a cluster in a kubeconfig. */
export const writeKubeconfig = (cluster: object): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'windlass-kubeconfig-')), 'kubeconfig');
  const config = {
    clusters: [{ name: 'one', cluster }],
    users: [{ name: 'one', user: { token: 'secret' } }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
    'current-context': 'one',
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
};

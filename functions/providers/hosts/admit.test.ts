import { expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { WriteAttempt } from '../../../shared/kube-api/server/user.ts';
import { makeAdmitHosts } from './admit.ts';

const object = { metadata: { name: 'red', namespace: 'default' } } as KubeObject;
const attempt = (resource: unknown, old?: KubeObject) => ({ resource, object, old }) as WriteAttempt;
const admit = (isServed: boolean, wanted: WriteAttempt) => makeAdmitHosts(isServed)()(undefined, wanted);

it('refuses clusters on hosts if no workflow would serve them', async () => {
  await expect(admit(false, attempt(kinds.hostCluster))).rejects.toThrow(
    'hostclusters.infrastructure.windlass.dev "red" is forbidden: this installation does not serve clusters on hosts; deploy it with -c hosts=true',
  );
  await expect(admit(true, attempt(kinds.hostCluster))).resolves.toBeUndefined();
});

it('allows writes of existing objects and of other kinds', async () => {
  await expect(admit(false, attempt(kinds.hostCluster, object))).resolves.toBeUndefined();
  await expect(admit(false, attempt(kinds.host))).resolves.toBeUndefined();
  await expect(admit(false, attempt(kinds.awsCluster))).resolves.toBeUndefined();
});

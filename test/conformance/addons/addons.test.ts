import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAddonsWorld, manifest, NAMESPACE } from '../../../functions/cluster/addons/test-world.ts';
import { readManifests as readFile } from '../../../infra/cli/apply/manifest.ts';
import { type ConfigMap, kinds } from '../../../shared/kinds/index.ts';
import { readManifests } from '../../../shared/plan/addons/manifests.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { targetOf } from '../../../shared/workload/test-target.ts';
import { until } from '../quickstart/windlass.ts';
import { type RealWorkload, startRealWorkload } from './workload.ts';

/**
 * Tests Windlass's add-ons against a real kube-apiserver. Needs KUBEBUILDER_ASSETS, which `npm run conformance` sets.
 */
const assets = process.env.KUBEBUILDER_ASSETS;

const EXAMPLE = 'examples/add-ons.yaml';
const examples = readFile(EXAMPLE).map(({ object }) => object);
const maps = examples.filter(({ kind }) => kind === 'ConfigMap') as ConfigMap[];

/** A custom resource and its definition. The resource comes first, so that applying them in order would fail. */
const TOY = `
apiVersion: example.com/v1
kind: Toy
metadata: {name: one}
spec: {size: 3}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: toys.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Toy, plural: toys, singular: toy, listKind: ToyList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
`;

describe.skipIf(!assets)('ClusterResourceSets and a kube-apiserver', () => {
  let workload: RealWorkload;
  let w: Awaited<ReturnType<typeof makeAddonsWorld>>;
  beforeAll(async () => {
    workload = await startRealWorkload(String(assets));
  }, LIMIT);
  afterAll(() => workload?.stop(), LIMIT);
  beforeEach(async () => {
    w = await makeAddonsWorld(workload.connect);
  });

  const dataOf = async (name: string) => (await workload.get(`/api/v1/namespaces/default/configmaps/${name}`))?.data;
  const change = (name: string, data: Record<string, string>) =>
    w.objects.mutate(kinds.configMap, { namespace: NAMESPACE, name }, (current) => ({ ...current, data }));

  it('apply the CNI plugin and the cloud controller manager of the example', async () => {
    for (const { metadata, data = {} } of maps) {
      await w.putConfigMap(metadata.name, data);
      await w.addSet(metadata.name, { strategy: 'Reconcile' });
    }
    await w.pass();
    for (const { metadata } of maps) {
      expect(await w.applied(metadata.name), metadata.name).toMatchObject({ status: 'True', message: '' });
    }
    const daemon = await workload.get('/apis/apps/v1/namespaces/flannel/daemonsets/flannel');
    expect(daemon.metadata.managedFields).toMatchObject([{ manager: 'windlass-addons', operation: 'Apply' }]);
    expect(daemon.spec.template.spec.initContainers).toHaveLength(2);
    const client = workload.connect(targetOf(workload.kubeconfig));
    expect(await client.cloudController()).toBe('DaemonSet kube-system/aws-cloud-controller-manager');
    await client.close();
  });

  it.each(maps)('set only fields in the example that the API knows: $metadata.name', async ({ data = {} }) => {
    for (const object of readManifests(new Map(Object.entries(data)))) {
      const { apiVersion, kind, metadata } = object;
      const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
      const place = metadata.namespace ? `/namespaces/${metadata.namespace}` : '';
      const path = `${root}${place}/${kind.toLowerCase()}s/${encodeURIComponent(metadata.name)}`;
      const query = '?fieldManager=strict&force=true&dryRun=All&fieldValidation=Strict';
      const { code, body } = await workload.send('PATCH', `${path}${query}`, object, 'application/apply-patch+yaml');
      expect(code, `${kind} ${metadata.name}: ${JSON.stringify(body)}`).toBe(200);
    }
  });

  it('apply a kind and its objects, which are created once the kind is served', async () => {
    await w.putConfigMap('toys', { 'toys.yaml': TOY });
    await w.addSet('toys', {});
    await w.pass();
    await until('the kind is served', async () => {
      const applied = await w.applied('toys');
      if (applied?.status === 'True') return true;
      expect(applied?.message).toContain('Toy');
      await w.pass();
      return false;
    });
    expect(await w.applied('toys')).toMatchObject({ status: 'True' });
    expect((await workload.get('/apis/example.com/v1/toys/one')).spec).toEqual({ size: 3 });
  });

  it('with strategy Reconcile apply changes, remove fields that are no longer set, and keep fields of others', async () => {
    await w.putConfigMap('again', {
      a: `${manifest('again', 'one')}  gone: soon\n`.replace('{value: one}\n', '\n  value: one\n'),
    });
    await w.addSet('again', { strategy: 'Reconcile' });
    await w.pass();
    expect(await dataOf('again')).toEqual({ value: 'one', gone: 'soon' });
    const path = '/api/v1/namespaces/default/configmaps/again';
    await workload.send('PATCH', path, { data: { theirs: 'kept', value: 'stolen' } }, 'application/merge-patch+json');
    await w.pass();
    expect((await dataOf('again')).value).toBe('stolen');
    await change('again', { a: manifest('again', 'two') });
    await w.pass();
    expect(await dataOf('again')).toEqual({ value: 'two', theirs: 'kept' });
  });

  it.each(['ApplyOnce', 'Reconcile'] as const)(
    'omit fields that no schema declares, and report them: %s',
    async (strategy) => {
      const name = `undeclared-${strategy.toLowerCase()}`;
      const pod = `spec: {containers: [{name: "a", image: x, wrong: 1, ports: [{containerPort: 80, odd: 1}]}]}`;
      const labels = `{app: ${name}}`;
      const daemonSet = `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ${name}}\nspec:\n  bogus: 1\n  selector: {matchLabels: ${labels}}\n  template: {metadata: {labels: ${labels}}, ${pod}}\n`;
      await w.putConfigMap(name, { a: daemonSet });
      await w.addSet(name, { strategy });
      await w.pass();

      expect(await w.applied(name)).toMatchObject({ status: 'True' });
      const stored = await workload.get(`/apis/apps/v1/namespaces/default/daemonsets/${name}`);
      expect(stored.spec.template.spec.containers[0].ports[0].containerPort).toBe(80);
      const events = await w.objects.list(kinds.event, NAMESPACE);
      const [warning] = events.filter(({ reason }) => reason === 'ManifestWarnings');
      expect(warning?.message).toContain('the cluster does not know 3 fields of it');
      expect(warning?.message).toContain('spec.bogus');
    },
  );

  it('with strategy ApplyOnce neither change existing objects nor recreate deleted ones', async () => {
    const theirs = { metadata: { name: 'theirs' }, data: { value: 'theirs' } };
    await workload.send('POST', '/api/v1/namespaces/default/configmaps', theirs);
    const deleted = manifest('deleted', 'one');
    await w.putConfigMap('once', { a: manifest('theirs', 'ours'), b: manifest('once', 'one'), c: deleted });
    await w.addSet('once', {});
    await w.pass();
    expect(await dataOf('deleted')).toEqual({ value: 'one' });
    await workload.send('DELETE', '/api/v1/namespaces/default/configmaps/deleted');
    await w.pass();
    expect(await dataOf('deleted')).toBeUndefined();
    await change('once', { b: manifest('once', 'two'), c: deleted });
    await w.pass();
    expect([await dataOf('theirs'), await dataOf('once')]).toEqual([{ value: 'theirs' }, { value: 'one' }]);
    expect(await dataOf('deleted')).toBeUndefined();
  });

  it('report what was refused, without the contents of a Secret', async () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec: {ports: [{port: 99999}]}\n';
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: bad, labels: {a: "s3cret value!"}}\ntype: Opaque\n';
    const nowhere = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: nowhere}\n';
    await w.putConfigMap('bad', { a: service, b: secret, c: nowhere });
    await w.addSet('bad', {});
    await w.pass();
    const condition = await w.applied('bad');
    expect(condition).toMatchObject({ status: 'False', reason: 'NotApplied' });
    expect(condition?.message).toContain('spec.ports[0].port: Invalid value: 99999');
    expect(condition?.message).toMatch(/Secret bad: 422 Invalid: metadata\.labels \(FieldValueInvalid\)/);
    expect(condition?.message).toContain('namespaces "nowhere" not found');
    expect(JSON.stringify([condition, await w.bindingOf('red'), await w.objects.list(kinds.event)])).not.toContain(
      's3cret',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { GIZMOS } from '../../../shared/kube-api/test-kinds.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { until } from '../quickstart/windlass.ts';
import { hasKubectl } from './kubectl.ts';
import { useKubectl } from './use-kubectl.ts';

/**
 * Tests the unmodified kubectl on the PATH with an API server that stores its objects in memory. In CI, a missing
 * kubectl is a failure.
 */

const missing = !hasKubectl();
if (missing && process.env.CI === 'true') {
  throw new Error('there is no kubectl on the PATH: these tests need one where CI is set');
}

const gizmo = (name: string, spec: object = {}, metadata: object = {}): string =>
  JSON.stringify({
    apiVersion: 'toys.windlass.dev/v1beta2',
    kind: 'Gizmo',
    metadata: { name, ...metadata },
    spec: { version: 'v1.30', ...spec },
  });

describe.skipIf(missing)('kubectl', () => {
  const suite = useKubectl();
  const { ok, fails } = suite;
  const apply = (...spec: Parameters<typeof gizmo>) => ok('apply -f -', gizmo(...spec));
  const status = (name: string, value: object) =>
    suite.server.api.registry.update(
      GIZMOS,
      { namespace: 'default', name },
      (current) => ({ ...current, status: { ...current.status, ...value } }),
      { scope: 'status', attempts: 8 },
    );
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  /** How many watches of this gizmo have been started. */
  const watchesOf = (name: string): number =>
    suite.server.requests.filter((request) => request.includes('watch=true') && request.includes(`%3D${name}`)).length;
  const watched = (name: string, times = 1) => until(`${name} is watched`, () => watchesOf(name) >= times);

  describe('discovery', () => {
    it('reads version and resources', async () => {
      expect(await ok('version')).toContain('Server Version: v1.32.0+windlass');
      expect(await ok('api-resources')).toMatch(/gizmos +gz +toys\.windlass\.dev\/v1beta2 +true +Gizmo/);
      expect((await ok('api-versions')).split('\n')).toContain('toys.windlass.dev/v1beta2');
    });

    it('explains kinds, and requests their documents by hash', async () => {
      expect(await ok('explain gizmo.spec')).toMatch(/version\t<string> -required-\n +version is what runs\./);
      expect(await ok('explain gizmo --recursive')).toContain('enum: Fast, Slow');
      expect(suite.server.requests.some((request) => /openapi\/v3\/apis\/toys.*hash=/.test(request))).toBe(true);
    });

    it('queries its identity and permissions', async () => {
      expect(await ok('auth whoami')).toContain('kubectl');
      expect(await ok('auth can-i delete gizmos')).toBe('yes\n');
    });

    it('reports missing kinds and objects', async () => {
      expect((await fails('get gadgets')).stderr).toContain('the server doesn\'t have a resource type "gadgets"');
      expect((await fails('get gizmo nobody')).stderr).toBe(
        'Error from server (NotFound): gizmos.toys.windlass.dev "nobody" not found\n',
      );
    });
  });

  describe('applying and reading', () => {
    it('creates and changes objects, and leaves unchanged ones alone', async () => {
      expect(await apply('applied')).toBe('gizmo.toys.windlass.dev/applied created\n');
      expect(await apply('applied')).toBe('gizmo.toys.windlass.dev/applied unchanged\n');
      expect(await apply('applied', { size: 2 })).toBe('gizmo.toys.windlass.dev/applied configured\n');
      expect(await ok('get gizmo applied -o jsonpath={.metadata.generation}')).toBe('2');
    });

    it('shows tables, wide tables, and all namespaces', async () => {
      await apply('table', {}, { labels: { 'toys.windlass.dev/cluster-name': 'red' } });
      await status('table', ready);
      expect(await ok('get gz table')).toMatch(/^NAME +CLUSTER +READY +SIZE +AGE\ntable +red +True +1 +\d+s\n$/);
      expect(await ok('get gz table -o wide')).toMatch(/AGE +VERSION\n.* v1\.30\n$/);
      expect(await ok('get gz -A')).toMatch(/^NAMESPACE +NAME/);
      expect(await ok('get toys --chunk-size=1')).toContain('table');
    });

    it('shows whole objects', async () => {
      await apply('whole');
      expect(await ok('get gizmo whole -o yaml')).toMatch(
        /^apiVersion: toys.*\nkind: Gizmo\nmetadata:\n[\s\S]*spec:\n {2}mode: Slow\n/,
      );
      expect(JSON.parse(await ok('get gizmo whole -o json')).spec.size).toBe(1);
      expect(await ok('get gizmos -l !toys.windlass.dev/cluster-name -o name')).toContain(
        'gizmo.toys.windlass.dev/whole\n',
      );
      expect(await ok('get gizmos --field-selector metadata.name=whole -o name')).toBe(
        'gizmo.toys.windlass.dev/whole\n',
      );
    });

    it('describes an object with its events', async () => {
      await apply('described');
      const uid = await ok('get gizmo described -o jsonpath={.metadata.uid}');
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'described.1' },
        involvedObject: { kind: 'Gizmo', name: 'described', namespace: 'default', uid },
        ...{ type: 'Normal', reason: 'Built', message: 'all parts are there', count: 1 },
        ...{ firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:00Z' },
      };
      await ok('create -f -', JSON.stringify(event));
      expect(await ok('describe gizmo described')).toMatch(/Events:[\s\S]*Normal +Built .*all parts are there/);
    });

    it('does dry runs on the server', async () => {
      expect(await ok('apply --dry-run=server -f -', gizmo('dry'))).toContain('created (server dry run)');
      await fails('get gizmo dry');
      await apply('diffed');
      const { stdout, code } = await fails('diff -f -', gizmo('diffed', { size: 9 }));
      expect(code).toBe(1);
      expect(stdout).toMatch(/- {2}size: 1\n[\s\S]*\+ {2}size: 9\n/);
    });
  });

  describe('wrong input', () => {
    it('names unknown fields', async () => {
      const { stderr } = await fails('apply -f -', gizmo('bad', { bogus: 1, parts: [{ name: 'a', x: 1 }] }));
      expect(stderr).toContain(
        'Error from server (BadRequest): error when creating "STDIN": Gizmo in version "v1beta2" cannot be handled as a Gizmo: strict decoding error: unknown field "spec.bogus", unknown field "spec.parts[0].x"',
      );
      const warned = await suite.kubectl.run(['apply', '--validate=warn', '-f', '-'], gizmo('warned', { bogus: 1 }));
      expect(warned).toMatchObject({ code: 0, stderr: expect.stringContaining('Warning: unknown field "spec.bogus"') });
    });

    // The order is due to kubectl, which sorts the fields of what it sends.
    it('lists every wrong value by its field', async () => {
      const { stderr } = await fails('apply -f -', gizmo('bad', { size: -1, version: 'new', mode: 'Medium' }));
      expect(stderr).toBe(
        [
          'The Gizmo "bad" is invalid: ',
          '* spec.mode: Unsupported value: "Medium": supported values: "Fast", "Slow"',
          '* spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0',
          '* spec.version: Invalid value: "new": spec.version in body should match \'^v\\d+\\.\\d+$\'',
          '',
        ].join('\n'),
      );
      const { stderr: named } = await fails('apply -f -', gizmo('Bad_Name'));
      expect(named).toMatch(
        /^The Gizmo "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain/,
      );
    });

    it('reports missing namespaces, existing names and old versions', async () => {
      expect((await fails('apply -n nowhere -f -', gizmo('x'))).stderr).toContain('namespaces "nowhere" not found');
      await apply('taken');
      expect((await fails('create -f -', gizmo('taken'))).stderr).toContain(
        'gizmos.toys.windlass.dev "taken" already exists',
      );
      const { stderr } = await fails('replace -f -', gizmo('taken', {}, { resourceVersion: '1' }));
      expect(stderr).toContain(
        'the object has been modified; please apply your changes to the latest version and try again',
      );
    });
  });

  describe('changing', () => {
    it('patches in each way that the kind supports', async () => {
      await apply('patched');
      await ok('patch gizmo patched --type=merge -p {"spec":{"size":2}}');
      await ok('patch gizmo patched --type=json -p [{"op":"replace","path":"/spec/version","value":"v1.31"}]');
      expect(await ok('get gizmo patched -o jsonpath={.spec.size}{.spec.version}')).toBe('2v1.31');
      expect((await fails('patch gizmo patched -p {"spec":{"size":3}}')).stderr).toContain(
        'application/strategic-merge-patch+json is not supported by toys.windlass.dev/v1beta2, Kind=Gizmo',
      );
      await ok('patch gizmo patched --subresource=status --type=merge -p {"status":{"phase":"Up"}}');
      expect(await ok('get gizmo patched -o jsonpath={.status.phase}{.metadata.generation}')).toBe('Up3');
      await ok('create configmap patched --from-literal=a=b');
      await ok('patch configmap patched -p {"data":{"c":"d"}}');
      expect(await ok('get configmap patched -o jsonpath={.data}')).toBe('{"a":"b","c":"d"}');
    });

    it('scales, labels and annotates', async () => {
      await apply('scaled');
      expect(await ok('scale gizmo scaled --replicas=4')).toBe('gizmo.toys.windlass.dev/scaled scaled\n');
      expect((await fails('scale gizmo scaled --current-replicas=9 --replicas=5')).stderr).toContain(
        'Expected replicas to be 9, was 4',
      );
      await ok('label gizmo scaled tier=one');
      await ok('annotate gizmo scaled note=two');
      expect(
        await ok('get gizmo scaled -o jsonpath={.spec.size}{.metadata.labels.tier}{.metadata.annotations.note}'),
      ).toBe('4onetwo');
      await ok('label gizmo scaled tier-');
      expect(await ok('get gizmo scaled -o jsonpath={.metadata.labels}')).toBe('');
    });

    it('creates built-in kinds, which it writes as protobuf', async () => {
      await ok('create secret generic made --from-literal=password=geheim');
      expect(await ok('get secret made -o jsonpath={.data.password}')).toBe(Buffer.from('geheim').toString('base64'));
      await ok('create configmap made --from-literal=a=b');
      expect(await ok('get configmap made')).toMatch(/NAME +DATA +AGE\nmade +1 +\d+s/);
      await ok('create namespace made');
      expect(await ok('get namespace made')).toMatch(/made +Active/);
      expect(await ok('delete namespace made')).toContain('"made" deleted');
    });
  });

  describe('waiting', () => {
    it('follows changes until the watch ends', async () => {
      await apply('watched');
      const running = suite.kubectl.start(['get', 'gizmo', 'watched', '-w']);
      await watched('watched');
      await status('watched', ready);
      const { code, stdout } = await running.ended;
      expect(code).toBe(0);
      expect(stdout).toMatch(/^NAME .*\nwatched +1 .*\nwatched +True +1 .*\n$/);
    });

    it('waits for conditions and values, across the end of a watch', async () => {
      await apply('ready');
      await apply('up');
      const condition = ok(`wait --for=condition=Ready gizmo/ready --timeout=${PATIENCE_SECONDS}s`);
      const phase = ok(`wait --for=jsonpath={.status.phase}=Up gizmo/up --timeout=${PATIENCE_SECONDS}s`);
      const never = fails('wait --for=condition=Gone gizmo/ready --timeout=4s');
      // The server ends watches after three seconds, and the change happens during the second watch.
      for (const name of ['ready', 'up']) await watched(name, 2);
      await status('ready', ready);
      await status('up', { phase: 'Up' });
      expect(await condition).toContain('condition met');
      expect(await phase).toContain('condition met');
      expect((await never).stderr).toContain('timed out waiting');
    });

    it('waits for an object that finalizers block', async () => {
      await apply('held', {}, { finalizers: ['toys.windlass.dev/hold'] });
      const waited = ok(`wait --for=delete gizmo/held --timeout=${PATIENCE_SECONDS}s`);
      await watched('held');
      const deleted = ok(`delete gizmo held --timeout=${PATIENCE_SECONDS}s`);
      const isDeleted = (request: string) => request.startsWith('DELETE') && request.includes('/held');
      await until('it is deleted', () => suite.server.requests.some(isDeleted));
      await watched('held', watchesOf('held') + 1);
      expect(await ok('get gizmo held -o jsonpath={.metadata.deletionTimestamp}')).not.toBe('');
      await ok('patch gizmo held --type=json -p [{"op":"remove","path":"/metadata/finalizers"}]');
      expect(await deleted).toBe('gizmo.toys.windlass.dev "held" deleted\n');
      expect(await waited).toContain('condition met');
      await fails('get gizmo held');
    });

    it('deletes all objects with a label', async () => {
      await apply('gone-1', {}, { labels: { batch: 'x' } });
      await apply('gone-2', {}, { labels: { batch: 'x' } });
      expect(await ok('delete gizmos -l batch=x')).toBe(
        'gizmo.toys.windlass.dev "gone-1" deleted\ngizmo.toys.windlass.dev "gone-2" deleted\n',
      );
    });
  });
});

/** Tests CustomResourceDefinitions and their objects with kubectl. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition, version, widget } from '../../../functions/api/custom/test-widgets.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { type ManagementApi, startManagementApi } from '../management-api.ts';
import { createKubectl, hasKubectl, type Kubectl } from './kubectl.ts';

const CRD = 'widgets.example.com';

/** A definition with descriptions for `kubectl explain`, a short name and a category. */
const described = () => {
  const versions = [version('v1')];
  const schema = versions[0]?.schema.openAPIV3Schema as { description?: string; properties: { spec: object } };
  schema.description = 'A toy of this test.';
  schema.properties.spec = { ...schema.properties.spec, description: 'What the toy looks like.' };
  return definition('widgets', 'Widget', { shortNames: ['wd'], categories: ['toys'] }, versions);
};

// The tests run in order: each continues where the previous one ended.
describe.skipIf(!hasKubectl() && process.env.CI !== 'true')(
  'kubectl and user-defined kinds',
  { timeout: LIMIT },
  () => {
    let api: ManagementApi;
    let kubectl: Kubectl;
    beforeAll(async () => {
      api = await startManagementApi();
      kubectl = await createKubectl(api.url);
    });
    afterAll(async () => {
      await kubectl?.dispose();
      await api?.stop();
    });

    const run = (line: string, input?: object) => kubectl.run(line.split(' '), input && JSON.stringify(input));
    const ok = async (line: string, input?: object): Promise<string> => {
      const { code, stdout, stderr } = await run(line, input);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      return stdout;
    };

    it('creates a definition, which is established at once', async () => {
      expect(await ok('create -f -', described())).toBe(
        `customresourcedefinition.apiextensions.k8s.io/${CRD} created\n`,
      );
      expect(await ok(`wait --for=condition=Established crd/${CRD} --timeout=1s`)).toContain('condition met');
      expect(await ok('get crds')).toContain(CRD);
      expect(await ok('api-resources --api-group=example.com --no-headers')).toMatch(
        /^widgets +wd +example\.com\/v1 +true +Widget\n$/,
      );
    });

    it('explains its fields', async () => {
      const text = await ok('explain widgets.spec');
      expect(text).toContain('What the toy looks like.');
      expect(text).toMatch(/color\t<string> -required-\n.*enum: red, blue/s);
    });

    it('applies objects, and shows them with the columns of the definition', async () => {
      await ok('apply --server-side -f -', widget('one'));
      await ok('apply -f -', widget('two', { color: 'blue', size: 5 }));
      expect(await ok('get widgets')).toMatch(/^NAME +SIZE\none +3\ntwo +5\n$/);
      expect(await ok('get wd --field-selector spec.color=blue -o name')).toBe('widget.example.com/two\n');
      expect(await ok('get toys -o name')).toBe('widget.example.com/one\nwidget.example.com/two\n');
      await ok('scale widget one --replicas=4');
      expect(await ok('get widget one -o jsonpath={.spec.replicas}')).toBe('4');
    });

    it.each([
      ['an unknown field', { color: 'red', colour: 'red' }, 'unknown field "spec.colour"'],
      ['a value of the wrong type', { color: 'red', size: 'big' }, 'spec.size: Invalid value: "string"'],
      ['what a rule forbids', { color: 'red', size: 12 }, 'spec: Invalid value: too big'],
    ])('reports %s by the field', async (_, spec, words) => {
      const { code, stderr } = await run('apply -f -', widget('three', spec));
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    });

    it('deletes the definition, and its objects with it', async () => {
      await ok(`delete crd ${CRD} --timeout=${PATIENCE_SECONDS}s`);
      const { code, stderr } = await run('get widgets');
      expect([code, stderr]).toEqual([1, expect.stringContaining('the server could not find the requested resource')]);
      await ok('create -f -', described());
      expect(await ok('get widgets -o name')).toBe('');
    });
  },
);

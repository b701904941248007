/** Variables and the patches that use them. */
import { type Any, type Story, setVariable, setVariables, topologyOf } from '../story.ts';
import { classOf, clusterOf, look, storyOf, WORKER } from './elsewhere.ts';

const VALUES = clusterOf('values');
const disk = (of: object) => setVariable('size', { disk: of });

export const values: Story = storyOf('values', {
  about: 'nested variables with defaults, rules and every kind of schema',
  refusals: [
    { what: 'a number that is not above its minimum', of: VALUES, edit: disk({ gigabytes: 8 }) },
    { what: 'a fraction above its maximum', of: VALUES, edit: disk({ gigabytes: 20, share: 1.5 }) },
    { what: 'a nested field that is missing', of: VALUES, edit: setVariable('size', { disk: {} }) },
    { what: 'a value that is none of those allowed', of: VALUES, edit: disk({ gigabytes: 20, kind: 'tape' }) },
    { what: 'a value that a rule refuses by an expression', of: VALUES, edit: disk({ gigabytes: 20, kind: 'io2' }) },
    { what: 'a value that may not become less', of: VALUES, edit: disk({ gigabytes: 18 }) },
    { what: 'a list that is empty', of: VALUES, edit: setVariable('zones', []) },
    { what: 'a list that is too long', of: VALUES, edit: setVariable('zones', ['a', 'b', 'c', 'd']) },
    { what: 'a list with one thing twice', of: VALUES, edit: setVariable('zones', ['a', 'a']) },
    { what: 'a key that a rule forbids', of: VALUES, edit: setVariable('tags', { mine: {} }) },
    { what: 'a value of neither type', of: VALUES, edit: setVariable('limit', true) },
    { what: 'both of two alternatives', of: VALUES, edit: setVariable('either', { a: '1', b: '2' }) },
    {
      what: 'an override that does not fit',
      of: VALUES,
      edit: topologyOf(({ controlPlane }) => {
        controlPlane.variables = { overrides: [{ name: 'size', value: { disk: { gigabytes: '20' } } }] };
      }),
    },
    {
      what: 'a class whose default does not fit',
      of: classOf('values'),
      edit: ({ spec }) => {
        spec.variables[1].schema.openAPIV3Schema.default = [];
      },
    },
    {
      what: 'a patch with a variable that is not defined',
      of: classOf('values'),
      edit: ({ spec }) => {
        spec.patches[0].definitions[0].jsonPatches[0].valueFrom.variable = 'colour';
      },
    },
  ],
  steps: [
    {
      what: 'other values of all types',
      of: VALUES,
      edit: setVariables({
        size: { disk: { gigabytes: 40, kind: 'io2', iops: 4000, share: 0.5 }, type: 'm5.large' },
        zones: ['us-east-1b', 'us-east-1c'],
        tags: { 'team-a': {}, 'team-b': { value: 'b: c' }, 'team-c': { hidden: true } },
        limit: '50%',
        either: { b: 'this' },
        anything: { a: { b: null }, list: [] },
      }),
    },
    { what: 'a number where there was a text', of: VALUES, edit: setVariable('limit', 7) },
    {
      what: 'overrides of the control plane, and none of a group any more',
      of: VALUES,
      edit: topologyOf(({ controlPlane, workers }) => {
        controlPlane.variables = {
          overrides: [
            { name: 'size', value: { disk: { gigabytes: 50 }, type: 't3.xlarge' } },
            { name: 'zones', value: ['us-east-1f'] },
          ],
        };
        delete workers.machineDeployments[1].variables;
      }),
    },
    {
      what: 'values that are taken back',
      of: VALUES,
      edit: topologyOf((topology) => {
        topology.variables = topology.variables.filter(({ name }: Any) => name === 'size');
      }),
    },
    {
      what: 'a class with another default, and a further variable',
      of: classOf('values'),
      edit: ({ spec }) => {
        spec.variables.push({
          name: 'late',
          required: false,
          schema: { openAPIV3Schema: { type: 'string', default: 'late' } },
        });
        const [, , , , patch] = spec.patches;
        patch.definitions[1].jsonPatches.push({
          op: 'add',
          path: '/spec/template/spec/postKubeadmCommands/-',
          valueFrom: { variable: 'late' },
        });
      },
    },
    {
      what: 'the network and the replicas that built-in variables contain',
      of: VALUES,
      edit: topologyOf(({ controlPlane, workers }) => {
        controlPlane.replicas = 1;
        controlPlane.metadata.labels.own = 'changed';
        workers.machineDeployments[0].replicas = 5;
        workers.machineDeployments[0].metadata = { labels: { own: 'changed' } };
      }),
    },
  ],
});

const ARRAYS = clusterOf('arrays');
const ARRAYS_CLASS = classOf('arrays');

const brokenBy = (jsonPatch: object) => ({
  of: ARRAYS_CLASS,
  reason: 'ReconcileFailed',
  edit: ({ spec }: Any) => {
    const [first] = spec.patches;
    first.definitions[0].jsonPatches[3] = jsonPatch;
  },
});

export const arrays: Story = storyOf('arrays', {
  about: 'patches that add to, remove from and replace in lists',
  refusals: [
    {
      what: 'a patch that leads out of the spec of a template',
      of: ARRAYS_CLASS,
      edit: ({ spec }) => {
        spec.patches[0].definitions[0].jsonPatches[0].path = '/metadata/labels';
      },
    },
    {
      what: 'a patch of a place in a list that is no number',
      isAllowed: true,
      of: ARRAYS_CLASS,
      edit: ({ spec }) => {
        spec.patches[0].definitions[0].jsonPatches[0].path = '/spec/template/spec/preKubeadmCommands/x';
      },
    },
    ...[
      { what: 'an addition in the middle of a list', op: 'add', value: 'echo', at: '1' },
      { what: 'a removal from a list', op: 'remove', at: '0' },
      { what: 'a replacement in a list', op: 'replace', value: 'echo', at: '0' },
    ].map(({ what, at, ...rest }) => ({
      what,
      of: ARRAYS_CLASS,
      edit: ({ spec }: Any) => {
        spec.patches[0].definitions[0].jsonPatches[0] = {
          ...rest,
          path: `/spec/template/spec/preKubeadmCommands/${at}`,
        };
      },
    })),
    {
      what: 'a patch for a class of workers that does not exist',
      of: ARRAYS_CLASS,
      edit: ({ spec }) => {
        spec.patches[0].definitions[0].selector.matchResources.machineDeploymentClass.names = ['green-*'];
      },
    },
    {
      what: 'a patch with a value and a source of one',
      of: ARRAYS_CLASS,
      edit: ({ spec }) => {
        spec.patches[0].definitions[0].jsonPatches[0].valueFrom = { variable: 'mode' };
      },
    },
    {
      what: 'a removal with a value',
      isAllowed: true,
      of: ARRAYS_CLASS,
      edit: ({ spec }) => {
        spec.patches[1].definitions[0].jsonPatches[0].value = 'gone';
      },
    },
  ],
  steps: [
    { what: 'patches that begin to hold', of: ARRAYS, edit: setVariable('mode', 'fewer') },
    { what: 'a patch that no longer holds', of: ARRAYS, edit: setVariable('mode', 'more') },
    {
      what: 'a template with fewer entries',
      of: WORKER,
      afterwards: look('arrays'),
      edit: ({ spec }) => {
        spec.template.spec.preKubeadmCommands = ['echo only', 'echo two'];
      },
    },
    {
      what: 'a patch of an entry that is not there',
      ...brokenBy({ op: 'replace', path: '/spec/template/spec/ntp/enabled', value: true }),
    },
    {
      what: 'a removal of what is not there',
      ...brokenBy({ op: 'remove', path: '/spec/template/spec/diskSetup' }),
    },
    {
      what: 'a template that makes no YAML',
      ...brokenBy({
        op: 'add',
        path: '/spec/template/spec/preKubeadmCommands/-',
        valueFrom: { template: '{{ .mode }}: [' },
      }),
    },
    {
      what: 'a template with a variable that is not there',
      ...brokenBy({
        op: 'add',
        path: '/spec/template/spec/preKubeadmCommands/-',
        valueFrom: { template: '{{ .colour.of }}' },
      }),
      reason: 'ReconcileSucceeded',
    },
    {
      what: 'the end of all that',
      of: ARRAYS_CLASS,
      edit: ({ spec }) => {
        spec.patches = spec.patches.slice(1);
        spec.patches[0].enabledIf = '{{ and .mode (not (eq .mode "more")) }}';
      },
    },
  ],
});

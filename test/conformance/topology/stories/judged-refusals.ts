/** Changes to the class and its cluster that are refused. */
import { type Any, type Refusal, setVariable, type Target, topologyOf } from '../story.ts';

const CLUSTER: Target = { plural: 'clusters', name: 'judged' };
const CLASS: Target = { plural: 'clusterclasses', name: 'judged' };

const VARIABLES: readonly Refusal[] = [
  { what: 'a variable that is not defined', of: CLUSTER, edit: setVariable('colour', 'red') },
  { what: 'a variable that does not fit its schema', of: CLUSTER, edit: setVariable('owner', 'B') },
  { what: 'a variable of another type', of: CLUSTER, edit: setVariable('size', 7) },
  {
    what: 'a nested field that is not defined',
    of: CLUSTER,
    edit: setVariable('audit', { enabled: true, level: 3 }),
  },
  { what: 'a value that a rule forbids', of: CLUSTER, edit: setVariable('audit', { enabled: true, days: 91 }) },
  {
    what: 'a value that another rule refuses',
    of: CLUSTER,
    edit: setVariable('audit', { sinks: [{ url: 'http://plain.example.com' }] }),
  },
  {
    what: 'a required variable that is missing',
    of: CLUSTER,
    edit: topologyOf((topology) => {
      topology.variables = topology.variables.filter((it: Any) => it.name !== 'owner');
    }),
  },
  {
    what: 'an override that does not fit',
    of: CLUSTER,
    edit: topologyOf(({ workers }) => {
      workers.machineDeployments[0].variables = { overrides: [{ name: 'size', value: 'huge' }] };
    }),
  },
];

const TOPOLOGIES: readonly Refusal[] = [
  {
    what: 'a class of workers that does not exist',
    of: CLUSTER,
    edit: topologyOf(({ workers }) => {
      workers.machineDeployments[0].class = 'gpu';
    }),
  },
  {
    what: 'a version two minors up',
    of: CLUSTER,
    edit: topologyOf((topology) => {
      topology.version = 'v1.36.0';
    }),
  },
  {
    what: 'a lower version',
    of: CLUSTER,
    edit: topologyOf((topology) => {
      topology.version = 'v1.33.0';
    }),
  },
  {
    what: 'the removal of the topology',
    of: CLUSTER,
    edit: ({ spec }) => {
      delete spec.topology;
    },
  },
];

const CLASSES: readonly Refusal[] = [
  {
    what: 'the removal of a class of workers that is used',
    of: CLASS,
    edit: ({ spec }) => {
      spec.workers.machineDeployments = spec.workers.machineDeployments.slice(1);
      spec.patches = spec.patches.filter((it: Any) => it.name === 'audit');
    },
  },
  {
    what: 'another kind of control plane',
    of: CLASS,
    edit: ({ spec }) => {
      spec.controlPlane.templateRef.kind = 'OtherControlPlaneTemplate';
      spec.patches = spec.patches.filter((it: Any) => it.name === 'version');
    },
  },
  { what: 'the deletion of a class that is used', of: CLASS, method: 'DELETE', edit: () => {} },
];

export const REFUSALS: readonly Refusal[] = [...VARIABLES, ...TOPOLOGIES, ...CLASSES];

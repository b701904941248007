/** Changes that are refused, in dry runs. */
import { type Api, ApiError } from '../../../infra/cli/api/client.ts';
import { type Any, CLASS, CLUSTER, type Edit, setVariable, topologyOf } from './objects.ts';

export type Refusal = Edit & { method?: 'PUT' | 'DELETE' };

const VARIABLES: readonly Refusal[] = [
  { what: 'a variable that is not defined', path: CLUSTER, edit: setVariable('colour', 'red') },
  { what: 'a variable that does not fit its schema', path: CLUSTER, edit: setVariable('owner', 'B') },
  { what: 'a variable of another type', path: CLUSTER, edit: setVariable('size', 7) },
  {
    what: 'a nested field that is not defined',
    path: CLUSTER,
    edit: setVariable('audit', { enabled: true, level: 3 }),
  },
  { what: 'a value that a rule forbids', path: CLUSTER, edit: setVariable('audit', { enabled: true, days: 91 }) },
  {
    what: 'a value that another rule refuses',
    path: CLUSTER,
    edit: setVariable('audit', { sinks: [{ url: 'http://plain.example.com' }] }),
  },
  {
    what: 'a required variable that is missing',
    path: CLUSTER,
    edit: topologyOf((topology) => {
      topology.variables = topology.variables.filter((it: Any) => it.name !== 'owner');
    }),
  },
  {
    what: 'an override that does not fit',
    path: CLUSTER,
    edit: topologyOf(({ workers }) => {
      workers.machineDeployments[0].variables = { overrides: [{ name: 'size', value: 'huge' }] };
    }),
  },
];

const TOPOLOGIES: readonly Refusal[] = [
  {
    what: 'a class of workers that does not exist',
    path: CLUSTER,
    edit: topologyOf(({ workers }) => {
      workers.machineDeployments[0].class = 'gpu';
    }),
  },
  {
    what: 'a version two minors up',
    path: CLUSTER,
    edit: topologyOf((topology) => {
      topology.version = 'v1.36.0';
    }),
  },
  {
    what: 'a lower version',
    path: CLUSTER,
    edit: topologyOf((topology) => {
      topology.version = 'v1.33.0';
    }),
  },
  {
    what: 'the removal of the topology',
    path: CLUSTER,
    edit: ({ spec }) => {
      delete spec.topology;
    },
  },
];

const CLASSES: readonly Refusal[] = [
  {
    what: 'the removal of a class of workers that is used',
    path: CLASS,
    edit: ({ spec }) => {
      spec.workers.machineDeployments = spec.workers.machineDeployments.slice(1);
      spec.patches = spec.patches.filter((it: Any) => it.name === 'audit');
    },
  },
  {
    what: 'another kind of control plane',
    path: CLASS,
    edit: ({ spec }) => {
      spec.controlPlane.templateRef.kind = 'OtherControlPlaneTemplate';
      spec.patches = spec.patches.filter((it: Any) => it.name === 'version');
    },
  },
  { what: 'the deletion of a class that is used', path: CLASS, method: 'DELETE', edit: () => {} },
];

export const REFUSALS: readonly Refusal[] = [...VARIABLES, ...TOPOLOGIES, ...CLASSES];

/** What a refusal says, without the name of the webhook: there are none here. */
export const refusalOf = async (api: Api, { path, edit, method = 'PUT' }: Refusal): Promise<string> => {
  const object = await api.send<Any>('GET', path);
  edit(object);
  try {
    await api.send(method, `${path}?dryRun=All`, method === 'PUT' ? object : undefined);
    return 'nothing';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = error.message.replace(/^admission webhook "[^"]*" denied the request: /, '');
    return message.replaceAll(/\bDev(?=Cluster|Machine)/g, 'AWS');
  }
};

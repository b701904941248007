import type { BootstrapConfig, BootstrapConfigTemplate, ControlPlane } from '../../kinds/contract-objects.ts';
import { outsideKind } from '../../outside/kinds.ts';
import type { Distribution } from '../distribution.ts';

type Kinds = 'controlPlane' | 'config' | 'configTemplate';

/**
 * The other kinds of a role, derived from one of them: a configuration and its template belong together, and the others
 * follow a convention.
 */
const kindsBy = (role: Kinds, kind: string): Readonly<Record<Kinds, string>> => {
  const config = role === 'controlPlane' ? kind.replace(/ControlPlane$/, 'Config') : kind.replace(/Template$/, '');
  const usual = {
    controlPlane: config.replace(/Config$/, 'ControlPlane'),
    config,
    configTemplate: `${config}Template`,
  };
  return { ...usual, [role]: kind };
};

const notHere = (what: string) => (): never => {
  throw new Error(`${what} is its provider's: nothing here makes it`);
};

/**
 * Bootstrap configurations and control planes that are reconciled elsewhere, according to Cluster API's contract. The
 * core clones and deletes their objects, and reads the fields of the contract.
 */
export const reconciledOutside = (
  kinds: Pick<Distribution, 'controlPlane' | 'config' | 'configTemplate'>,
): Distribution => ({
  isOutside: true,
  component: 'outside',
  ...{ controlPlane: kinds.controlPlane, config: kinds.config, configTemplate: kinds.configTemplate },
  rolloutDates: () => ({}),
  healthConditions: () => ({ components: [], etcd: [] }),
  configSpecOf: notHere('the configuration of a control plane machine'),
  remediation: notHere('the replacement of an unhealthy control plane machine'),
  authorities: () => [],
  kubeconfig: { server: 'ca', client: 'ca' },
  render: notHere('the bootstrap data'),
  usesBootstrapTokens: false,
  // Not used: the provider reports that the control plane is initialized.
  initializedBy: { kind: 'ConfigMap', name: 'kube-root-ca.crt' },
  health: () => [],
  unknownHealth: () => [],
  status: (_controlPlane, common) => common,
});

/** The same for kinds of external providers. */
export const outside = (role: Kinds, { apiGroup, kind }: { apiGroup: string; kind: string }): Distribution => {
  const kinds = kindsBy(role, kind);
  return reconciledOutside({
    controlPlane: outsideKind<ControlPlane>('controlPlane', apiGroup, kinds.controlPlane),
    config: outsideKind<BootstrapConfig>('config', apiGroup, kinds.config),
    configTemplate: outsideKind<BootstrapConfigTemplate>('configTemplate', apiGroup, kinds.configTemplate),
  });
};

import type { Distribution, EtcdAccess } from '../../shared/distributions/distribution.ts';
import type { BootstrapConfig } from '../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../shared/kinds/index.ts';
import { refersTo } from '../../shared/kinds/reference.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { isOfAnotherMachine } from './owners.ts';

/** Finds the bootstrap configuration of the machine with this node. */
export type ConfigOf = (node: string) => Promise<BootstrapConfig | undefined>;

const readConfig = async (
  objects: Pick<ObjectClient, 'get'>,
  { config: kind }: Pick<Distribution, 'config'>,
  machine: Machine | undefined,
): Promise<BootstrapConfig | undefined> => {
  const { configRef } = machine?.spec.bootstrap ?? {};
  if (!machine || !refersTo(kind, configRef)) return undefined;
  const key = { namespace: machine.metadata.namespace ?? '', name: configRef?.name ?? '' };
  const config = await objects.get(kind, key);
  return config && isOfAnotherMachine(config, machine) ? undefined : config;
};

/**
 * Reads configurations for the commands of etcd, each at most once. Reads none if the commands do not depend on them.
 */
export const configsFor = (
  objects: Pick<ObjectClient, 'get'>,
  access: EtcdAccess,
  distribution: Pick<Distribution, 'config'>,
  machines: readonly Machine[],
): ConfigOf => {
  const reads = new Map<string, Promise<BootstrapConfig | undefined>>();
  return (node) => {
    if (!access.needsConfig) return Promise.resolve(undefined);
    const machine = machines.find(({ status }) => status?.nodeRef?.name === node);
    const read = reads.get(node) ?? readConfig(objects, distribution, machine);
    reads.set(node, read);
    return read;
  };
};

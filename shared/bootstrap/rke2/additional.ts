import { readYaml } from '../../decode/yaml.ts';
import type { Rke2AgentConfig } from '../../kinds/index.ts';
import { BootstrapInvalidError } from '../invalid.ts';

type AdditionalUserData = Rke2AgentConfig['additionalUserData'];

/** Modules of cloud-init that the bootstrap itself uses. As in upstream, the user's settings of them are ignored. */
const OWN_MODULES = ['write_files', 'runcmd', 'ntp'];

const FIELD = 'spec.agentConfig.additionalUserData';

const parsed = (text: string, field: string): unknown => {
  try {
    return readYaml(text, { version: '1.1' });
  } catch {
    throw new BootstrapInvalidError(field, 'is not YAML');
  }
};

const readConfig = (config: string | undefined): Record<string, unknown> => {
  const value = parsed(config ?? '', `${FIELD}.config`) ?? {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new BootstrapInvalidError(`${FIELD}.config`, 'must be a YAML map, as cloud-init reads it');
};

/** Additional modules of cloud-init, from `config` (a document) and `data` (a text for each module). */
export const additionalCloudConfig = (given: AdditionalUserData): Readonly<Record<string, unknown>> | undefined => {
  if (!given?.config && !given?.data) return undefined;
  const data = Object.entries(given.data ?? {}).map(([module, text]) => [
    module,
    parsed(text, `${FIELD}.data.${module}`),
  ]);
  const modules = { ...Object.fromEntries(data), ...readConfig(given.config) };
  return Object.fromEntries(Object.entries(modules).filter(([module]) => !OWN_MODULES.includes(module)));
};

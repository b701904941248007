import { RefusedError } from '../../../errors.ts';

/** The facts about a host that bootstrap data may use. */
export interface HostFacts {
  readonly hostname: string;
  readonly address: string;
  readonly providerId: string;
  readonly machineUid: string;
  readonly zone: string;
}

const HEADER = /^\s*## template: jinja[^\n]*\n/;

/** By their names in cloud-init; `provider_id` is an addition of Windlass. */
const valuesOf = (facts: HostFacts): Readonly<Record<string, string>> => {
  const standard = {
    local_hostname: facts.hostname,
    instance_id: facts.machineUid,
    availability_zone: facts.zone,
  };
  const metadata = {
    hostname: facts.hostname,
    local_hostname: facts.hostname,
    local_ipv4: facts.address,
    instance_id: facts.machineUid,
    provider_id: facts.providerId,
  };
  return Object.fromEntries([
    ...Object.entries(standard).flatMap(([name, value]) => [
      [name, value],
      [`v1.${name}`, value],
    ]),
    ...Object.entries(metadata).map(([name, value]) => [`ds.meta_data.${name}`, value]),
  ]);
};

/**
 * Replaces variables by the facts of a host, in data whose first line requests it. Templates that contain more than
 * variables are refused: with a template engine, a user who writes a manifest could run code in the function.
 */
export const renderVariables = (text: string, facts: HostFacts): string => {
  if (!HEADER.test(text)) return text;
  const values = valuesOf(facts);
  return text.replace(HEADER, '').replace(/\{\{\s*(.*?)\s*\}\}|\{%|\{#/g, (_all, name: string | undefined) => {
    if (name !== undefined && Object.hasOwn(values, name)) return values[name] ?? '';
    const shown = name !== undefined && /^[\w.]{1,60}$/.test(name) ? `the variable ${name}` : 'an expression';
    throw new RefusedError(
      `bootstrap data: has ${shown}, which is not known on hosts; the variables are ${Object.keys(values).join(', ')}`,
    );
  });
};

import type { Rke2Type } from '../rke2/flags.ts';
import { baseName } from './kubeadm-call.ts';

const settingOf = (words: readonly string[], name: string): string | undefined => {
  const found = words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  return found?.replace(/^"(.*)"$/, '$1');
};

const typeOf = (text: string | undefined): Rke2Type => (text === 'agent' ? 'agent' : 'server');

/** What a command installs of RKE2: `… | INSTALL_RKE2_VERSION=v… sh -s -`, online or from artifacts on the machine. */
export const rke2InstallOf = (
  words: readonly string[],
): { type: Rke2Type; version: string | undefined } | undefined => {
  const isInstall = words.some((word) => /^INSTALL_RKE2_(VERSION|ARTIFACT_PATH)=/.test(word));
  if (!isInstall || !words.some((word) => ['sh', 'bash'].includes(baseName(word)))) return undefined;
  return { type: typeOf(settingOf(words, 'INSTALL_RKE2_TYPE')), version: settingOf(words, 'INSTALL_RKE2_VERSION') };
};

/** The service of RKE2 that a `systemctl` starts. */
export const rke2UnitOf = (words: readonly string[]): Rke2Type | undefined => {
  const [program = '', verb = '', ...rest] = words;
  const starts = ['start', 'restart'].includes(verb) || (verb === 'enable' && rest.includes('--now'));
  if (baseName(program) !== 'systemctl' || !starts) return undefined;
  const unit = rest.map((word) => /^rke2-(server|agent)(\.service)?$/.exec(word)?.[1]).find(Boolean);
  return unit === undefined ? undefined : typeOf(unit);
};

/** The arguments of Windlass' script. */
export const rke2ScriptCall = (args: readonly string[]): { type: Rke2Type; version: string | undefined } | undefined =>
  args[0] === 'server' || args[0] === 'agent' ? { type: args[0], version: args[1] } : undefined;

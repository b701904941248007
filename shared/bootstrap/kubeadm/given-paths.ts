import type { KubeadmConfigSpec } from './spec.ts';

/** The file paths in a configuration, with their fields. */
export const givenPaths = ({
  files = [],
  joinConfiguration,
}: KubeadmConfigSpec): [field: string, path: string | undefined][] => [
  ...files.map(({ path }, index): [string, string] => [`spec.files[${index}].path`, path]),
  ['spec.joinConfiguration.discovery.file.kubeConfigPath', joinConfiguration?.discovery?.file?.kubeConfigPath],
];

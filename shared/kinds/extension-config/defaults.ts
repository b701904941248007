import type { ExtensionConfig } from './schema.ts';

const HTTPS = 443;

/**
 * An extension is called for the clusters in all namespaces, unless a selector restricts it (Default in upstream's
 * webhook).
 */
export const defaultExtensionConfig = (config: ExtensionConfig): ExtensionConfig => {
  const { spec } = config;
  const { service } = spec.clientConfig;
  return {
    ...config,
    spec: {
      ...spec,
      namespaceSelector: spec.namespaceSelector ?? {},
      ...(service ? { clientConfig: { ...spec.clientConfig, service: { port: HTTPS, ...service } } } : {}),
    },
  };
};

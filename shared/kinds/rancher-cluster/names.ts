/** The namespace of a cluster's objects. Only the controllers may have created it. */
export const namespaceOfRancher = (name: string): string => `rke-${name}`;

const MOST_IN_A_LABEL = 63;

/** Names of namespaces are DNS labels. */
export const LONGEST_RANCHER_NAME = MOST_IN_A_LABEL - namespaceOfRancher('').length;

/** A Secret in `ssh_key_path`. A Cluster has no namespace in which it could be looked up. */
export interface SecretName {
  namespace: string;
  name: string;
}

/** A Secret in texts: `<namespace>/<name>`. */
export const secretText = ({ namespace, name }: SecretName): string => `${namespace}/${name}`;

const SECRET = /^([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/([a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)$/;

/** The Secret in the form `<namespace>/<name>`; undefined for other texts. */
export const readSecretName = (text: string): SecretName | undefined => {
  const [, namespace, name] = SECRET.exec(text) ?? [];
  return namespace && name ? { namespace, name } : undefined;
};

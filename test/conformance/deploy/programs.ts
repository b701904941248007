/**
 * The programs that the document calls: some are real, and some are replaced because they would change this computer.
 */
import { STAND_IN } from './reader.ts';

/** kubectl and its plugin use the AWS addresses in the kubeconfig, through a proxy. */
const throughProxy = (program: string, proxy: string, ca: string): string =>
  [
    `export HTTPS_PROXY=${proxy} SSL_CERT_FILE=${ca} AWS_CA_BUNDLE=${ca} AWS_STS_REGIONAL_ENDPOINTS=regional`,
    'unset AWS_ENDPOINT_URL',
    `exec ${program} "$@"`,
  ].join('\n');

/** The second program of this name on the PATH; the first is the replacement. */
const real = (name: string): string => `"$(which -a ${name} | sed -n 2p)"`;

/** `npm ci` would replace the packages that the suite runs from, and `git pull` would replace the document. */
export const programsOf = ({ proxy, ca }: { proxy: string; ca: string }): Readonly<Record<string, string>> => ({
  kubectl: throughProxy(real('kubectl'), proxy, ca),
  npm: `if [ "$1" = ci ]; then ${STAND_IN}; else exec ${real('npm')} "$@"; fi`,
  git: STAND_IN,
  clusterawsadm: STAND_IN,
});

import { createClassicElbClient } from '../../../shared/aws/clients/classic-elb.ts';
import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createElbv2Client } from '../../../shared/aws/clients/elbv2.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { issueKubeconfig } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { carryOut, tryOut } from '../adopt/carry-out.ts';
import { observeAccount, type Sources } from '../adopt/observe.ts';
import { endpointOf, observeNodes } from '../adopt/observe-nodes.ts';
import type { Endpoint, Observed } from '../adopt/observed.ts';
import { type PkiOptions, readPki } from '../adopt/pki.ts';
import { planAdoption } from '../adopt/plan.ts';
import { adoptionText } from '../adopt/print.ts';
import { type AskNodes, reachNodes } from '../adopt/reach.ts';
import { type ContextOptions, openContext } from '../api/kubeconfig-client.ts';
import { throughProxy } from '../api/proxy.ts';
import { readManifests } from '../apply/manifest.ts';

export interface AdoptOptions extends ContextOptions {
  region?: string;
  endpoint?: string;
  filename: readonly string[];
  pki?: string;
  caCert?: string;
  caKey?: string;
  etcdCaCert?: string;
  etcdCaKey?: string;
  proxyCaCert?: string;
  proxyCaKey?: string;
  saPub?: string;
  saKey?: string;
  yes: boolean;
}

type Pair = NonNullable<Observed['pairs']['ca']>;

/** Exit codes of an adoption: done or nothing to do, something missing, or a plan that waits for confirmation. */
const EXIT = { done: 0, blocked: 1, planned: 0 } as const;

const ANSWER_MILLISECONDS = 20_000;

const pkiOf = (options: AdoptOptions): PkiOptions => {
  const pair = (certificate: string | undefined, key: string | undefined) => ({
    ...(certificate ? { certificate } : {}),
    ...(key ? { key } : {}),
  });
  return {
    ...(options.pki ? { pki: options.pki } : {}),
    files: {
      ca: pair(options.caCert, options.caKey),
      etcd: pair(options.etcdCaCert, options.etcdCaKey),
      proxy: pair(options.proxyCaCert, options.proxyCaKey),
      sa: pair(options.saPub, options.saKey),
    },
  };
};

/** Connects as an administrator, with a certificate that the cluster's own CA signs for this connection. */
const askAs =
  (clusterName: string, ca: Pair): AskNodes =>
  async (server) => {
    const dependencies = { clock: systemClock, keys: webCryptoKeys, random: systemRandom };
    const kubeconfig = await issueKubeconfig({ clusterName, server, ca }, dependencies);
    const connect = makeConnectWorkload({
      deadline: () => AbortSignal.timeout(ANSWER_MILLISECONDS),
      // The caller names the endpoint, and may have a tunnel to it.
      reach: { loopback: true },
    });
    const { hostname: host, port } = new URL(server);
    return observeNodes(connect, { kubeconfig, source: 'this command', endpoint: { host, port: Number(port || 443) } });
  };

const sourcesIn = (region: string): Sources => ({
  ec2: createEc2Client({ ...throughProxy(), region }),
  elb: createElbv2Client({ ...throughProxy(), region }),
  classicElb: createClassicElbClient({ ...throughProxy(), region }),
});

const namedEndpoint = (text: string | undefined): Endpoint | undefined => {
  if (text === undefined) return undefined;
  const endpoint = endpointOf(text);
  if (!endpoint) throw new Error(`--endpoint ${text} is not HOST:PORT`);
  return endpoint;
};

const triedText = (missingNamespace: string | undefined): string =>
  missingNamespace === undefined
    ? 'The API accepts all objects.'
    : `The API can check the objects only when the namespace ${missingNamespace} exists.`;

/** Reports what can be recovered of a cluster whose objects are lost, and with --yes writes the objects. */
export const adopt = async (name: string, options: AdoptOptions): Promise<number> => {
  const { api } = openContext(options);
  const { namespace } = options;
  const region = options.region ?? process.env.AWS_REGION;
  if (!region) throw new Error('name the region with --region, or set AWS_REGION');
  const pairs = readPki(pkiOf(options), systemClock.now());
  const endpoint = namedEndpoint(options.endpoint);
  const account = await observeAccount(sourcesIn(region), { name, region, ...(namespace ? { namespace } : {}) });
  const said = pairs.ca
    ? await reachNodes(account, endpoint, askAs(name, pairs.ca))
    : { nodes: [], silent: 'accessing it requires the key of its CA, which was not given' };
  const seen: Observed = { ...account, ...said, pairs };
  const plan = planAdoption(
    seen,
    options.filename.flatMap(readManifests).map(({ object }) => object),
  );
  process.stdout.write(adoptionText(seen, plan));
  if (plan.blocked.length > 0) return EXIT.blocked;
  if (!options.yes) {
    process.stdout.write(
      `\nNothing was written. ${triedText(await tryOut(api, plan))} Use --yes to write the objects.\n`,
    );
    return EXIT.planned;
  }
  const { written, isPaused } = await carryOut(api, plan);
  const state = isPaused ? 'the cluster stays paused, as its manifest says' : 'the cluster is managed again';
  process.stdout.write(`\n${written.length} objects were written; ${state}.\n`);
  return EXIT.done;
};

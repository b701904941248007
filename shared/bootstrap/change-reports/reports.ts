import { posix } from 'node:path';
import type { Reported } from '../../kinds/rules/report-changes.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import { toYaml } from '../kubeadm/document.ts';
import type { BootFile } from '../machine-setup.ts';

/** How the API server of a control plane machine reports changes to the management API. Contains a secret. */
export interface ChangeReports {
  /** The URL to which reports are sent: see `reportsUrl`. */
  url: string;
  /** Only valid for this cluster. */
  token: string;
  reported: readonly Reported[];
}

/** The path of reports below the address of the management API. */
export const REPORTS_PATH = 'hooks/changes';

/** `apiUrl`: the address of the management API, with or without a slash at its end. */
export const reportsUrl = (apiUrl: string, clusterUid: string): string =>
  `${apiUrl.replace(/\/$/, '')}/${REPORTS_PATH}/${clusterUid}`;

/** The form of a token: 32 bytes in base64url. */
export const REPORTS_TOKEN = /^[A-Za-z0-9_-]{43}$/;

const RESOURCES: Readonly<Record<Reported, string>> = { Services: 'services', Nodes: 'nodes' };

/** The verbs of writes in audit policies. */
const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * kube-apiserver's audit policy: it reports only that such an object was written. A resource without a slash does not
 * include its subresources, so the status of nodes, which kubelets write regularly, is left out, and so are leases.
 * Anonymous requests are refused anyway.
 */
const auditPolicy = (reported: readonly Reported[]): string =>
  toYaml({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted', 'Panic'],
    rules: [
      { level: 'None', userGroups: ['system:unauthenticated'] },
      {
        level: 'Metadata',
        verbs: WRITES,
        resources: [{ group: '', resources: reported.map((one) => RESOURCES[one]) }],
      },
      { level: 'None' },
    ],
  });

/** A kubeconfig, because kube-apiserver reads the address of a webhook in this form. */
const webhookConfig = ({ url, token }: ChangeReports): string =>
  toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'windlass', cluster: { server: url } }],
    users: [{ name: 'kube-apiserver', user: { token } }],
    contexts: [{ name: 'changes', context: { cluster: 'windlass', user: 'kube-apiserver' } }],
    'current-context': 'changes',
  });

const POLICY = 'audit-policy.yaml';
const WEBHOOK = 'webhook.kubeconfig';

/** The files, in a folder that only root can read. */
export const reportFiles = (reports: ChangeReports, folder: string): BootFile[] =>
  [[POLICY, auditPolicy(reports.reported)] as const, [WEBHOOK, webhookConfig(reports)] as const].map(
    ([name, content]) => ({
      path: posix.join(folder, name),
      owner: 'root:root',
      permissions: '0600',
      content,
    }),
  );

/**
 * Flags of kube-apiserver, without dashes. In the mode `batch`, no request waits for a report, and reports that do not
 * fit into the buffer are dropped. A batch contains at most as many reports as the buffer. Six reports can be sent
 * immediately, and then three a minute, because each report costs money.
 */
export const reportFlags = (folder: string): readonly { name: string; value: string }[] =>
  Object.entries({
    'audit-policy-file': posix.join(folder, POLICY),
    'audit-webhook-config-file': posix.join(folder, WEBHOOK),
    'audit-webhook-mode': 'batch',
    'audit-webhook-batch-max-wait': '2s',
    'audit-webhook-batch-buffer-size': '40',
    'audit-webhook-batch-max-size': '40',
    'audit-webhook-batch-throttle-enable': 'true',
    'audit-webhook-batch-throttle-burst': '6',
    'audit-webhook-batch-throttle-qps': '0.05',
    'audit-webhook-initial-backoff': '5s',
  }).map(([name, value]) => ({ name, value }));

/** Flags that a server can only have once: either the user's or ours would be lost. */
const isTaken = (name: string): boolean => name === 'audit-policy-file' || name.startsWith('audit-webhook-');

/** Throws BootstrapInvalidError if the user has configured auditing. `names`: the flags that `field` sets. */
export const refuseOwnAudit = (names: readonly string[], field: string): void => {
  const taken = names.find(isTaken);
  if (taken === undefined) return;
  throw new BootstrapInvalidError(
    field,
    `sets ${taken}, and the annotation windlass.dev/report-changes of the Cluster sets it too: remove one of them`,
  );
};

import { describe, expect, it } from 'vitest';
import { reportFiles } from '../../../../../shared/bootstrap/change-reports/reports.ts';
import { attributesOf } from '../../../../../shared/kube-api/server/request-attributes.ts';
import { readPolicy, readWebhook } from './policy.ts';

const REPORTS = {
  url: 'https://api.example.com/hooks/changes/u-1',
  token: 'secret',
  reported: ['Services', 'Nodes'],
} as const;
const contentOf = (name: string): string =>
  reportFiles(REPORTS, '/etc/kubernetes/windlass').find(({ path }) => path.endsWith(name))?.content ?? '';
const ADMIN = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

describe('the audit policy of a machine that reports changes, on the laptop', () => {
  const isRecorded = readPolicy(contentOf('audit-policy.yaml'));
  const asks = (method: string, path: string, user = ADMIN) =>
    isRecorded(attributesOf(method, path, new URLSearchParams()), user);

  it.each([
    ['POST', '/api/v1/namespaces/default/services', true],
    ['DELETE', '/api/v1/namespaces/default/services/web', true],
    ['PATCH', '/api/v1/nodes/one', true],
    ['PATCH', '/api/v1/nodes/one/status', false],
    ['PUT', '/api/v1/namespaces/default/services/web/status', false],
    ['GET', '/api/v1/nodes', false],
    ['PUT', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/one', false],
    ['POST', '/apis/serving.example.com/v1/namespaces/default/services', false],
    ['POST', '/api/v1/namespaces/default/configmaps', false],
  ])('%s %s: %s', (method, path, expected) => {
    expect(asks(method, path)).toBe(expected);
  });

  it('does not record unauthenticated requests', () => {
    const nobody = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
    expect(asks('POST', '/api/v1/namespaces/default/services', nobody)).toBe(false);
  });
});

describe('an invalid file of an API server', () => {
  it.each([
    ['kind: Policy\nrules: []', '0 rules'],
    ['kind: Policy\nrules: [{level: All}]', 'Unsupported value: "All"'],
    ['kind: Policy\nrules: [{level: None, nonResourceURLs: [/healthz]}]', 'does not know nonResourceURLs'],
    ['kind: Config', 'is no Policy'],
  ])('is refused: %j', (content, message) => {
    expect(() => readPolicy(content)).toThrow(message);
  });

  it('is refused: a kubeconfig without a cluster', () => {
    expect(readWebhook(contentOf('webhook.kubeconfig'))).toEqual({ url: REPORTS.url, token: 'secret', ca: undefined });
    expect(() => readWebhook('kind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {}}]')).toThrow(
      'no cluster',
    );
  });
});

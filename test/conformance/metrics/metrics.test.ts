import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { assume, type Person } from '../access/people.ts';
import { kubectlOptions, must, npmStart, type Started, stop, until, whenReady } from '../quickstart/windlass.ts';
import { type Prometheus, programOf, promtool, startPrometheus } from './prometheus.ts';
import { namesIn, samplesIn } from './samples.ts';

const EXAMPLES = 'examples/observability';

let windlass: Started;
let scraper: Person;
let prometheus: Prometheus | undefined;

const kubectl = (...args: string[]) => must('kubectl', [...kubectlOptions(windlass), ...args]);
/** kubectl does not change a raw path, so it must include the stage of the gateway. */
const metrics = () => kubectl('get', '--raw', '/k8s/metrics');

beforeAll(async () => {
  windlass = npmStart();
  await whenReady(windlass);
  scraper = await assume(windlass, 'Prometheus');
  await kubectl('apply', '-f', 'examples/quickstart.yaml');
  await kubectl('wait', '--for=condition=Available', 'cluster/quickstart', `--timeout=${PATIENCE_SECONDS}s`);
  await until('all machines run', async () => {
    const phases = await kubectl('get', 'machines', '-o', 'jsonpath={.items[*].status.phase}');
    return phases.split(' ').length === 6 && phases.split(' ').every((phase) => phase === 'Running');
  });
}, LIMIT);
afterAll(async () => {
  await prometheus?.stop();
  await stop(windlass);
}, LIMIT);

/** The output of kube-state-metrics for the objects, with the configuration that a version of Cluster API publishes. */
const upstreamOf = (module: string, file: string, objects: unknown[]): string => {
  const program = process.env.WINDLASS_STATE_METRICS;
  if (!program) throw new Error('WINDLASS_STATE_METRICS is not set: run the suite by npm run conformance -- metrics');
  const input = JSON.stringify({ module, file, objects });
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`kube-state-metrics ended with ${status}: ${stderr}`);
  return stdout;
};

const KINDS = [
  'clusters',
  'clusterclasses',
  'clusterresourcesets',
  'kubeadmcontrolplanes',
  'machines',
  'machinedeployments',
  'machinehealthchecks',
  'machinepools',
  'machinesets',
];

/**
 * Metrics in upstream's configuration of kinds that Windlass does not serve, or for which it has no metrics
 * (docs/compatibility.md).
 */
const WITHOUT = /^capi_(dev|docker)(cluster|machine)_|^capi_(kubeadmconfig|ipaddressclaim|extensionconfig)_/;
/** Metrics that kube-state-metrics does not have. */
const OWN = /^windlass_/;
const shared = (lines: readonly string[]): string[] => lines.filter((line) => !WITHOUT.test(line));

/**
 * Objects with features that the quickstart does not use: pauses, percentages, selectors that match nothing, and empty
 * statuses.
 */
const MORE = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: { name: paused, annotations: { cluster.x-k8s.io/paused: "because \\"so\\"" } }
spec:
  paused: true
  infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSCluster, name: nowhere }
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: { name: quickstart }
spec:
  clusterName: quickstart
  selector: { matchLabels: { nobody: here } }
  remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 40%, unhealthyInRange: "[1-3]" } }
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: { name: shares }
spec:
  clusterName: paused
  replicas: 0
  rollout: { strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 25%, maxUnavailable: 10% } } }
  template:
    spec:
      clusterName: paused
      version: v1.34.0
      bootstrap: { dataSecretName: my-data }
      infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSMachineTemplate, name: nowhere }
---
apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata: { name: nothing }
spec:
  clusterSelector: { matchLabels: { nobody: here } }
  resources: [{ kind: ConfigMap, name: nothing }]
`;

describe('the metrics', { timeout: LIMIT }, () => {
  it('have no problem that promtool reports', async () => {
    const text = await metrics();
    const { status, stdout, stderr } = spawnSync(programOf('promtool'), ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(text.match(/^capi_machine_info\{/gm)).toHaveLength(6);
  });

  it.each([
    ['sigs.k8s.io/cluster-api@v1.13.6', 'config/metrics/crd-metrics-config.yaml', /^$/],
    // The generator of this version dropped the owner metrics.
    ['sigs.k8s.io/cluster-api@v1.14.2', 'core/config/metrics/crd-metrics-config.yaml', /^capi_[a-z]+_owner\b/],
  ])('have the samples of kube-state-metrics with the configuration of %s', async (module, file, lost) => {
    const extra = join(windlass.home, 'more.yaml');
    writeFileSync(extra, MORE);
    await kubectl('apply', '-f', extra);
    const look = async () => {
      const objects = JSON.parse(await kubectl('get', KINDS.join(','), '-A', '-o', 'json')).items;
      const upstream = upstreamOf(module, file, objects);
      const text = await metrics();
      expect(namesIn(text).filter((name) => !lost.test(name) && !OWN.test(name))).toEqual(shared(namesIn(upstream)));
      const own = samplesIn(text).filter((line) => !lost.test(line));
      return { own, expected: shared(samplesIn(upstream)) };
    };
    let { own, expected } = await look();
    // The served text may be up to 15 seconds old, and nothing may change between the two reads.
    for (let round = 0; round < 30 && JSON.stringify(own) !== JSON.stringify(expected); round++) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      ({ own, expected } = await look());
    }
    expect(own).toEqual(expected);
    expect(expected.length).toBeGreaterThan(500);
  });
});

describe('Prometheus', { timeout: LIMIT }, () => {
  it('scrapes over TLS with a token of a role that is bound to system:monitoring', async () => {
    const config = parse(readFileSync(`${EXAMPLES}/prometheus.yaml`, 'utf8'));
    const kubeconfig = parse(readFileSync(windlass.kubeconfig, 'utf8'));
    const { server, 'certificate-authority-data': authority } = kubeconfig.clusters[0].cluster;
    const { host, pathname } = new URL(server);
    const ca = join(windlass.home, 'scrape-ca.crt');
    const token = join(windlass.home, 'scrape-token');
    writeFileSync(ca, Buffer.from(authority, 'base64'));
    const exec = parse(readFileSync(scraper.kubeconfig, 'utf8')).users[0].user.exec;
    const variables = Object.fromEntries(exec.env.map(({ name, value }: Record<string, string>) => [name, value]));
    // Gets a token as docs/observability.md describes.
    const words = [...exec.args.slice(0, exec.args.indexOf('--output')), '--query', 'status.token', '--output', 'text'];
    writeFileSync(token, await must('aws', words, variables), { mode: 0o600 });

    const [job] = config.scrape_configs;
    expect(job.metrics_path).toBe(`${pathname.replace(/\/$/, '')}/metrics`);
    prometheus = await startPrometheus(windlass.home, {
      ...config,
      global: { scrape_interval: '1s' },
      rule_files: [join(process.cwd(), EXAMPLES, 'alerts.yaml')],
      scrape_configs: [
        {
          ...job,
          scrape_timeout: '1s',
          authorization: { ...job.authorization, credentials_file: token },
          tls_config: { ca_file: ca },
          static_configs: [{ targets: [host] }],
        },
      ],
    });
    const { get, query } = prometheus;
    const target = async () => (await get('/api/v1/targets')).activeTargets[0];
    await until('a scrape is refused', async () => (await target())?.lastError.includes('403'));

    await kubectl(
      'create',
      'clusterrolebinding',
      'scraper',
      '--clusterrole=system:monitoring',
      `--user=${scraper.arn}`,
    );
    await until('a scrape succeeds', async () => (await target())?.health === 'up');
    await until('the samples are there', async () => (await query('capi_cluster_info')).length > 0);
  });

  it('shows which machines run, which are available, and which node each has', async () => {
    const { query } = prometheus as Prometheus;
    const value = async (expression: string) => (await query(expression)).map((series) => Number(series.value[1]));
    expect(await value('sum(capi_machine_status_phase{phase="Running", cluster_name="quickstart"})')).toEqual([6]);
    const available = 'capi_cluster_status_condition{name="quickstart", type="Available", status="True"}';
    expect(await value(available)).toEqual([1]);
    expect(await value('capi_kubeadmcontrolplane_status_replicas_ready')).toEqual([3]);
    expect(await query('capi_machine_status_noderef{node_name!=""}')).toHaveLength(6);
    const [days] = await value('min(capi_machine_status_certificatesexpirydate > 0) - time()');
    expect(days).toBeGreaterThan(300 * 86_400);
  });

  it('shows a scaled MachineDeployment in the next scrapes', async () => {
    const { query } = prometheus as Prometheus;
    await kubectl('scale', 'machinedeployment', 'quickstart-md-0', '--replicas=4');
    await until('the metrics say four', async () => {
      const [series] = await query('capi_machinedeployment_spec_replicas{name="quickstart-md-0"}');
      return series?.value[1] === '4';
    });
  });
});

describe('the alert rules', { timeout: LIMIT }, () => {
  it('pass the checks of promtool, and fire exactly when they should', async () => {
    expect(await promtool('check', 'rules', `${EXAMPLES}/alerts.yaml`)).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout, stderr } = await promtool('test', 'rules', 'test/conformance/metrics/alerts.test.yaml');
    expect(code, stdout + stderr).toBe(0);
  });

  it('are each tested, and each loaded without an error by a Prometheus', async () => {
    const tested = readFileSync('test/conformance/metrics/alerts.test.yaml', 'utf8');
    const { groups } = await (prometheus as Prometheus).get('/api/v1/rules');
    const rules = groups.flatMap((group: { rules: object[] }) => group.rules) as Record<string, string>[];
    expect(rules.length).toBeGreaterThan(10);
    for (const { name, lastError, type } of rules) {
      expect([name, type, lastError ?? '']).toEqual([name, 'alerting', '']);
      expect(tested.match(new RegExp(`alertname: ${name}\n +exp_alerts:\n`, 'g')), name).not.toBeNull();
    }
  });

  it('use only metrics that are served', async () => {
    const served = new Set(namesIn(await metrics()));
    const used = readFileSync(`${EXAMPLES}/alerts.yaml`, 'utf8').match(/(capi|windlass)_\w+/g) ?? [];
    expect(used.filter((name) => !served.has(name))).toEqual([]);
  });
});

describe('the dashboard', { timeout: LIMIT }, () => {
  interface Panel {
    title: string;
    targets: { expr: string }[];
  }
  const { panels } = JSON.parse(readFileSync(`${EXAMPLES}/dashboard.json`, 'utf8')) as { panels: Panel[] };
  const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

  it.each(queries)('%s: %s', async (_, expression) => {
    const { query } = prometheus as Prometheus;
    // Fills in the variables as Grafana does if all values are selected.
    const filled = expression.replaceAll(/\$(namespace|cluster)\b/g, '.*');
    const found = await query(filled);
    // Lists of problems may be empty, but all other queries return something for a running cluster.
    if (!/[<>=!]= ?[\d"]|> 0/.test(filled)) expect(found).not.toEqual([]);
    const served = new Set(namesIn(await metrics()));
    expect((filled.match(/capi_\w+/g) ?? []).filter((name) => !served.has(name))).toEqual([]);
  });
});

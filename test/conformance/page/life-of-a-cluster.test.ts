import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import {
  kubectlOptions,
  must,
  npmStart,
  readEnvironment,
  run,
  type Started,
  stop,
  whenReady,
} from '../quickstart/windlass.ts';
import { type Browser, startBrowser, type Tab } from './browser.ts';
import { click, hasRead, type Page, reads, remember, startPage, textOf } from './page.ts';

let windlass: Started;
let page: Page;
let browser: Browser;
let tab: Tab;

const kubectl = (...args: string[]) => must('kubectl', [...kubectlOptions(windlass), ...args]);

const sweep = () => must(process.execPath, ['infra/cli/windlass.ts', 'sweep'], { WINDLASS_HOME: windlass.home });

/**
 * Takes a screenshot and stores it in the folder WINDLASS_SCREENSHOTS, for example docs/images. Without it, none is
 * taken.
 */
const screenshot = async (name: string, scheme: 'light' | 'dark'): Promise<void> => {
  const folder = process.env.WINDLASS_SCREENSHOTS;
  if (!folder) return;
  const features = [{ name: 'prefers-color-scheme', value: scheme }];
  await tab.command('Emulation.setEmulatedMedia', { features });
  const size = { width: 1280, height: 860, deviceScaleFactor: 1, mobile: false };
  await tab.command('Emulation.setDeviceMetricsOverride', size);
  await tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const { data } = await tab.command<{ data: string }>('Page.captureScreenshot', { format: 'webp', quality: 80 });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
};

beforeAll(async () => {
  windlass = npmStart(['--boot', '5']);
  await whenReady(windlass);
  page = await startPage(windlass.kubeconfig, { canWrite: true });
  browser = await startBrowser();
  tab = await browser.open(page.address);
}, LIMIT);
afterAll(async () => {
  await browser?.close();
  await page?.stop();
  await stop(windlass);
}, LIMIT);

// The tests run in order, as a user would see the page.
describe('the lifecycle of a cluster in a browser', { timeout: LIMIT }, () => {
  it('begins with an empty fleet', async () => {
    await reads(tab, /0 clusters There are no clusters yet/);
  });

  it('shows a cluster while it is created, and what it waits for', async () => {
    const fleet = await browser.open(page.address);
    await reads(fleet, /0 clusters/);
    await remember(fleet);
    await tab.evaluate("location.hash = '#/clusters/default/quickstart'");
    await reads(tab, /There is no Cluster quickstart in namespace default/);
    await remember(tab);
    await kubectl('apply', '-f', 'examples/quickstart.yaml');
    // Machines take longer to boot than the page takes to refresh; their bootstrap data exists earlier.
    await hasRead(tab, /Cluster quickstart .* Problems Waiting .* for \d+s .* (bootstrap data|instance|node) for \d+s/);
    await screenshot('page-creating', 'light');
    await hasRead(fleet, /1 cluster, 1 needs attention .* quickstart default ▲ Provision(ing|ed), not Available/);
    await reads(fleet, /1 cluster, all are well/);
    await click(fleet, 'tbody a', 'quickstart');
    await reads(fleet, /Cluster quickstart/);
    expect(fleet.complaints).toEqual([]);
  });

  it('shows it Available, with its six machines and no problems', async () => {
    await reads(tab, /● Available .* There are no problems\. .* 3 of 3 running .* 3 of 3 running/);
    const machines = await tab.evaluate<number>("document.querySelectorAll('#timeline tbody tr').length");
    expect(machines).toBe(6);
    expect(await textOf(tab, '#timeline')).toMatch(/instance \d+s, node \d+s, running for \d+s/);
    await tab.evaluate("document.querySelector('#timeline').scrollIntoView({ block: 'center' })");
    await screenshot('page-cluster', 'dark');
  });

  it('shows its network by zones, and its cost', async () => {
    await reads(
      tab,
      /VPC vpc-\w+ 10\.0\.0\.0\/16 ● Ready Load balancer \(nlb, internet-facing\) .* ● Ready/,
      '#network',
    );
    await reads(
      tab,
      /us-east-1a public subnet-\w+ 10\.0\.0\.0\/20 private subnet-\w+ .* nat-\w+ quickstart-/,
      '#zones',
    );
    await reads(tab, /Cost per month: 520 USD .* t3\.large 6 364\.42 .* AWS list prices of us-east-1/);
    await tab.evaluate("document.querySelector('#network').scrollIntoView({ block: 'center' })");
    await screenshot('page-network', 'light');
    expect(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('shows in the fleet that an instance was changed, what the fleet costs, and that it was repaired', async () => {
    await click(tab, 'nav a', 'Clusters');
    await reads(tab, /1 cluster, all are well .* none 520 USD 520 USD a month\. Estimated from AWS list prices/);
    const policy = (value: string) =>
      kubectl('annotate', '--overwrite', 'cluster', 'quickstart', `windlass.dev/on-drift=${value}`);
    await click(tab, 'tbody a', 'quickstart');
    await policy('InstanceTags=Report');
    const environment = readEnvironment(windlass);
    const query = ['--query', 'Reservations[0].Instances[0].InstanceId', '--output', 'text'];
    const id = (await must('aws', ['ec2', 'describe-instances', ...query], environment)).trim();
    await must('aws', ['ec2', 'create-tags', '--resources', id, '--tags', 'Key=Name,Value=changed'], environment);
    await sweep();
    await reads(
      tab,
      /Error Machine quickstart-\S+: windlass\.dev\/Drifted \(InstanceTags\) .* this is only reported Next: Undo the change in AWS/,
    );
    await reads(tab, /▲ Running, drifted/, '#tree');
    // Drift and cost are read when the fleet is opened, and every minute while it is open.
    await click(tab, 'nav a', 'Clusters');
    await reads(tab, /▲ 1 instance 520 USD/);
    await screenshot('page-fleet', 'light');
    await click(tab, 'tbody a', 'quickstart');
    await policy('InstanceTags=Repair');
    await sweep();
    // The first sweep repairs the instance, and the next one reports that it is in order.
    await sweep();
    await reads(tab, /There are no problems\./);
  });

  it('shows a broken machine, and what to do, until it is repaired', async () => {
    const id = await tab.evaluate<string>("document.querySelector('#tree code:not(:empty)').innerText");
    const environment = readEnvironment(windlass);
    const stopped = await run('aws', ['ec2', 'stop-instances', '--instance-ids', id], environment);
    expect(stopped.code, stopped.stderr).toBe(0);
    await reads(tab, /Problems Error .*Machine quickstart.*Next: Start the instance again, or delete the Machine/);
    await tab.evaluate('scrollTo(0, 0)');
    await screenshot('page-broken', 'light');
    const started = await run('aws', ['ec2', 'start-instances', '--instance-ids', id], environment);
    expect(started.code, started.stderr).toBe(0);
    await reads(tab, /● Available .* There are no problems\./);
  });

  it('shows an object as YAML, the plan of an edit, and applies what was planned', async () => {
    await click(tab, '#tree a', 'MachineDeployment');
    await reads(tab, /MachineDeployment quickstart-md-0 Conditions .* YAML .* replicas: 3/);
    await click(tab, '#edit');
    await reads(tab, /Only what has been planned can be applied/);
    const edit = `(() => {
      const text = document.querySelector('#text');
      text.value = text.value.replace('replicas: 3', 'replicas: 4');
      text.dispatchEvent(new InputEvent('input', { bubbles: true }));
    })()`;
    await tab.evaluate(edit);
    expect(await tab.evaluate("document.querySelector('#text').value")).not.toContain('status:');
    expect(await tab.evaluate("document.querySelector('#apply').disabled")).toBe(true);
    await click(tab, '#plan');
    await reads(tab, /Plan .*creates 1 Machine/, '#result');
    await tab.evaluate("document.querySelector('#result').scrollIntoView({ block: 'end' })");
    await screenshot('page-plan', 'light');
    expect(await kubectl('get', 'md', 'quickstart-md-0', '-o', 'jsonpath={.spec.replicas}')).toBe('3');
    await click(tab, '#apply');
    await reads(tab, /Applied/, '#result');
    expect(await kubectl('get', 'md', 'quickstart-md-0', '-o', 'jsonpath={.spec.replicas}')).toBe('4');
  });

  it('never shows a Secret', async () => {
    const path = '/api/v1/namespaces/default/secrets/quickstart-kubeconfig';
    const get = `fetch('${path}', { headers: { 'x-windlass-ui': '1' } }).then(({ status }) => status)`;
    expect(await tab.evaluate(get)).toBe(403);
  });

  it('shows that the cluster is deleted', async () => {
    await click(tab, 'nav a', 'quickstart');
    await remember(tab);
    await kubectl('delete', 'cluster', 'quickstart', '--wait=false');
    await reads(tab, /There is no Cluster quickstart in namespace default/);
    await hasRead(tab, /▲ Deleting/);
    await click(tab, 'nav a', 'Clusters');
    await reads(tab, /0 clusters/);
  });

  it('has violated no rule of the content security policy, and thrown no error', () => {
    // Browsers report every 4xx response: for objects that do not exist yet or no longer exist, and for the Secret.
    expect(tab.complaints.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([]);
  });
});

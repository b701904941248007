import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startPage } from '../page/page.ts';
import { must, run } from '../quickstart/windlass.ts';

const MINUTES = 60_000;

/** Runs npm on a folder that is not a checkout. */
const npm = (directory: string, ...args: string[]): Promise<string> =>
  must('npm', ['--prefix', directory, '--no-fund', '--no-audit', ...args], { npm_config_loglevel: 'error' });

it(
  'the package is installed from its tarball, and then runs a cluster and its page without a checkout',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'windlass-package-'));
    const [{ filename }] = JSON.parse(
      await must('npm', ['pack', '--json', '--silent', '--pack-destination', directory]),
    );
    await npm(directory, 'install', '--omit=dev', join(directory, filename));

    const command = join(directory, 'node_modules', '.bin', 'windlass');
    const home = join(directory, 'home');
    const quickstart = join(directory, 'node_modules', 'windlass', 'dist', 'examples', 'quickstart.yaml');
    expect(await must(command, ['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await must(command, ['--help'])).not.toContain('Work on Windlass');
    const { code, stdout, stderr } = await run(
      command,
      ['start', '--port', '0', '--apply', quickstart, '--once', '--boot', '0.2'],
      { WINDLASS_HOME: home },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Cluster quickstart is Available after/);

    const page = await startPage(join(home, 'kubeconfig'), { windlass: [command] });
    const document = await fetch(page.address);
    const cookie = document.headers.get('set-cookie')?.split(';')[0] ?? '';
    const script = await fetch(new URL('/page.js', page.address), { headers: { cookie } });
    expect(await document.text()).toContain('<script type="module" src="/page.js">');
    expect((await script.text()).length).toBeGreaterThan(20_000);
    await page.stop();
  },
  10 * MINUTES,
);

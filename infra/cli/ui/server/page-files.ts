/** The page's code and style. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface PageFiles {
  script: string;
  style: string;
}

const SOURCE = join(import.meta.dirname, '..', 'page', 'main.ts');

/** The files beside this module in the npm package, which contains the bundle instead of its sources. */
const BUNDLED = { script: 'page.js', style: 'page.css' } as const;

/** Bundles the page's sources without network access. Rejects with esbuild's message if they do not compile. */
export const bundlePage = async (): Promise<PageFiles> => {
  const { outputFiles } = await build({
    entryPoints: [SOURCE],
    outdir: 'unused',
    write: false,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'error',
  });
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
};

/** Writes the bundle into the folder of this module in the compiled package. */
export const writePage = async (folder: string): Promise<void> => {
  const page = await bundlePage();
  writeFileSync(join(folder, BUNDLED.script), page.script);
  writeFileSync(join(folder, BUNDLED.style), page.style);
};

/** The bundle of the npm package; in a checkout, a new bundle of the sources. */
export const loadPage = async (): Promise<PageFiles> => {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
  if (!existsSync(join(import.meta.dirname, BUNDLED.script))) return bundlePage();
  return { script: read(BUNDLED.script), style: read(BUNDLED.style) };
};

import { instance } from '@viz-js/viz';

const HEAD = '<!-- Drawn from docs/architecture.dot by npm run docs. -->\n';

/** The SVG of a graph in Graphviz's language. Equal texts give equal pictures. Rejects with what is wrong with the text. */
export const pictureOf = async (dot: string): Promise<string> => {
  const viz = await instance();
  const svg = viz.renderString(dot, { format: 'svg', engine: 'dot' });
  return `${HEAD}${svg.slice(svg.indexOf('<svg'))}`;
};

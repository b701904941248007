import { instance } from '@viz-js/viz';

const HEAD = '<!-- Drawn from docs/architecture.dot by npm run docs. -->\n';

/** The alternative text of the picture. */
const TITLE = '<title>How a request becomes a cluster</title>';

/**
 * The SVG of a graph in Graphviz's language. Equal texts give equal pictures. Rejects with the error if the text is
 * invalid.
 */
export const pictureOf = async (dot: string): Promise<string> => {
  const viz = await instance();
  const svg = viz.renderString(dot, { format: 'svg', engine: 'dot' });
  const picture = svg.slice(svg.indexOf('<svg'));
  return `${HEAD}${picture.replace(/<svg[^>]*>/, (tag) => `${tag}\n${TITLE}`)}`;
};

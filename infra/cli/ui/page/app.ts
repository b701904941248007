/** The frame of the page, and the selection of its view. */
import { useEffect, useState } from 'preact/hooks';
import { pageFetch, readSettings, type Settings } from './client.ts';
import { ClusterView } from './cluster.ts';
import { Fleet } from './fleet.ts';
import { type Element, html } from './html.ts';
import { useNow } from './live.ts';
import { Problem } from './notices.ts';
import { FLEET, type Route, readRoute } from './route.ts';

const useRoute = (): Route => {
  const [route, setRoute] = useState(readRoute(location.hash));
  useEffect(() => {
    const change = () => {
      setRoute(readRoute(location.hash));
      // As after loading a document, the keyboard and screen readers start at the new view.
      document.querySelector('main')?.focus();
      scrollTo(0, 0);
    };
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return route;
};

/** `/` moves the focus to the search field, as on many websites. */
const useSearchKey = (): void =>
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest('input, select, textarea') !== null;
      const search = document.querySelector<HTMLInputElement>('#search');
      if (event.key !== '/' || isTyping || search === null) return;
      event.preventDefault();
      search.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);

const Header = ({ settings }: { settings?: Settings }): Element => html`
  <header>
    <a class="skip" href="#main" onClick=${(event: Event) => {
      event.preventDefault();
      document.querySelector('main')?.focus();
    }}>Skip to the content</a>
    <h1><a href=${FLEET}>Windlass</a></h1>
    ${
      settings &&
      html`<p>
        <span>${settings.context}</span> <span class="dim">${settings.server}</span>
        ${settings.namespace ? html` <span>namespace ${settings.namespace}</span>` : null}
        <span class="badge">${settings.canWrite ? 'edits allowed' : 'read-only'}</span>
      </p>`
    }
  </header>
`;

const View = ({ route, settings, now }: { route: Route; settings: Settings; now: Date }): Element =>
  route.view === 'fleet'
    ? html`<${Fleet} namespace=${settings.namespace} prices=${settings.prices} now=${now} />`
    : html`<${ClusterView} key=${`${route.namespace}/${route.name}`} route=${route} canWrite=${settings.canWrite} prices=${settings.prices} now=${now} />`;

export const App = (): Element => {
  const route = useRoute();
  const now = useNow();
  const [settings, setSettings] = useState<Settings>();
  const [problem, setProblem] = useState<string>();
  useSearchKey();
  useEffect(() => {
    readSettings(pageFetch).then(setSettings, (error: Error) => setProblem(error.message));
  }, []);
  return html`
    <${Header} settings=${settings} />
    <main id="main" tabindex="-1">
      <${Problem} text=${problem} />
      ${settings && html`<${View} route=${route} settings=${settings} now=${now} />`}
    </main>
  `;
};

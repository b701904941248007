import { render } from 'preact';
import { App } from './app.ts';
import { html } from './html.ts';
import './style.css';

// The token is in the cookie by now. It should not remain in the history, in bookmarks or in screenshots.
history.replaceState(null, '', `/${location.hash}`);

const page = document.querySelector('#page');
if (page) {
  page.replaceChildren();
  render(html`<${App} />`, page);
}

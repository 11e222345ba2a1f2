import { createRoot } from 'react-dom/client';
import type { ToWebview } from '../src/inspector/protocol/messages';
import { App } from './App';
import { createStore } from './store';
import { vscodeApi } from './vscodeApi';
import './styles/base.css';
import './styles/kinds.css';
import './styles/controls.css';
import './styles/turns.css';
import './styles/timeline.css';
import './styles/tools.css';
import './styles/playground.css';
import './styles/suggestions.css';
import './styles/states.css';
import './styles/narrow.css';

const root = document.getElementById('root');
const store = createStore(vscodeApi());

// The page's initial text stays until there is something to show.
const stop = store.subscribe(() => {
  if (!root || !store.getSnapshot().state) return;
  stop();
  createRoot(root).render(<App store={store} />);
});
window.addEventListener('message', (event: MessageEvent<ToWebview>) => store.receive(event.data));
store.post({ type: 'ready' });

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../shared/theme.css';
import './styles/console.css';
import { App } from './app.js';
import { Link, type Socket } from './link/link.js';
import { isLoggedIn, logIn, socketProtocols, takeToken, thisClient } from './link/login.js';
import { makeUuid } from './link/uuid.js';
import { ConsoleStore } from './store/console-store.js';
import { startNotices } from './store/notices.js';
import { notifyOfPrompts } from './store/notifier.js';

const token = takeToken();
const store = new ConsoleStore();
const client = thisClient(makeUuid);
const link = new Link({
  // The browser's socket has more members than we use.
  openSocket: () => new WebSocket(socketAddress(), socketProtocols()) as unknown as Socket,
  isLoggedIn,
  client,
  onMessages: (messages) => store.receive(messages),
  onState: (state) => store.setLink(state),
  positionOf: (session) => store.positionOf(session),
});
startNotices();
notifyOfPrompts(store);

logIn(token).then(
  (allowed) => (allowed ? link.connect() : store.setLink('locked')),
  // The server is not running yet, or no longer: the link keeps trying.
  () => link.connect(),
);

// After sleep or a network change, sockets may only look open.
addEventListener('online', () => link.check());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) link.check();
});

// A new address with a token was pasted into a tab that already shows the page.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) location.reload();
});

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App store={store} link={link} client={client.client} hadToken={token !== undefined} />
    </StrictMode>,
  );
}

function socketAddress(): string {
  const address = new URL('api/socket', location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  return address.href;
}

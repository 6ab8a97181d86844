import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../shared/theme.css';
import { RecordingPage } from './recording-page.js';
import { readHead } from './source.js';
import './page.css';

const root = document.getElementById('root');
if (root !== null) {
  const head = readHead();
  document.title = `${head.name} · Coxswain`;
  createRoot(root).render(
    <StrictMode>
      <main>
        <RecordingPage head={head} />
      </main>
    </StrictMode>,
  );
}

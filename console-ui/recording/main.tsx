import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../shared/theme.css';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <main>Recording</main>
    </StrictMode>,
  );
}

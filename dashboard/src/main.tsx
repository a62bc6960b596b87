/** Starts the dashboard. The theme comes first, so that nothing is painted in the wrong colours. */
import { applyTheme, storedTheme } from './ui/theme';
import './style/base.css';
import './style/parts.css';
import './style/forms.css';
import './style/pages.css';
import './style/streams.css';

applyTheme(storedTheme());

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries, router } from './router';

const root = document.getElementById('app');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

/**
 * Runs in the head, before the first paint: applies the stored colour theme and stores a new choice. If the browser
 * blocks storage, the choice lasts as long as the page.
 */
export const THEME_SCRIPT = `(() => {
  const root = document.documentElement;
  const apply = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  let stored = null;
  try { stored = localStorage.getItem('sonde-theme'); } catch {}
  apply(stored);
  document.addEventListener('DOMContentLoaded', () => {
    for (const choice of document.querySelectorAll('input[name="theme"]')) {
      choice.checked = choice.value === (root.dataset.theme ?? 'system');
      choice.addEventListener('change', () => {
        apply(choice.value);
        try { localStorage.setItem('sonde-theme', choice.value); } catch {}
      });
    }
  });
})();`;

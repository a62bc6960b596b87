/** The script of the reference: filters operations by the typed words, and opens the one that a link points to. */
export const DOCS_SCRIPT = `(() => {
  const field = document.getElementById('filter');
  const count = document.getElementById('filter-count');
  const items = [...document.querySelectorAll('details.operation')].map((place) => ({ place, text: place.textContent.toLowerCase() }));
  const groups = [...document.querySelectorAll('.group')];
  const filter = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const { place, text } of items) {
      place.hidden = !words.every((word) => text.includes(word));
      if (!place.hidden) shown += 1;
    }
    for (const group of groups) {
      const inside = [...group.querySelectorAll('details.operation')];
      group.hidden = words.length > 0 && inside.every((place) => place.hidden);
    }
    count.textContent = words.length === 0 ? '' : shown + ' of ' + items.length + ' entries';
  };
  const open = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    if (place.hidden) { field.value = ''; filter(); }
    if (place.tagName === 'DETAILS') place.open = true;
    place.scrollIntoView();
  };
  document.getElementById('search').hidden = false;
  field.addEventListener('input', filter);
  addEventListener('hashchange', open);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
  if (location.hash !== '') open();
})();`;
